import { InvalidArgumentError, Option } from 'commander';
import { CLIENT_IDS, type ClientId } from '../clients/client.ts';
import { PLUGIN_FORMATS } from '../clients/index.ts';
import { SCOPES, type ScopeName } from '../clients/scopes.ts';
import { EVENTS } from '../declarations/types.ts';
import {
  BAD_DATE,
  EMPTY,
  NO_HASH,
  noHook,
  noWhole,
  tooLong,
  tooShort,
  unknownName,
} from '../messages/command-line.ts';
import {
  type InstallOptions,
  isHookNumber,
  LARGEST_WHOLE,
  OPTION_ROWS,
  type OptionRow,
} from '../plan/options.ts';

/** One option of a command. */
export interface Flag {
  /** In commander's notation, e.g. `--scope <scope>`. */
  flag: string;
  sentence: string;
  /** The only valid values. */
  of?: readonly string[];
  /** Parses the typed value; throws `InvalidArgumentError`. `before`: the value from earlier uses of the option. */
  parse?: (value: string, before: never) => unknown;
  /** For completions: the possible values; `list`: several values may be joined by commas. */
  offers?: readonly string[];
  list?: true;
  required?: true;
  /** The option, or the action of the command, without which this one would do nothing. */
  needs?: string;
  /** Values of other options that this one sets where they aren't given. */
  implies?: Record<string, unknown>;
}

/** Options below one heading of a help page. */
export interface FlagGroup {
  heading?: string;
  flags: readonly Flag[];
}

/** Flags, as returned by commander, of the commands that make a plan. */
export interface CommonFlags extends Partial<Omit<InstallOptions, 'handler'>> {
  client?: ClientId[];
  from?: ClientId;
  url?: string;
  header?: string[];
  declarations?: string;
  /** True without an id. */
  catalogue?: string | true;
  /** False for --no-check. */
  check?: boolean;
  allowStart?: string[];
  grantControl?: string;
  offline?: boolean;
  reset?: boolean;
  timeout?: number;
  json?: boolean;
  scope?: ScopeName;
  frozen?: boolean;
  yes?: boolean;
  dryRun?: boolean;
  acceptChanged?: boolean;
  verbose?: boolean;
}

/** Parses a comma-separated list. An empty one, of a shell's variable that isn't set, must not mean "all". */
function collect(value: string): string[] {
  const names = value
    .split(',')
    .map((s) => s.trim())
    .filter(Boolean);
  if (names.length === 0) throw new InvalidArgumentError(EMPTY);
  return names;
}

/** Parses a comma-separated list of known names. */
const commaList =
  <T extends string>(known: readonly T[], what: string) =>
  (value: string, before: readonly T[] = []): T[] => [
    ...new Set([...before, ...collect(value).map(oneOf(known, what))]),
  ];

const oneOf =
  <T extends string>(known: readonly T[], what: string) =>
  (name: string): T => {
    const found = known.find((k) => k === name);
    if (!found) throw new InvalidArgumentError(unknownName(name, known, what));
    return found;
  };

const hooks = (value: string, before: readonly string[] = []): string[] => {
  const names = collect(value);
  const bad = names.find((n) => !(EVENTS as readonly string[]).includes(n) && !isHookNumber(n));
  if (bad !== undefined) throw new InvalidArgumentError(noHook(bad, EVENTS));
  return [...before, ...names];
};

/** Returns the number that digits write; NaN for other texts, some of which `Number` reads (`0x10`, an empty one). */
const digits = (text: string): number => (/^\d+$/.test(text) ? Number(text) : Number.NaN);

/** Parses a whole number of at least `least`. */
const whole =
  (least: number, most?: number) =>
  (value: string): number => {
    const n = digits(value);
    if (Number.isNaN(n) || n < least || n > (most ?? LARGEST_WHOLE))
      throw new InvalidArgumentError(noWhole(least, n > LARGEST_WHOLE ? (most ?? LARGEST_WHOLE) : most));
    return n;
  };

