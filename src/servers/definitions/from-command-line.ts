import { Fault } from '../../messages/fault.ts';
import { maskText } from '../masking/secrets.ts';
import type { Definition } from '../types.ts';

/**
 * Returns the definition given as `-- <command> [args]` or `--url <url> --header 'Name: value'`; undefined for neither.
 * `${NAME}` in a header stays, and is expanded when the server is reached. Faults: `usage.exclusive` for both, `usage.url`,
 * `usage.header`, and `server.url` for another protocol than HTTP. An address that hooks may not reach is taken, since
 * hooks with texts alone don't reach it.
 */
export function commandLineDefinition(
  command: readonly string[],
  url: string | undefined,
  headers: readonly string[],
): Definition | undefined {
  const [program, ...args] = command;
  if (program !== undefined && url !== undefined)
    throw new Fault('usage.exclusive', { one: '--url', other: '-- <command>' });
  if (program !== undefined) return { transport: 'stdio', command: program, args, env: {} };
  if (url === undefined) return undefined;
  if (!URL.canParse(url)) throw new Fault('usage.url', { url: maskText(url) });
  if (!/^https?:$/.test(new URL(url).protocol))
    throw new Fault('server.url', { url: maskText(url), reason: 'scheme' });
  const pairs = headers.map((header): [string, string] => {
    const [, name, value] =
      /^([!#$%&'*+.^_`|~\w-]+):\s*([\t\x20-\x7e\x80-\xff]*)$/.exec(header.trimEnd()) ?? [];
    if (name === undefined || value === undefined) throw new Fault('usage.header');
    return [name, value];
  });
  return { transport: 'http', url, headers: Object.fromEntries(pairs) };
}
