import { word } from '../../messages/words.ts';
import { maskArgs, maskText } from '../../servers/masking/secrets.ts';
import type { Request } from '../request.ts';

/** Returns how a command line reaches the server, as words for the end of another; a secret in a header as a variable. */
export function reachedBy({ fromClient, given }: Pick<Request, 'fromClient' | 'given'>): string {
  const words = [
    ...(fromClient ? ['--from', fromClient] : []),
    ...(given?.transport === 'stdio' ? ['--', ...maskArgs([given.command, ...given.args])] : []),
    ...(given && given.transport !== 'stdio'
      ? ['--url', maskText(given.url), ...Object.entries(given.headers).flatMap(headerWords)]
      : []),
  ];
  return words.map((one) => ` ${word(one)}`).join('');
}

const headerWords = ([name, value]: [string, string]): string[] => [
  '--header',
  `${name}: ${/^(?:[A-Za-z]+ )?\$\{\w+\}$/.test(value) ? value : '${TOKEN}'}`,
];
