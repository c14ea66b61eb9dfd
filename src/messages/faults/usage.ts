import type { FaultArgs, NoArgs } from '../args.ts';
import { NOT_JSON, notJsonText } from '../syntax.ts';
import { list, nearOrKnown, unreadableText, type Wordings } from '../words.ts';
import { MANY_OPEN } from './store.ts';

const HELP = "Run 'mcphooks --help' for the commands and options.";

const helpOf = (command: unknown): string =>
  command ? `Run 'mcphooks ${command} --help' for its options.` : HELP;

const orderText = ({ order, given }: FaultArgs): string =>
  order
    ? `${given ? 'Options come after the command' : 'The command comes first'}: 'mcphooks ${order}'.`
    : '';

const NO_SERVER =
  "It takes no server: 'mcphooks explain <server>' shows the hooks of one, 'mcphooks doctor <server>' what stops them.";

/** What helps who gives a command what others take. */
const INSTEAD: Readonly<Record<string, string>> = {
  'list --scope': 'It shows the hooks of all scopes.',
  'doctor --scope': 'It checks the hooks of all scopes.',
  'list argument': NO_SERVER,
  'scan argument': NO_SERVER,
};

const TYPES: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  int: 'a whole number',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  string: 'a text',
  number: 'a number',
  environment: 'an object of texts without null characters',
  function: 'a function',
  path: 'a path without null characters',
  texts: 'a text or a list of texts',
};

/** What an option excludes, besides another option. `command`, and `url` beside it: of the library. */
const ARGUMENTS = { command: 'command', file: 'a file', server: 'a server' } as const;

/** What a word of a command line stands for. */
export type WordKind = 'action' | 'entry' | 'event' | 'schema' | 'shell';

/** What a key of the configuration takes: one of `allowed`, at least one client, a number or a type. */
type Expected = {
  /** Excluded itself. */
  above?: number;
  allowed?: readonly string[];
  clients?: 1;
  least?: number;
  most?: number;
  type?: string;
};

function expectedText({ above, allowed, clients, least, most, type }: FaultArgs): string {
  if (above !== undefined) return `a number above ${above}`;
  if (allowed !== undefined) return `one of ${list(allowed)}`;
  if (clients) return 'a client';
  if (least !== undefined) return `a whole number from ${least}`;
  if (most !== undefined) return `a whole number up to ${most}`;
  return type === undefined ? 'something else' : (TYPES[String(type)] ?? String(type));
}

/** Arguments by code. */
export interface UsageFaults {
  'internal.error': { reason: string };
  'internal.no-folder': NoArgs;
  /** `program`, `version`: what runs mcphooks. */
  'internal.not-node': { oldest: string; program: string; version: string };
  'internal.output': { code: string };
  /**
   * `text`: commander's message; `command`: the command with the mistake, if it is known; `given`: what it doesn't take,
   * an option or `argument`; `order`: how the line begins in the right order.
   */
  'usage.bad': { text: string; command?: string; given?: string; order?: string };
  'usage.exclusive': { one: keyof typeof ARGUMENTS | `--${string}`; other: `--${string}` | 'url' };
  /** `page`: the command with the mistake. */
  'usage.goes-with': { option: string; needs: string; page?: string };
  'usage.unknown-word': { value: string; what: WordKind; known: readonly string[]; near?: string };
  'usage.no-hook': { option: string; number: number; count: number };
  'usage.no-server': { verb: string; all?: 1 };
  'usage.empty-name': NoArgs;
  'usage.argument': Expected & { name: string; value: string };
  'usage.no-file': { file: string; option: string };
  'usage.no-write': { file: string; option: string; reason: string };
  'usage.no-stdin': { option: string };
  'usage.no-object': { file: string; option: string; stdin?: 1 };
  'usage.no-json': { from: string; value: string };
  'payload.syntax': { found?: string; reason: string };
  'usage.url': { url: string };
  'usage.header': NoArgs;
  'config.unreadable': { reason: string };
  'config.syntax': { found?: string; reason: string };
  'config.key': { allowed: readonly string[]; key: string; near?: string };
  'config.retired': { key: string };
  'config.value': Expected & { value: string };
}

