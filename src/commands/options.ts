import { type Command, InvalidArgumentError, Option } from 'commander';
import { type InstallOptions, SCOPES, type Scope, TARGETS, type Target } from '../apply/types.ts';
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
  target?: Target;
  handler?: 'shim' | 'mcp_tool';
  grantControl?: string;
  offline?: boolean;
  reset?: boolean;
  timeout?: number;
  json?: boolean;
  scope?: Scope;
  frozen?: boolean;
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

/** Options of `install` that shape its plan, and that commands take which make the same plan. */
export function addPlanOptions(command: Command): Command {
  return command
    .optionsGroup('Which hooks, and when they speak:')
    .option('--only <hooks>', 'only these events, or numbers of the plan', hooks)
    .option('--skip <hooks>', 'all but these', hooks)
    .option('--cooldown <seconds>', 'a hook that fired is silent this long in its session', whole(0))
    .addOption(
      choice('--max-priority', PRIORITIES, 'lower what a server calls more urgent (default: important)'),
    )
    .addOption(
      choice(
        '--session-end',
        ['skip', 'defer'],
        'leave such hooks out (default), or give their text to the next session',
      ),
    )
    .addOption(
      choice(
        '--post-request',
        ['defer', 'skip'],
        'give their text with the next prompt (default), or leave them out',
      ),
    )
    .optionsGroup('Where the server and its hooks come from:')
    .option('--from <client>', 'whose definition of the server, when they differ', oneClient)
    .option('--url <url>', 'reach the server here (Streamable HTTP)')
    .option('--header <header>', "with --url, e.g. 'Authorization: Bearer ${TOKEN}'; repeatable", header)
    .option('--declarations <file>', 'take the hooks from a JSON file instead')
    .optionsGroup('To approve without a question:')
    .option('--send-tool-data', 'let hooks send the server what tools are given and answer')
    .option('--allow-start <hash>', "start a server that a project's file defines")
    .optionsGroup('Rarely needed:')
    .option('--reset', 'forget the options of earlier installs')
    .option('--timeout <seconds>', 'for connecting to the server (default: 30)', whole(1))
    .option(
      '--hook-timeout <seconds>',
      'how long a client waits for a hook (default: 10; 15 at session start)',
      whole(2),
    )
    .option('--lenient', 'leave faulty declarations out, and use the rest')
    .option('--max-text <n>', 'most characters of one text (default: 8000)', whole(1))
    .option('--max-declarations <n>', 'most declarations of one server (default: 64)', whole(1))
    .option('--allow-invisible', 'accept control, bidirectional and other invisible characters')
    .addOption(
      choice(
        '--target',
        TARGETS,
        "the clients' settings (default), or a plugin where a client loads it itself",
      ),
    )
    .addOption(choice('--codex-file', ['toml', 'json'], "Codex's config.toml, or hooks.json"))
    .addOption(
      choice('--handler', ['shim', 'mcp_tool'], "mcp_tool: the client calls the server's tools itself"),
    )
    .option('--grant-control <server>', 'with --handler mcp_tool: its answers may control the agent');
}

/** Whose files: one's own, the project's committed ones, or one's own for this project. */
export const scopeOption = (): Option =>
  new Option('--scope <scope>', "user, project or local: yours, the project's, yours there").choices(SCOPES);

export function addClientOption(command: Command): Command {
  return command.option('--client <ids>', `only for these: ${CLIENT_IDS.join(', ')}`, clients);
}

const PRIORITIES = ['suggestion', 'important', 'required'];

const choice = (name: string, values: readonly string[], description: string): Option =>
  new Option(`${name} <${values.length > 2 ? 'priority' : values.join('|')}>`, description).choices(values);

/** What was asked for, from the flags and the words behind `--`. */
export function requestFrom(server: string, command: readonly string[], flags: CommonFlags): Request {
  if (command.length > 0 && flags.url)
    throw new Fault('usage.bad', { text: '--url and -- <command> exclude each other.' });
  if (flags.header && !flags.url) throw new Fault('usage.bad', { text: '--header goes with --url.' });
  if (flags.handler === 'mcp_tool' && flags.grantControl !== server)
    throw new Fault('consent.control', { name: server }, {}, 3);
  if (flags.target === 'plugin' && (flags.scope ?? 'user') !== 'user')
    throw new Fault('usage.bad', { text: '--target plugin goes with --scope user.' });
  const given = commandLineDefinition(command, flags.url, flags.header ?? []);
  const { only, skip, sessionEnd, postRequest, maxPriority, cooldown, maxText, maxDeclarations } = flags;
  const { hookTimeout, lenient, allowInvisible, sendToolData, codexFile, target } = flags;
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
      target,
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
    offline: (flags.offline || flags.frozen) ?? false,
    ...(flags.frozen && { frozen: true }),
  };
}
