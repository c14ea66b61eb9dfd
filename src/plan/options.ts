import { sha256 } from '../base/sha256.ts';
import type { ClientId } from '../clients/client.ts';
import { canonicalJson } from '../declarations/canonical-json.ts';
import { type Declaration, PRIORITIES } from '../declarations/types.ts';

/** Largest whole number of an option that has no `most`. */
export const LARGEST_WHOLE = 1_000_000;

/** Kind of an option: how its value is written. */
export type OptionKind =
  | { kind: 'choice'; of: readonly string[] }
  /** A whole number from `least` to `most`; absent: to `LARGEST_WHOLE`. */
  | { kind: 'whole'; least: number; most?: number }
  | { kind: 'yes' }
  /** A comma-separated list of events and hook numbers of the plan. */
  | { kind: 'hooks' }
  /** A flag that takes the server's name and sets the second value; the name prevents a grant by mistake. */
  | { kind: 'grant'; of: readonly [string, string] };

/** One option of `install` that affects what is compiled and is recorded per server. */
export type OptionRow = OptionKind & {
  /** Flag as written on the command line, e.g. `--cooldown <seconds>`. */
  flag: string;
  /** Heading on the help page. */
  group: 'hooks' | 'approval' | 'rest';
  /** Description on the help page and, without `examples`, in the schema of the configuration file. */
  sentence: string;
  /** Values as the command line takes them. */
  examples?: string;
  /** Default value; absent: the option has no value until one is chosen. */
  default?: unknown;
  /** The configuration file may set a default. */
  inConfig?: true;
};

/** All options, in the order of the help page, with their defaults. */
export const OPTIONS = {
  only: {
    flag: '--only <hooks>',
    kind: 'hooks',
    group: 'hooks',
    sentence: 'only these events or hook numbers',
    default: [],
  },
  skip: { flag: '--skip <hooks>', kind: 'hooks', group: 'hooks', sentence: 'all except these', default: [] },
  /** Seconds. */
  cooldown: {
    flag: '--cooldown <seconds>',
    kind: 'whole',
    least: 0,
    group: 'hooks',
    sentence: 'least time between two texts of one hook in a session',
    examples: '300, 5m, 1h',
    default: 0,
    inConfig: true,
  },
  /** Minutes. */
  keepWarm: {
    flag: '--keep-warm <minutes>',
    kind: 'whole',
    least: 0,
    most: 480,
    group: 'hooks',
    sentence: 'keep a server that hooks call running this long after its last use',
    default: 0,
    inConfig: true,
  },
  maxPriority: {
    flag: '--max-priority <priority>',
    kind: 'choice',
    of: PRIORITIES,
    group: 'hooks',
    sentence: 'cap the priority of hooks (default: important)',
    default: 'important',
    inConfig: true,
  },
  sessionEnd: {
    flag: '--session-end <skip|defer>',
    kind: 'choice',
    of: ['skip', 'defer'],
    group: 'hooks',
    sentence: 'skip session_end hooks (default), or give their text in the next session',
    default: 'skip',
    inConfig: true,
  },
  postRequest: {
    flag: '--post-request <defer|skip>',
    kind: 'choice',
    of: ['defer', 'skip'],
    group: 'hooks',
    sentence: 'give the text of post_request hooks with the next prompt (default), or skip them',
    default: 'defer',
    inConfig: true,
  },
  sendToolData: {
    flag: '--send-tool-data',
    kind: 'yes',
    group: 'approval',
    sentence: 'let hooks send tool inputs, tool outputs and prompts to the server',
    default: false,
  },
  /** `mcp_tool`: the client calls the server's tool itself, on events where the answer then reaches the model. */
  handler: {
    flag: '--grant-control <server>',
    kind: 'grant',
    of: ['shim', 'mcp_tool'],
    group: 'approval',
    sentence: 'let the client call its tools itself; their answers can control the agent',
    default: 'shim',
  },
  /** Seconds; undefined: a default per event. */
  hookTimeout: {
    flag: '--hook-timeout <seconds>',
    kind: 'whole',
    least: 2,
    group: 'rest',
    sentence:
      'how long a hook may take (default: 10; 15 at session start), of which a tool has at most 5 (10)',
    inConfig: true,
  },
  lenient: {
    flag: '--lenient',
    kind: 'yes',
    group: 'rest',
    sentence: 'skip invalid declarations and use the rest',
    default: false,
  },
  /** Allows control, bidirectional, zero-width and tag characters in declared texts. */
  allowInvisible: {
    flag: '--allow-invisible',
    kind: 'yes',
    group: 'rest',
    sentence: 'accept control, bidirectional and other invisible characters',
    default: false,
  },
  /** Where hooks are installed: in the clients' settings, or as a plugin on clients that load plugins by themselves. */
  target: {
    flag: '--target <settings|plugin>',
    kind: 'choice',
    of: ['settings', 'plugin'],
    group: 'rest',
    sentence: "the clients' settings (default), or a plugin where a client loads one itself",
    default: 'settings',
  },
} as const satisfies Record<string, OptionRow>;

