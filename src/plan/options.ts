import { sha256 } from '../base/sha256.ts';
import type { ClientId } from '../clients/client.ts';
import { canonicalJson } from '../declarations/canonical-json.ts';
import { type Declaration, PRIORITIES } from '../declarations/types.ts';

/** How an option's value is written. */
export type OptionKind =
  | { kind: 'choice'; of: readonly string[] }
  /** A whole number from `least` to 1,000,000. */
  | { kind: 'whole'; least: number }
  | { kind: 'yes' }
  /** A comma-separated list of events and of numbers of the plan. */
  | { kind: 'hooks' }
  /** The second value, given by naming the server, so that it is never given by mistake. */
  | { kind: 'grant'; of: readonly [string, string] };

/** One option of `install` that shapes what is compiled and is remembered per server. */
export type OptionRow = OptionKind & {
  /** As the command line has it, e.g. `--cooldown <seconds>`. */
  flag: string;
  /** The heading on the page of help. */
  group: 'hooks' | 'approval' | 'rest';
  /** For the page of help and the schema of the configuration file. */
  sentence: string;
  /** Absent: nothing is chosen. */
  default?: unknown;
  /** The configuration file may hold a default for it. */
  inConfig?: true;
};

/** All of them, in the order of the page of help; defaults of the contract ("Commands"). */
export const OPTIONS = {
  only: {
    flag: '--only <hooks>',
    kind: 'hooks',
    group: 'hooks',
    sentence: 'only these events, or numbers of the plan',
    default: [],
  },
  skip: { flag: '--skip <hooks>', kind: 'hooks', group: 'hooks', sentence: 'all but these', default: [] },
  /** Seconds. */
  cooldown: {
    flag: '--cooldown <seconds>',
    kind: 'whole',
    least: 0,
    group: 'hooks',
    sentence: 'a hook that fired is silent this long in its session',
    default: 0,
    inConfig: true,
  },
  maxPriority: {
    flag: '--max-priority <priority>',
    kind: 'choice',
    of: PRIORITIES,
    group: 'hooks',
    sentence: 'lower what a server calls more urgent (default: important)',
    default: 'important',
    inConfig: true,
  },
  sessionEnd: {
    flag: '--session-end <skip|defer>',
    kind: 'choice',
    of: ['skip', 'defer'],
    group: 'hooks',
    sentence: 'leave such hooks out (default), or give their text to the next session',
    default: 'skip',
    inConfig: true,
  },
  postRequest: {
    flag: '--post-request <defer|skip>',
    kind: 'choice',
    of: ['defer', 'skip'],
    group: 'hooks',
    sentence: 'give their text with the next prompt (default), or leave them out',
    default: 'defer',
    inConfig: true,
  },
  sendToolData: {
    flag: '--send-tool-data',
    kind: 'yes',
    group: 'approval',
    sentence: 'let hooks send the server what tools are given and answer, and prompts',
    default: false,
  },
  /** `mcp_tool`: the client calls the server's tool itself, where that delivers. */
  handler: {
    flag: '--grant-control <server>',
    kind: 'grant',
    of: ['shim', 'mcp_tool'],
    group: 'approval',
    sentence: 'let the client call its tools itself: their answers may control the agent',
    default: 'shim',
  },
  /** Seconds; undefined: per event. */
  hookTimeout: {
    flag: '--hook-timeout <seconds>',
    kind: 'whole',
    least: 2,
    group: 'rest',
    sentence: 'how long a client waits for a hook (default: 10; 15 at session start)',
    inConfig: true,
  },
  lenient: {
    flag: '--lenient',
    kind: 'yes',
    group: 'rest',
    sentence: 'leave faulty declarations out, and use the rest',
    default: false,
  },
  /** Allow control, bidirectional, zero-width and tag characters in declared texts. */
  allowInvisible: {
    flag: '--allow-invisible',
    kind: 'yes',
    group: 'rest',
    sentence: 'accept control, bidirectional and other invisible characters',
    default: false,
  },
  /** Entries in the clients' settings, or a plugin where the client loads one by itself. */
  target: {
    flag: '--target <settings|plugin>',
    kind: 'choice',
    of: ['settings', 'plugin'],
    group: 'rest',
    sentence: "the clients' settings (default), or a plugin where a client loads it itself",
    default: 'settings',
  },
} as const satisfies Record<string, OptionRow>;

type Table = typeof OPTIONS;
export type OptionName = keyof Table;
type ValueOf<Row> = Row extends { of: readonly (infer V)[] }
  ? V
  : Row extends { kind: 'whole' }
    ? number
    : Row extends { kind: 'yes' }
      ? boolean
      : string[];
type WithDefault = { [K in OptionName]: Table[K] extends { default: unknown } ? K : never }[OptionName];

/** The options of one install. */
export type InstallOptions = { -readonly [K in WithDefault]: ValueOf<Table[K]> } & {
  -readonly [K in Exclude<OptionName, WithDefault>]?: ValueOf<Table[K]>;
};

export const OPTION_ROWS = Object.entries(OPTIONS) as [OptionName, OptionRow][];

/** The name of an option on the command line and in the configuration file, e.g. `max-priority`. */
export const optionName = ({ flag }: Pick<OptionRow, 'flag'>): string => flag.replace(/^--([a-z-]+).*/, '$1');

export const DEFAULT_OPTIONS = Object.fromEntries(
  OPTION_ROWS.flatMap(([name, row]) => ('default' in row ? [[name, row.default]] : [])),
) as unknown as InstallOptions;

/** Options of earlier versions, which shape nothing any more, and what they were where nobody chose. */
const RETIRED: Readonly<Record<string, unknown>> = {
  maxText: 8_000,
  maxDeclarations: 64,
  codexFile: undefined,
};
export const RETIRED_NAMES = Object.keys(RETIRED);

/**
 * Only what differs from the defaults, so that an option which a later version adds changes no digest. One of an earlier
 * version stays, since it is part of the digest of what was approved.
 */
export function chosenOptions(options: Readonly<Record<string, unknown>>): Partial<InstallOptions> {
  const defaults: Record<string, unknown> = { ...RETIRED, ...DEFAULT_OPTIONS };
  const entries = Object.entries(options).filter(
    ([name, value]) => canonicalJson(value) !== canonicalJson(defaults[name]),
  );
  return Object.fromEntries(entries) as Partial<InstallOptions>;
}

/** What stands in the path of a shim: 16 hex digits over what was approved, and nothing of mcphooks' version. */
export function approvalDigest(
  declarations: readonly Declaration[],
  options: InstallOptions,
  client: ClientId,
): string {
  const shaping: Record<string, unknown> = chosenOptions(options);
  // Where entries stand is no part of what they do.
  for (const place of ['target', 'codexFile']) delete shaping[place];
  return sha256(canonicalJson({ declarations, options: shaping, client })).slice(0, 16);
}
