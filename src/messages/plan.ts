import { listed } from '../base/listed.ts';
import { ranges } from '../base/ranges.ts';
import { oneLine } from '../base/visible.ts';
import { commandOn, some, thousands } from './words.ts';

export const countOf = (n: number, what: string): string => `${thousands(n)} ${what}${n === 1 ? '' : 's'}`;

/** Returns how many hooks a plan has, of all that are declared. */
export const hooksOf = (n: number, all: number): string =>
  n === all ? countOf(n, 'hook') : `${n} of ${countOf(all, 'hook')}`;

const entries = (n: number): string => `${n} ${n === 1 ? 'entry' : 'entries'}`;

/**
 * Returns where the calls of hooks go and what they send. `host`: of a server that isn't started here; `keeps`: the
 * server stays running between calls.
 */
export function callsText(sent: readonly string[], host: string | undefined, keeps: boolean): string {
  const start = `${keeps ? 'The first call' : 'Each call'} starts another copy of this server here`;
  const where = host === undefined ? start : `Each call goes to ${oneLine(host)}`;
  const data = sent.length > 0 ? sent.join(', ') : 'no session data';
  return `hooks marked → call a tool. ${where}${keeps ? ', and each' : ' and'} sends it ${data}. The answer can't be previewed.`;
}

export const disabledText = (server: string): string =>
  `Disabled: its hooks give no text until '${commandOn('enable', { name: server })}'`;

export const insteadText = (client: string, other: string): string =>
  `No longer in ${client}: hooks there use the definition from ${other}`;

export const changedText = (changed: readonly string[]): string =>
  `Changed since you approved it: ${changed.join(', ')}`;

/** Returns a definition with its place; `file`: undefined for one of the command line. */
export const definedIn = (shown: string, file: string | undefined): string =>
  `${shown}   (${file === undefined ? 'given on the command line' : `in ${file}`})`;
export const HIDDEN_DIFFERENCE = '(reads the same, but a value that is not shown differs, or how it is used)';

export const NO_DEFINITION = 'no definition';
export const NO_OPTIONS = 'no options';
/** Heading of a change of `serverInfo.name`, by which hooks name the server. */
export const OWN_NAME = "the server's own name, which its hooks use";

/** Returns the title of a declaration's changes; `n`: its number now. */
export const hookTitle = (how: 'changed' | 'new', n: number): string => `hook ${n}: ${how}`;
/** Returns the title of a declaration that only changed its place; `from`: its number before. */
export const movedTitle = (n: number, from: number): string =>
  `hook ${n}: was hook ${from}, otherwise unchanged`;
export const NO_LONGER_DECLARED = 'no longer declared';

/** Returns which hooks were approved before: `known` of `all`. */
export function approvedText(known: readonly number[], all: number): string {
  const whole = { 1: 'Its hook', 2: 'Both hooks' }[all] ?? `All ${all} hooks`;
  const which = known.length < all ? ranges(known) : whole;
  return `${which}: as approved`;
}

/** Returns what user data the templates contain that a hook sends. */
export function sentText(templates: readonly string[]): string {
  const prompt = templates.includes('{prompt}') ? ['your prompts'] : [];
  const tools = templates.length > prompt.length ? ['tool inputs and outputs'] : [];
  return `sends ${templates.join(' and ')}: ${[...tools, ...prompt].join(' and ')} go to this server`;
}

/** Returns the file that hooks are from. `unchecked`: its server was not asked for its tools. */
export const fromFile = (file: string, unchecked: boolean): string =>
  `from ${file}${unchecked ? ', not checked with the server (--no-check)' : ''}`;

/** Returns where a server declares hooks; `name`: its own, if it differs from the client's. */
export const declaredText = (place: string, name?: string): string =>
  `declared${name === undefined ? '' : ` by '${name}'`}${place && ` in capabilities.${place}`}`;

/** On the files of a plan. */
export const NO_FILES = 'No file changes.';
export const NOTHING_ELSE = 'Nothing else in these files changes; --verbose shows the exact lines.';

export const alteredText = (names: readonly string[]): string => `missing or changed: ${some(names, 4)}`;

export const keptText = (event: string): string =>
  `the entry for ${event} was edited by hand and stays as it is`;

/** On an edited entry that is updated; `members`: what of it stays. */
export const staysText = (event: string, members: readonly string[]): string =>
  `the entry for ${event} was edited by hand: ${members.join(', ')} ${members.length === 1 ? 'stays' : 'stay'} as edited`;

export const movedText = (n: number, file: string): string => `remove ${entries(n)} from ${file}`;

export const leftText = (events: readonly string[]): string =>
  `left there because edited by hand: ${events.join(', ')} (no effect without their hook script)`;

const CHANGES = { added: '', replaced: 'update ', removed: 'remove ' } as const;

/** Returns the native events at which entries change in one way. */
export const entriesText = (how: keyof typeof CHANGES, events: readonly string[]): string =>
  `${CHANGES[how]}${entries(events.length)}: ${events.join(', ')}`;

/** `counts`: how many of our own files come and go. */
export const ownCounts = (counts: string): string =>
  `${counts} (hook scripts, their texts, mcphooks' own record)`;

export const sameAs = (path: string): string => `same as ${path}, except for these lines:`;

/** On what an uninstall removes; `clients`: the only ones, if any; `partly`: a fault keeps the rest. */
export function removalTitle(
  server: string,
  clients: readonly string[],
  dryRun: boolean,
  partly: boolean,
): string {
  const removed = partly ? 'completely removed' : 'removed';
  const how = dryRun ? `would${partly ? ' not' : ''} be` : partly ? 'not' : '';
  const only = clients.length > 0 ? `for ${listed(clients)}` : '';
  return ['Hooks of', oneLine(server), only, how, removed].filter(Boolean).join(' ');
}

/** `n`: entries that go; `whole`: the file goes, too. */
export const removedText = (n: number, whole: boolean): string =>
  whole ? '- the file, which mcphooks created' : n === 0 ? 'no entries' : `- ${entries(n)}`;

export const OFF_NAMES_REMOVED = 'removed from its list of disabled hooks';

export const keptAt = (place: string, event: string): string =>
  `~ ${place} keeps ${event}, which was edited by hand`;

export const otherCommandAt = (place: string, event: string): string =>
  `! ${place} keeps a hook for ${event} whose command names these scripts, and was not written by mcphooks: if it runs them, remove it by hand`;

export const ownRemoved = (files: number): string => `- ${countOf(files, 'file')} of its own`;

export const ONLY_RECORDED = '- their record; their entries and scripts were gone already';

export const UNRECORDED =
  "Without a record, mcphooks can't tell which of these entries were edited by hand, and takes them for unedited. Lists and folders that only held them may stay, empty, since it can't tell who made these.";

export const WHAT_STAYS =
  'What stays has no effect without its hook script. Remove it by hand, or with --edited (--dry-run shows it first).';