type OptionTable = typeof OPTIONS;
export type OptionName = keyof OptionTable;
type ValueOf<Row> = Row extends { of: readonly (infer V)[] }
  ? V
  : Row extends { kind: 'whole' }
    ? number
    : Row extends { kind: 'yes' }
      ? boolean
      : string[];
type WithDefault = { [K in OptionName]: OptionTable[K] extends { default: unknown } ? K : never }[OptionName];

export type InstallOptions = { -readonly [K in WithDefault]: ValueOf<OptionTable[K]> } & {
  -readonly [K in Exclude<OptionName, WithDefault>]?: ValueOf<OptionTable[K]>;
};

export const OPTION_ROWS = Object.entries(OPTIONS) as [OptionName, OptionRow][];

/** Returns the name of an option on the command line and in the configuration file, e.g. `max-priority`. */
export const optionName = ({ flag }: Pick<OptionRow, 'flag'>): string => flag.replace(/^--([a-z-]+).*/, '$1');

export const DEFAULT_OPTIONS = Object.fromEntries(
  OPTION_ROWS.flatMap(([name, row]) => ('default' in row ? [[name, row.default]] : [])),
) as unknown as InstallOptions;

/** Options of earlier versions, which no longer affect anything, with the defaults that they had. */
const RETIRED: Readonly<Record<string, Pick<OptionRow, 'flag' | 'default' | 'inConfig'>>> = {
  maxText: { flag: '--max-text', default: 8_000, inConfig: true },
  maxDeclarations: { flag: '--max-declarations', default: 64, inConfig: true },
  codexFile: { flag: '--codex-file' },
};
export const RETIRED_NAMES = Object.keys(RETIRED);
/** Keys of earlier versions' configuration files. */
export const RETIRED_KEYS: readonly string[] = Object.values(RETIRED)
  .filter((row) => row.inConfig)
  .map(optionName);

const DEFAULTS: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(Object.entries(RETIRED).map(([name, row]) => [name, row.default])),
  ...DEFAULT_OPTIONS,
};

/**
 * Returns the options that differ from the defaults, so that an option added by a later version changes no digest.
 * Retired options stay, because the digest of what was approved includes them.
 */
export function chosenOptions(options: Readonly<Record<string, unknown>>): Partial<InstallOptions> {
  const entries = Object.entries(options).filter(([name, value]) => {
    const usual = DEFAULTS[name];
    return value !== usual && canonicalJson(value) !== canonicalJson(usual);
  });
  return Object.fromEntries(entries) as Partial<InstallOptions>;
}

/** Returns an option and its value as words of a command line. */
export const flagWords = (row: OptionRow, value: unknown): string[] => [
  `--${optionName(row)}`,
  ...(row.kind === 'yes' || row.kind === 'grant' ? [] : [String(value)]),
];

/** Hook numbers start at 1. */
export const isHookNumber = (name: string): boolean => /^[1-9]\d*$/.test(name);

/** Returns events and hook numbers as they are recorded: each once, the events first, by the alphabet. */
export function recordedChoice(names: readonly string[]): string[] {
  const rank = (name: string): number => (isHookNumber(name) ? Number(name) : 0);
  return [...new Set(names)].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

/** True when options, also recorded ones, are equal, whichever of them are written down. */
export const sameOptions = (
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
): boolean => comparable(a) === comparable(b);

/** Returns options as text. Earlier versions recorded hooks in the order in which they were named. */
function comparable(options: Readonly<Record<string, unknown>>): string {
  const chosen: Record<string, unknown> = chosenOptions(options);
  for (const key of ['only', 'skip'])
    if (Array.isArray(chosen[key])) chosen[key] = recordedChoice(chosen[key].map(String));
  return canonicalJson(chosen);
}

/**
 * Digest in the path of a shim: 16 hex digits over the approved declarations, options and client, independent of
 * mcphooks' version.
 */
export function approvalDigest(
  declarations: readonly Declaration[],
  options: InstallOptions,
  client: ClientId,
): string {
  const shaping: Record<string, unknown> = chosenOptions(options);
  // The place of the entries doesn't change what they do.
  for (const place of ['target', 'codexFile']) delete shaping[place];
  return sha256(canonicalJson({ declarations, options: shaping, client })).slice(0, 16);
}