/** Faults of the command line and the configuration file. */
export const usageFaults = (): Wordings<UsageFaults> => ({
  'internal.error': {
    what: (a) => `unexpected error: ${a.reason}`,
    fix: (a) =>
      /\bE[MN]FILE\b/.test(a.reason) ? MANY_OPEN : 'Run it again with --debug, and please report the output.',
  },
  'internal.output': {
    what: (a) =>
      `stdout can't be written (${a.code}), so the output is not whole; what the command did stands`,
    fix: () => 'Check where the output goes, such as a full disk.',
  },
  'internal.no-folder': {
    what: () => 'the current folder no longer exists',
    fix: () => 'Change to a folder that exists, then run the command again.',
  },
  'internal.not-node': {
    what: (a) =>
      `mcphooks and its hooks need Node ${a.oldest} or later, and this is ${a.program} ${a.version}`,
    fix: () => 'Put such a Node first on PATH, and start mcphooks with it.',
  },
  'usage.bad': {
    what: (a) => a.text,
    fix: (a) =>
      [orderText(a), INSTEAD[`${a.command} ${a.given}`], helpOf(a.command)].filter(Boolean).join(' '),
  },
  'usage.exclusive': {
    what: (a) =>
      `${ARGUMENTS[a.one as keyof typeof ARGUMENTS] ?? a.one} and ${a.other} can't be used together`,
    fix: () => 'Use one of them.',
  },
  'usage.goes-with': { what: (a) => `${a.option} needs ${a.needs}`, fix: (a) => helpOf(a.page) },
  'usage.unknown-word': {
    what: (a) => `unknown ${a.what === 'entry' ? 'catalogue entry' : a.what} '${a.value}'`,
    fix: (a) => nearOrKnown(a, 'Choose from') ?? HELP,
  },
  'usage.no-hook': {
    what: (a) => `${a.option} ${a.number}: the server has ${a.count === 1 ? '1 hook' : `${a.count} hooks`}`,
    fix: () => 'Use a number from the plan, or an event.',
  },
  'usage.no-server': {
    what: (a) => `no server to ${a.verb} was given`,
    fix: (a) =>
      a.all
        ? "Name one, or use --all: 'mcphooks list' shows what is installed."
        : "Name one: 'mcphooks scan' lists them.",
  },
  'usage.empty-name': { what: () => "the server's name is empty", fix: () => 'Give its name.' },
  'usage.argument': {
    what: (a) => `${a.name}: ${a.value} is not ${expectedText(a)}`,
    fix: () => 'Its type says what it can be.',
  },
  'usage.no-file': {
    what: (a) => `there is no file '${a.file}'`,
    fix: (a) => `Name another with ${a.option}.`,
  },
  'usage.no-write': {
    what: (a) => `'${a.file}' can't be written (${a.reason})`,
    fix: (a) => `Name another with ${a.option}.`,
  },
  'usage.no-stdin': {
    what: () => 'stdin is empty',
    fix: (a) => `Pipe a JSON object into it, or name a file with ${a.option}.`,
  },
  'usage.no-object': {
    what: (a) => `${a.stdin ? a.file : `'${a.file}'`} contains no JSON object`,
    fix: (a) => (a.stdin ? 'Pipe a JSON object into it.' : `Name another with ${a.option}.`),
  },
  'usage.no-json': { what: (a) => `${a.from} is not JSON: ${a.value}`, fix: () => 'Write it as JSON.' },
  'payload.syntax': { what: notJsonText, fix: () => 'Correct it at this place.' },
  'usage.url': {
    what: (a) => `'${a.url}' is not a URL`,
    fix: (a) =>
      `${a.url.includes('$') ? 'Let your shell fill in the variables, in double quotes. ' : ''}Use one like https://example.org/mcp.`,
  },
  'usage.header': {
    what: () => "a header must have the form 'Name: value', in one line",
    fix: () => "For example: 'Authorization: Bearer ${TOKEN}'.",
  },
  'config.unreadable': { what: unreadableText, fix: () => 'Fix that, or delete the file.' },
  'config.syntax': NOT_JSON,
  'config.key': {
    what: (a) => `unknown key '${a.key}'`,
    fix: (a) => (a.near ? `Did you mean '${a.near}'?` : `Allowed here: ${list(a.allowed)}.`),
  },
  'config.retired': {
    what: (a) => `'${a.key}' is no longer a key: the limits are the same for all servers`,
    fix: () => 'Remove it. docs/limits.md lists the limits.',
  },
  'config.value': {
    what: (a) => `${a.value} is not ${expectedText(a)}`,
    fix: () => "'mcphooks schema config' describes each key.",
  },
});
