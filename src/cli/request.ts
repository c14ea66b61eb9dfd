import type { Request } from '../app/request.ts';
import { Fault } from '../messages/fault.ts';
import { type InstallOptions, OPTION_ROWS, type OptionRow, optionName } from '../plan/options.ts';
import { commandLineDefinition } from '../servers/definitions/from-command-line.ts';
import type { CommonFlags } from './flags.ts';

/** Returns the request of the flags and of the words after `--`. */
export function requestFrom(server: string, command: readonly string[], flags: CommonFlags): Request {
  if (server.trim() === '') throw new Fault('usage.empty-name');
  if (flags.header && !flags.url) throw new Fault('usage.goes-with', { option: '--header', needs: '--url' });
  if (flags.target === 'plugin' && (flags.scope ?? 'user') !== 'user')
    throw new Fault('usage.goes-with', { option: '--target plugin', needs: '--scope user' });
  if (flags.catalogue && flags.declarations !== undefined)
    throw new Fault('usage.exclusive', { one: '--catalogue', other: '--declarations' });
  const given = commandLineDefinition(command, flags.url, flags.header ?? []);
  return {
    server,
    ...(given && { given }),
    ...(flags.from && { fromClient: flags.from }),
    ...(flags.declarations !== undefined && { declarationsFile: flags.declarations }),
    ...(flags.catalogue && {
      catalogue: flags.catalogue === true ? {} : { entry: flags.catalogue },
    }),
    ...(flags.check === false && { skipCheck: true as const }),
    clients: flags.client ?? [],
    installedOnly: false,
    options: optionsFrom(server, flags),
    reset: flags.reset ?? false,
    timeout: flags.timeout ?? 30,
    ...(flags.allowStart !== undefined && { allowStart: flags.allowStart }),
    mode: flags.frozen ? 'lock' : flags.offline ? 'files' : 'ask',
  };
}

/** Returns the server that is named, which may stand behind `--catalogue`, whose id is optional. */
export const namedServer = (
  server: string | undefined,
  flags: CommonFlags,
): { server: string | undefined; flags: CommonFlags } =>
  server === undefined && typeof flags.catalogue === 'string'
    ? { server: flags.catalogue, flags: { ...flags, catalogue: true } }
    : { server, flags };

/** Returns the options that were given. */
function optionsFrom(server: string, flags: CommonFlags): Partial<InstallOptions> {
  const given = flags as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    OPTION_ROWS.flatMap(([name, row]) => {
      const value = given[attributeOf(row)];
      if (value === undefined) return [];
      if (row.kind !== 'grant') return [[name, value]];
      if (value !== server)
        throw new Fault('consent.control', { name: server, granted: String(value) }, {}, 3);
      return [[name, row.of[1]]];
    }),
  );
}

/** Returns commander's attribute name for an option. */
const attributeOf = (row: OptionRow): string =>
  optionName(row).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
