import { Fault } from '../messages.ts';
import { maskText } from './mask.ts';
import type { Definition } from './types.ts';

/**
 * How to reach a server, as `-- <command> [args]` or `--url <url> --header 'Name: value'` say it; undefined for
 * neither. `${NAME}` in a header stays as it is: the variable is read when the server is reached.
 */
export function commandLineDefinition(
  command: readonly string[],
  url: string | undefined,
  headers: readonly string[],
): Definition | undefined {
  const [program, ...args] = command;
  if (program !== undefined) return { transport: 'stdio', command: program, args, env: {} };
  if (url === undefined) return undefined;
  if (!URL.canParse(url)) throw new Fault('usage.bad', { text: `--url '${maskText(url)}' is not a URL.` });
  const pairs = headers.map((header): [string, string] => {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/s.exec(header) ?? [];
    if (name === undefined || value === undefined)
      throw new Fault('usage.bad', { text: "a --header is not 'Name: value'." });
    return [name, value];
  });
  return { transport: 'http', url, headers: Object.fromEntries(pairs) };
}
