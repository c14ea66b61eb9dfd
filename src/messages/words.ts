import { listed } from '../base/listed.ts';
import { HERE } from '../base/platform.ts';
import { oneLine } from '../base/visible.ts';
import type { FaultArgs, Where } from './args.ts';

/** Two sentences on a Fault: what is wrong, and what to do. `a`: the Fault's arguments. */
export interface Wording<Args = FaultArgs> {
  what(a: Args): string;
  fix?(a: Args): string;
}

/** The wording of each code, by its arguments. */
export type Wordings<ArgsOf> = { [Code in keyof ArgsOf]: Wording<ArgsOf[Code]> };

/** Returns a list's first hundred: a server's schema, or a repository's file, may hold any number of names. */
export const list = (v: FaultArgs[string] | undefined): string => some(v, 100);

/** Returns the first of a list, `most` of them, and how many more there are. */
export function some(v: FaultArgs[string] | undefined, most = 5): string {
  if (!Array.isArray(v)) return String(v ?? '');
  const first = v.slice(0, most).join(', ');
  return v.length > most ? `${first} and ${v.length - most} more` : first;
}

/** Returns a server's name, with the scope of its install where that isn't the user's own. */
export const serverAt = (server: string, scope = 'user'): string =>
  `${oneLine(server)}${scope === 'user' ? '' : ` (${scope})`}`;

/** Says which other servers a finding holds for. `repeats`: the step for it is for one server. */
export const alsoConcerns = (servers: readonly string[], repeats: boolean): string => {
  const most = servers.length > 10 ? [...servers.slice(0, 10), `${servers.length - 10} more`] : servers;
  const each = servers.length > 1 ? 'the name of each' : 'that name';
  return `This also concerns ${listed(most)}${repeats ? `; repeat the command with ${each}` : ''}.`;
};

/** Returns a time (ISO 8601, in UTC) by the minute, as people read it; anything else as it is. */
export const minute = (time: FaultArgs[string] | undefined): string =>
  String(time).replace(/^([-\d]+)T(\d\d:\d\d)[:.\d]*Z$/, '$1 $2 UTC');

/** Says of a server that it has no tools to list, or with which error it refuses to list them. */
export const listsNone = ({ refusal }: FaultArgs): string =>
  refusal === undefined ? 'lists no tools' : `refuses to list its tools: ${refusal}`;

/** Says that a hook fires on every tool call, or on each that meets its conditions. */
export const everyToolCall = ({ conditions }: FaultArgs): string =>
  `fires on every tool call${list(conditions) && ` that meets ${list(conditions)}`}`;

export const NO_DECLARATIONS: Wording = {
  what: () => 'its list of declarations is empty',
  fix: () => 'Add at least one; docs/authors.md shows how.',
};

/** What is wrong with the name of a tool, as `lint` warns and a plan remarks. */
export const notAGlob = ({ name }: FaultArgs): string =>
  `'${name}' is neither a possible tool name nor a glob`;
export const noClientHas = ({ name }: FaultArgs): string => `mcphooks knows no tool named '${name}'`;
export const listsNoTool = ({ name }: FaultArgs): string => `the server lists no tool '${name}'`;

/** Returns a suggestion: the nearest name, else the known names, else nothing. */
export function nearOrKnown(a: FaultArgs, known: string): string | undefined {
  if (a.near) return `Did you mean '${a.near}'?`;
  return Array.isArray(a.known) && a.known.length > 0 ? `${known}: ${list(a.known)}.` : undefined;
}

/** Sentences on why a file can't be read, mostly by the system's error code. */
const SYSTEM: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'its path leads through something that is not a folder',
  EISDIR: 'it is a folder',
  NOT_A_FILE: 'it is not a regular file',
  LINK: "mcphooks doesn't follow links in a project",
  TOO_LARGE: 'it is larger than 16 MB, the limit',
  TOO_MUCH: 'the files that were searched before it have 16 MB together, the limit',
  EACCES: 'no permission',
  EPERM: 'no permission',
  UTF8: 'it is not UTF-8',
  ELOOP: 'its symlinks form a loop',
};

