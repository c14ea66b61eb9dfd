import { type Command, InvalidArgumentError, Option } from 'commander';
import type { InstallOptions } from '../apply/types.ts';
import { CLIENT_IDS, type ClientId, PLUGIN_FORMATS, type PluginFormatName } from '../clients/types.ts';
import { meantOr } from '../declarations/near.ts';
import { EVENTS } from '../declarations/types.ts';
import { Fault } from '../messages.ts';
import type { Request } from '../plan/gather.ts';
import { commandLineDefinition } from '../server/given.ts';

/** Options that `install` and `diff` share, as commander gives them. */
export interface CommonFlags {
  client?: ClientId[];
  from?: ClientId;
  url?: string;
  header?: string[];
  declarations?: string;
  only?: string[];
  skip?: string[];
  allowStart?: string;
  sendToolData?: boolean;
  sessionEnd?: 'skip' | 'defer';
  postRequest?: 'skip' | 'defer';
  maxPriority?: InstallOptions['maxPriority'];
  cooldown?: number;
  maxText?: number;
  maxDeclarations?: number;
  hookTimeout?: number;
  lenient?: boolean;
  allowInvisible?: boolean;
  codexFile?: 'toml' | 'json';
  handler?: 'shim' | 'mcp_tool';
  grantControl?: string;
  offline?: boolean;
  reset?: boolean;
  timeout?: number;
  json?: boolean;
  yes?: boolean;
  dryRun?: boolean;
  acceptChanged?: boolean;
  verbose?: boolean;
}

const collect = (value: string, before: string[] = []): string[] => [
  ...before,
  ...value
    .split(',')
    .map((s) => s.trim())
    .filter(Boolean),
];

/** Parses a comma-separated list of client ids. */
export const clients = (value: string, before: ClientId[] = []): ClientId[] => [
  ...before,
  ...collect(value).map((id) => oneClient(id)),
];

function oneClient(id: string): ClientId {
  const known = CLIENT_IDS.find((c) => c === id);
  if (!known) throw new InvalidArgumentError(`'${id}' is no client. ${meantOr(id, CLIENT_IDS)}`);
  return known;
}

const hooks = (value: string, before: string[] = []): string[] => {
  const names = collect(value);
  const bad = names.find((n) => !(EVENTS as readonly string[]).includes(n) && !/^[1-9]\d*$/.test(n));
  if (bad !== undefined)
    throw new InvalidArgumentError(
      `'${bad}' is neither an event nor a number of the plan. ${meantOr(bad, EVENTS)}`,
    );
  return [...before, ...names];
};

/** A whole number of at least `least`. */
export const whole =
  (least: number) =>
  (value: string): number => {
    const n = Number(value);
    if (!Number.isInteger(n) || n < least || n > 1_000_000)
      throw new InvalidArgumentError(`a whole number from ${least} is wanted.`);
    return n;
  };

const header = (value: string, before: string[] = []): string[] => [...before, value];

/** Parses a comma-separated list of plugin formats. */
export const formats = (value: string, before: PluginFormatName[] = []): PluginFormatName[] => [
  ...before,
  ...collect(value).map((name) => {
    const known = PLUGIN_FORMATS.find((f) => f === name);
    if (!known) throw new InvalidArgumentError(`'${name}' is no format. ${meantOr(name, PLUGIN_FORMATS)}`);
    return known;
  }),
];

export function addSourceOptions(command: Command): Command {
  return command
    .optionsGroup('Where the server and its hooks come from:')
    .option('--from <client>', "which client's definition of the server to use", oneClient)
    .option('--declarations <file>', 'take the declarations from a JSON file instead of the server')
    .option('--url <url>', 'reach the server here (Streamable HTTP)')
    .option('--header <header>', "a header for --url, e.g. 'Authorization: ${TOKEN}'; repeatable", header)
    .option('--timeout <seconds>', 'for connecting to the server (default: 30)', whole(1))
    .option('--allow-start <hash>', 'approve a server that a project file defines');
}

export function addShapeOptions(command: Command): Command {
  return command
    .optionsGroup('Which hooks, and how:')
    .option('--client <ids>', `only for these clients: ${CLIENT_IDS.join(', ')}`, clients)
    .option('--only <hooks>', 'only these events or numbers of the plan', hooks)
    .option('--skip <hooks>', 'all but these', hooks)
    .addOption(
      new Option(
        '--session-end <how>',
        'give it to the next session, or leave it out (default: skip)',
      ).choices(['skip', 'defer']),
    )
    .addOption(
      new Option(
        '--post-request <how>',
        'give it with the next prompt, or leave it out (default: defer)',
      ).choices(['defer', 'skip']),
    )
    .addOption(
      new Option('--max-priority <priority>', 'lower what is higher (default: important)').choices([
        'suggestion',
        'important',
        'required',
      ]),
    )
    .option('--cooldown <seconds>', 'a hook that fired stays silent this long in its session', whole(0))
    .option('--send-tool-data', 'let hooks send what tools are given and answer to the server')
    .optionsGroup('Rarely needed:')
    .option('--max-text <n>', 'characters of one text (default: 8000)', whole(1))
    .option('--max-declarations <n>', 'declarations of one server (default: 64)', whole(1))
    .option(
      '--hook-timeout <seconds>',
      'what the client grants a hook (default: 10, at session start 15)',
      whole(2),
    )
    .addOption(
      new Option('--handler <kind>', "mcp_tool: let the client call the server's tools itself").choices([
        'shim',
        'mcp_tool',
      ]),
    )
    .option('--grant-control <server>', 'with --handler mcp_tool: its answers may control the agent')
    .option('--lenient', 'leave bad declarations out and use the rest')
    .option('--allow-invisible', 'accept control, bidirectional and other invisible characters in texts')
    .addOption(new Option('--codex-file <format>', 'where Codex hooks go').choices(['toml', 'json']))
    .option('--reset', 'forget the options of earlier installs');
}

/** What was asked for, from the flags and the words behind `--`. */
export function requestFrom(server: string, command: readonly string[], flags: CommonFlags): Request {
  if (command.length > 0 && flags.url)
    throw new Fault('usage.bad', { text: '--url and -- <command> exclude each other.' });
  if (flags.header && !flags.url) throw new Fault('usage.bad', { text: '--header goes with --url.' });
  if (flags.handler === 'mcp_tool' && flags.grantControl !== server)
    throw new Fault('consent.control', { name: server }, {}, 3);
  const given = commandLineDefinition(command, flags.url, flags.header ?? []);
  const { only, skip, sessionEnd, postRequest, maxPriority, cooldown, maxText, maxDeclarations } = flags;
  const { hookTimeout, lenient, allowInvisible, sendToolData, codexFile } = flags;
  const options: Partial<InstallOptions> = Object.fromEntries(
    Object.entries({
      only,
      skip,
      sessionEnd,
      postRequest,
      maxPriority,
      cooldown,
      maxText,
      maxDeclarations,
      hookTimeout,
      lenient,
      allowInvisible,
      sendToolData,
      codexFile,
      handler: flags.handler,
    }).filter(([, value]) => value !== undefined),
  );
  return {
    server,
    ...(given && { given }),
    ...(flags.from && { from: flags.from }),
    ...(flags.declarations !== undefined && { declarationsFile: flags.declarations }),
    clients: flags.client ?? [],
    installedOnly: false,
    options,
    reset: flags.reset ?? false,
    timeout: flags.timeout ?? 30,
    ...(flags.allowStart !== undefined && { allowStart: flags.allowStart }),
    offline: flags.offline ?? false,
  };
}
