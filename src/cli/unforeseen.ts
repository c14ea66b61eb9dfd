import type { World } from '../app/context.ts';
import { Fault } from '../messages/fault.ts';
import { faultText } from '../messages/faults.ts';
import { failureJson } from './exit.ts';

const DEBUG = '--debug';

/** Returns the words before `--`; later words belong to a server's command. */
export function ownWords(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--');
  return end < 0 ? words : words.slice(0, end);
}

/** Returns the command that words name, or the first argument where that is none; '' for options alone. */
export const commandIn = (words: readonly string[]): string =>
  ownWords(words).find((word) => !word.startsWith('-')) ?? '';

/** Returns the words without our own `--debug`, and whether it was there. */
export function withoutDebug(words: readonly string[]): { words: readonly string[]; debug: boolean } {
  const at = ownWords(words).indexOf(DEBUG);
  return at < 0 ? { words, debug: false } : { words: words.filter((_, i) => i !== at), debug: true };
}

/** Reports an unexpected error as text, or with --json as a document. The stack goes to stderr, only with `--debug`. */
export function reportUnforeseen(
  error: unknown,
  words: readonly string[],
  { out, err }: Pick<World, 'out' | 'err'>,
): void {
  const { code, syscall, message, stack } = error as NodeJS.ErrnoException;
  const gone = code === 'ENOENT' && syscall === 'uv_cwd';
  const fault = gone
    ? new Fault('internal.no-folder')
    : new Fault('internal.error', { reason: `${message}` });
  const own = ownWords(words);
  if (own.includes('--json')) out(failureJson(commandIn(words), 1, [fault]));
  else err(`mcphooks: ${faultText(fault)}`);
  if (own.includes(DEBUG)) err(`${stack}`);
}