export const unreadableText = ({ reason }: FaultArgs): string =>
  `can't be read: ${SYSTEM[String(reason)] ?? reason}`;

/**
 * Returns a name as one word of a command line. What can't be shown is written as the shell reads it in $'…' (not only
 * bash does), on Windows as PowerShell reads it.
 */
export function word(name: FaultArgs[string] | undefined, windows = HERE.windows): string {
  const text = String(name);
  // PowerShell reads a list at `,`, and a variable behind a leading `@`.
  if ((windows ? /^[\w:./+-]+$/ : /^[\w@:.,/+-]+$/).test(text)) return text;
  const isShown = oneLine(text) === text;
  if (windows) return windowsWord(text, isShown);
  if (isShown) return `'${text.replaceAll("'", "'\\''")}'`;
  const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`;
  const escaped = (part: string): string => [...Buffer.from(part)].map(octal).join('');
  return `$'${text
    .replace(/[\\']/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replace(/[^ -~]/gu, escaped)}'`;
}

export const commandWords = (all: readonly string[]): string => all.map((one) => word(one)).join(' ');

/**
 * Returns a word that runs nothing in PowerShell, cmd and bash, whichever it is pasted into. cmd knows no quotes but ", in
 * which the others replace $ and `; PowerShell takes typographic quotes for plain ones.
 */
function windowsWord(text: string, isShown: boolean): string {
  if (isShown && !/["$`\u201c-\u201e]/.test(text)) return `"${text.replace(/\\+$/, '$&$&')}"`;
  if (isShown && !/["&|<>^%]/.test(text)) return `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
  // Windows PowerShell passes a " on as it is, and the program takes it for the end of the word.
  const units = text.replace(/(\\*)"/g, '$1$1\\"').split('');
  return `(-join[char[]](${units.map((unit) => unit.charCodeAt(0)).join(',')}))`;
}

/** Returns the arguments that `commandOn` needs for a name under another key; `scope`: only where it is given. */
export const named = (a: FaultArgs, key = 'name', scope?: string): FaultArgs => ({
  ...(a[key] !== undefined && { name: a[key] }),
  ...(a[wordKey(key)] !== undefined && { [wordKey('name')]: a[wordKey(key)] }),
  ...(scope !== undefined && { scope }),
});

/** Key of the argument with the word for a name that can't be shown as it is. */
const wordKey = (key: string): string => `${key} as a word`;

/** Returns the name in a Fault as one word of a command line. */
export const wordOf = (a: FaultArgs): string => String(a[wordKey('name')] ?? word(a.name));

/**
 * Returns a command on a server, to paste; every suggested command comes from here. `a`: the server's name, and its
 * scope for a command that acts at one. `event`: a second argument. A name that begins with a hyphen stands behind
 * `--`, so that it is no option.
 */
export function commandOn(verb: string, a: FaultArgs, options = '', event = ''): string {
  const scope = a.scope && a.scope !== 'user' ? `--scope ${a.scope}` : '';
  const own = a.name === undefined ? '' : wordOf(a);
  const words = String(a.name).startsWith('-')
    ? [scope, options, '--', own, event]
    : [scope, own, event, options];
  return ['mcphooks', verb, ...words].filter(Boolean).join(' ');
}

/** Returns the commands that remove the hooks of a client: of one server, or of all in each scope. */
export const removing = (a: FaultArgs): string =>
  (Array.isArray(a.scopes) ? a.scopes : [])
    .map((scope) =>
      commandOn(
        'uninstall',
        named(a, 'name', scope),
        `${a.name === undefined ? '--all ' : ''}--client ${a.id}`,
      ),
    )
    .join(', ');

/** Returns the command that updates an install. `a.from`: the client that it must name. */
export const updating = (a: FaultArgs, options = ''): string =>
  commandOn('install', a, [...(a.from ? [`--from ${a.from}`] : []), options].filter(Boolean).join(' '));

/** Returns the step that approves what changed. */
export const approving = (a: FaultArgs): string =>
  `${updating(a)}: read what changed, then approve it${a.from ? ' (other clients define the server differently)' : ''}`;

/** Returns the command that brings back what was approved: of a project, what its lock file holds. */
export const restoring = (a: FaultArgs): string =>
  commandOn('install', a, a.scope === 'project' ? '--frozen' : '');

/** Returns what undoes an edit by hand. An uninstall would forget the options and the other clients, too. */
export const orUnedited = (install: string): string =>
  `nothing to do if that is intended; else remove each edited entry from its file, then ${install}`;

/** Returns what can be done with entries without a record; `quote`: around each command. */
export function adopting(a: FaultArgs, quote = ''): string {
  const command = (verb: string, options = ''): string =>
    `${quote}${commandOn(verb, a, `--client ${a.client}${options}`)}${quote}`;
  return `${command('install')} adopts them (with --declarations <file> or --catalogue, if they came from there, and the other options of that install), ${command('uninstall', ' --edited')} shows and removes them, edited or not${a.scope === 'project' ? '; if the lock file had them, restore it from git' : ''}`;
}

/** Before a command that needs the server's definition. */
export const FIRST_DEFINITION = "First bring back the server's definition.";

/** Before the command that approves again what a lock file that was altered holds. */
export const RESTORE_LOCK = 'Restore the lock file from git, or review and approve again';

export const entries = (a: FaultArgs): string =>
  a.all === 1 ? 'the entry' : a.n === a.all ? `all ${a.all} entries` : `${a.n} of ${a.all} entries`;
export const are = (a: FaultArgs): string => (a.n === 1 ? 'is' : 'are');
export const them = (a: FaultArgs): string => (a.n === 1 ? 'it' : 'them');

/**
 * Makes arguments safe to show. They may come from servers and strangers' files, and must not add lines or terminal
 * sequences.
 */
export function shownArgs(args: FaultArgs): FaultArgs {
  const shown = (v: FaultArgs[string]): FaultArgs[string] =>
    typeof v === 'string' ? oneLine(v) : typeof v === 'number' ? v : v.map(oneLine);
  const words = Object.entries(args).flatMap(([key, value]) =>
    typeof value === 'string' && shown(value) !== value ? [[wordKey(key), word(value)]] : [],
  );
  return Object.fromEntries([...Object.entries(args).map(([key, value]) => [key, shown(value)]), ...words]);
}

/** Returns `file:line:column`, a JSON path, or both; empty for a Fault without a place. */
export function whereText(w: Where): string {
  const file = w.file && [w.file, w.line, w.column].filter((x) => x !== undefined).join(':');
  return oneLine([file, w.path].filter(Boolean).join(' '));
}

/** Names the variables of a server's definition that aren't set: often the reason. */
function unsetText({ unset }: FaultArgs): string {
  if (!Array.isArray(unset) || unset.length === 0) return '';
  // '' is a name that may be a secret.
  const names = unset.filter((name) => name !== '');
  if (names.length === 0) return "A variable that its definition refers to isn't set here. ";
  const one = names.length === 1;
  return `The variable${one ? '' : 's'} ${list(names)} ${one ? "isn't" : "aren't"} set here. `;
}

export function wordsOf({ what, fix }: Wording, given: FaultArgs): { what: string; fix?: string } {
  const args = shownArgs(given);
  return { what: what(args), ...(fix && { fix: unsetText(args) + fix(args) }) };
}

export function textOf(wording: Wording, args: FaultArgs, place: Where): string {
  const where = whereText(place);
  const { what, fix } = wordsOf(wording, args);
  return `${where ? `${where}: ` : ''}${what}${fix === undefined ? '' : `\n  ${fix}`}`;
}

/** Returns a whole number with commas: `10,000`. */
export const thousands = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',');

/** Says where conditions are allowed. */
export const WHEN_PLACES =
  'Conditions are allowed in capabilities.extensions["io.github.mcphooks/hooks"], in declarations files and in catalogue entries. In a server\'s other places, leave out \'when\', and hooks with "otherwise": "drop".';