const SECONDS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600 };

/** Parses a time of at least `least` seconds: `300`, `300s`, `5m` or `1h`. Returns seconds. */
const seconds =
  (least: number) =>
  (value: string): number => {
    const [, number = '', unit = ''] = /^(.*?)([smh]?)$/s.exec(value) ?? [];
    const n = digits(number) * (SECONDS[unit] ?? 1);
    if (n > LARGEST_WHOLE) throw new InvalidArgumentError(tooLong(LARGEST_WHOLE));
    if (Number.isNaN(n) || n < least) throw new InvalidArgumentError(tooShort(least));
    return n;
  };

const MS: Readonly<Record<string, number>> = { m: 60e3, h: 3600e3, d: 86_400e3, w: 7 * 86_400e3 };

/** A time that is over: so long ago, in milliseconds, or a date (ISO 8601). */
export type Since = { ago: number } | { at: string };

/** A day; a time may follow, and its zone. */
const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ]([\d:.]+)(?: ?(Z|[+-]\d\d:?\d\d))?)?$/;

/** Parses `30m`, `12h`, `2d`, `1w` or a date; without a zone in UTC, as the log shows times. */
function since(value: string): Since {
  const [, number, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(value) ?? [];
  if (number !== undefined) return { ago: Number(number) * (MS[unit] ?? 0) };
  const [, day = '', time = '00:00', zone = 'Z'] = DATE.exec(value) ?? [];
  const at = Date.parse(`${day}T${time}${zone}`);
  // V8 takes 30 February for 2 March.
  if (Number.isNaN(at) || new Date(`${day}T00:00Z`).getUTCDate() !== Number(day.slice(8)))
    throw new InvalidArgumentError(BAD_DATE);
  return { at: new Date(at).toISOString() };
}

/** Returns when the time was, ISO 8601. */
export const sinceTime = (given: Since, now: string): string =>
  'at' in given ? given.at : new Date(Date.parse(now) - given.ago).toISOString();

function hash(value: string, before: readonly string[] = []): string[] {
  if (!/^[0-9a-f]{64}$/.test(value)) throw new InvalidArgumentError(NO_HASH);
  return [...before, value];
}

export const SINCE: Flag = {
  flag: '--since <time>',
  sentence: 'only what is newer: 30m, 12h, 2d, or a date in UTC (2026-11-01)',
  parse: since,
};
export const CLIENT: Flag = {
  flag: '--client <ids>',
  sentence: `only for these: ${CLIENT_IDS.join(', ')}`,
  parse: commaList(CLIENT_IDS, 'client'),
  offers: CLIENT_IDS,
  list: true,
};
/** Of a command that plans an install, which never drops a client. */
export const INSTALL_CLIENT: Flag = {
  ...CLIENT,
  sentence: `for these, and those that have the hooks: ${CLIENT_IDS.join(', ')}`,
};
/** The scope: the user's own files, the project's committed files, or the user's own files for this project. */
export const SCOPE: Flag = {
  flag: '--scope <scope>',
  sentence: 'user: all your projects; project: committed for the team; local: you, in this project',
  of: SCOPES,
};
export const FORMATS: Flag = {
  flag: '--format <formats>',
  sentence: `${PLUGIN_FORMATS.join(', ')}; several, if no file of one differs from another's`,
  parse: commaList(PLUGIN_FORMATS, 'format'),
  offers: PLUGIN_FORMATS,
  list: true,
  required: true,
};
export const TIMEOUT: Flag = {
  flag: '--timeout <seconds>',
  sentence: 'for connecting to the server (default: 30)',
  parse: seconds(1),
};
/** Seconds that `catalogue verify` gives a server by default: a package runner may have to install it first. */
export const VERIFY_SECONDS = 120;
export const ALLOW_START: Flag = {
  flag: '--allow-start <hash>',
  sentence: 'allow starting a server that a project file defines; repeatable',
  parse: hash,
};
const RESET: Flag = {
  flag: '--reset',
  sentence: 'forget the options and the choice of clients of earlier installs',
};
export const JSON_FLAG: Flag = { flag: '--json', sentence: 'one JSON document on stdout' };
export const DRY_RUN: Flag = { flag: '--dry-run', sentence: 'show the plan, write nothing, ask nothing' };
export const VERBOSE: Flag = {
  flag: '--verbose',
  sentence: 'show every line, and what stays unchanged',
};
export const YES: Flag = { flag: '-y, --yes', sentence: 'approve the plan that is shown' };

/** Returns the flag for an option of an install. */
function flagOf(row: OptionRow): Flag {
  const { flag, sentence } = row;
  switch (row.kind) {
    case 'choice':
      return { flag, sentence, of: row.of };
    case 'whole':
      return {
        flag,
        sentence: row.examples ? `${sentence}: ${row.examples}` : sentence,
        parse: flag.endsWith('<seconds>') ? seconds(row.least) : whole(row.least, row.most),
      };
    case 'hooks':
      return { flag, sentence, parse: hooks, offers: EVENTS, list: true };
    default:
      return { flag, sentence };
  }
}

const optionsIn = (group: OptionRow['group'], names?: readonly (keyof InstallOptions)[]): Flag[] =>
  OPTION_ROWS.filter(([name, row]) => row.group === group && (names?.includes(name) ?? true)).map(([, row]) =>
    flagOf(row),
  );

/** Options on which hooks to install, and when they print. */
export const HOOKS: FlagGroup = {
  heading: 'Which hooks, and when they give text:',
  flags: optionsIn('hooks'),
};
export const SOURCE: FlagGroup = {
  heading: 'Where the server and its hooks come from:',
  flags: [
    {
      flag: '--from <client>',
      sentence: "which client's server definition to use when they differ",
      parse: oneOf(CLIENT_IDS, 'client'),
      offers: CLIENT_IDS,
    },
    { flag: '--url <url>', sentence: 'reach the server here (Streamable HTTP)' },
    {
      flag: '--header <header>',
      sentence: "with --url, e.g. 'Authorization: Bearer ${TOKEN}'; repeatable",
      parse: (value: string, before: readonly string[] = []) => [...before, value],
    },
    { flag: '--declarations <file>', sentence: 'take the hooks from a JSON file instead' },
    {
      flag: '--catalogue [id]',
      sentence: 'if the server declares none: use hooks from its package or the catalogue',
    },
    { flag: '--no-check', sentence: 'with --declarations: do not start the server to check its tools' },
    TIMEOUT,
  ],
};
const approvals = (flags: readonly Flag[]): FlagGroup => ({
  heading: 'To approve without being asked:',
  flags: [...flags, ALLOW_START],
});
export const APPROVALS = approvals(optionsIn('approval'));
/** Options of approval, for commands without the client's own handler and without another target. */
export const FEW_APPROVALS = approvals(optionsIn('approval', ['sendToolData']));
export const START_APPROVAL = approvals([]);
const RARE = 'Rarely needed:';
export const REST: FlagGroup = { heading: RARE, flags: [RESET, ...optionsIn('rest')] };
export const LITTLE_REST: FlagGroup = {
  heading: RARE,
  flags: [RESET, ...optionsIn('rest', ['hookTimeout', 'lenient', 'allowInvisible'])],
};

/** Returns commander's option for a flag. */
export function optionFor({ flag, sentence, of, parse, required, offers, list, implies }: Flag): Option {
  const option = Object.assign(new Option(flag, sentence), { offers, list });
  if (required) option.makeOptionMandatory();
  if (of) option.choices(of);
  if (implies) option.implies(implies);
  const typed = parse ?? (option.required && !of ? notEmpty : undefined);
  if (typed) option.argParser(typed as (value: string, before: unknown) => unknown);
  return option;
}

function notEmpty(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError(EMPTY);
  return value;
}
