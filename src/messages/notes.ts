import { listed } from '../base/listed.ts';
import type { FaultArgs } from './args.ts';
import { HANDLER_NOTES } from './handler-notes.ts';
import { localSilent, projectSilent } from './overlaps.ts';
import { WHEN_NOTES } from './when-notes.ts';
import { commandOn, everyToolCall, list, notAGlob, shownArgs, word } from './words.ts';

/** Returns in words what provides hooks to a client besides an install, and which hooks, as far as that is known. */
function coverText({ by, where, hooks, n, otherDeclarations, disabled }: FaultArgs): string {
  const words: Readonly<Record<string, string>> = {
    user: 'your own install has hooks of this server',
    project: 'the project has hooks of this server',
    local: 'you have hooks of this server in this project (--scope local)',
  };
  const has = words[String(by)] ?? `the ${by} ${where} has hooks of this server`;
  const not = hooks === undefined ? '' : `, but not hook${n === 1 ? '' : 's'} ${hooks}`;
  const other = otherDeclarations ? ', from other declarations than these' : '';
  return `${has}${not}${other}${disabled ? '; they are disabled' : ''}`;
}

const catalogueOf = ({ project }: FaultArgs): string =>
  project ? "the project's catalogue" : 'the catalogue in this mcphooks';

const sharing = ({ name, names }: FaultArgs): string => listed([name, names].flat().map((one) => `'${one}'`));

/** Reasons for a hook's fidelity on a client: one line in the plan, in the user's terms. */
const NOTES = {
  'late.with-result': () => "read with the tool's result, not before it runs",
  'late.after-call': () => "read with the tool's result: the client accepts no text before a call",
  'late.tool-called-after': () => 'its tool is called only after the tool call that it is about',
  'deferred.next-prompt': () => 'kept when the turn ends, given with the next prompt of the same session',
  'deferred.next-session': () => "kept when the session ends, given when the project's next one starts",
  'text.ambiguous-server': (a: FaultArgs) =>
    `on this client the tools of ${sharing(a)} have the same names, so the model may find no tool by the name in its text, or the wrong one`,
  'text.angles': () => 'the model reads &lt; and &gt; for its < and >',
  'unsupported.session-end': () =>
    'the session has ended by then; --session-end defer gives it to the next one',
  'unsupported.client-holds-access': () =>
    "only the client can access this server (OAuth or a header helper), so a hook script can't call its tool",
  'unsupported.address': (a: FaultArgs) =>
    `it calls a tool, but the server's URL is not allowed (${a.reason}): use https, or http on this machine`,
  'runner.unpinned': (a: FaultArgs) =>
    `${a.runner} always runs the newest version of ${a.package}; to keep one version, name it (${a.example})`,
  'runner.unknown': (a: FaultArgs) => `${a.runner} runs what it fetches, so the version can't be known`,
  'runner.per-call': (a: FaultArgs) =>
    `each hook that calls a tool starts the server with ${a.runner}, which may have to install it first${a.install === '' ? '' : `; installed permanently (${a.install}), its own program starts faster`}`,
  'server.kept': (a: FaultArgs) =>
    `once a hook has called it, the server stays running ${a.minutes} ${a.minutes === 1 ? 'minute' : 'minutes'} after its last use, and hooks of all sessions call the same process. That suits a server that reads its data at each call; one that caches its data needs --keep-warm 0`,
  'server.not-kept': ({ folder, length, most }: FaultArgs) =>
    `--keep-warm has no effect here, and each hook that calls a tool starts the server: the path ${folder} is too long for a socket in it (${length} bytes, of at most ${most}). A shorter XDG_STATE_HOME makes it fit`,
  'server.never-kept': () =>
    '--keep-warm has no effect here: hooks reach this server by its URL, and start none',
  'server.renamed': (a: FaultArgs) =>
    `hooks of '${a.name}', a name that no client has any more, are installed from the same definition and give their texts, too; to remove them: ${commandOn('uninstall', a)}`,
  'server.renamed-on': (a: FaultArgs) =>
    `hooks of '${a.name}' are installed from the same definition in ${a.clients}, which ${a.count === 1 ? 'has' : 'have'} no server of that name, and give their texts there, too; to remove them there: ${commandOn('uninstall', a, `--client ${a.ids}`)}`,
  'server.one-project': () =>
    'this server is defined for one project, and its fixed texts are given in all of yours; --scope project or --scope local limits them to the project',
  'unsupported.no-definition': () =>
    'it calls a tool, but the server has no definition: add -- <command> or --url',
  'skipped.by-choice': () => 'not chosen',
  'skipped.empty-text': () => 'its text is empty',
  'skipped.post-request': () => 'left out by --post-request skip',
  'never.empty-name': () => 'an empty name matches no tool, so it never fires',
  'never.not-a-glob': (a: FaultArgs) =>
    `${notAGlob(a)}, so it never fires; ${a.inList ? 'list several tools one by one' : 'several tools need one hook each, or `when.tools`'}`,
  'never.no-such-server': (a: FaultArgs) => `this client has no MCP server '${a.name}', so it never fires`,
  'never.ambiguous-server': (a: FaultArgs) =>
    `on this client the tools of ${sharing(a)} have the same names, so it could fire for the wrong one`,
  'never.native-name': (a: FaultArgs) =>
    `'${a.name}' is a client's own tool name, but hooks use the common names (${a.names}), so it never fires`,
  'never.no-such-tool': (a: FaultArgs) => {
    const missing = a.since
      ? `since ${a.since} this client does not offer '${a.name}' to its model`
      : `this client has no tool like '${a.name}'`;
    return a.instead ? `${missing}; its model uses ${a.instead} instead` : missing;
  },
  'never.after-failure': () => 'not after a failed call: this client runs no hook then',
  ...WHEN_NOTES,
  'client.unknown': (a: FaultArgs) =>
    `its hooks for ${list(a.clients)} stay as they are: this version of mcphooks does not know that client`,
  'client.unchosen': (a: FaultArgs) =>
    `not for ${a.clients}, since the clients were chosen before; to add ${a.count === 1 ? 'it' : 'them'}: --client ${a.ids}`,
  'client.unread': (a: FaultArgs) => `${a.client} may have this server, but gets no hooks: ${a.problem}`,
  'client.unread-chosen': (a: FaultArgs) =>
    `${a.client} may have another definition of this server than the one that is used: ${a.problem}`,
  'catalogue.now-declares': (a: FaultArgs) =>
    `the server ${a.now ? 'now ' : ''}declares its own hooks, which are used instead of those from its package or the catalogue`,
  'server.declares-too': (a: FaultArgs) => {
    const one = a.count === 1;
    const use = commandOn('install', a, `--reset${a.by}`);
    const keep = a.now ? `; to keep those of the file: ${commandOn('install', a)}` : '';
    return `the server ${a.now ? 'now ' : ''}declares ${one ? '1 hook' : `${a.count} hooks`} itself, not used because of --declarations; to use ${one ? 'it' : 'them'} instead: ${use}${keep}`;
  },
  'catalogue.unproven': (a: FaultArgs) => {
    const shows = a.entry === undefined ? `starts ${a.package}` : `is the one of entry '${a.entry}'`;
    const why = a.gone
      ? `${catalogueOf(a)} has no entry '${a.entry}'`
      : `the definition of this server doesn't show that it ${shows}`;
    return a.same ? `${why}, whose texts these are` : `${why}, so the texts may be anybody's`;
  },
  'catalogue.newer': (a: FaultArgs) =>
    `${catalogueOf(a)} has other texts for it; to preview them: ${commandOn('install', a, `--catalogue ${word(a.entry)} --dry-run`)}`,
  'catalogue.package-newer': (a: FaultArgs) =>
    `its package ${a.package} now has other hooks; to preview them: ${commandOn('install', a, '--catalogue --dry-run')}`,
  'catalogue.package-withdrawn': (a: FaultArgs) =>
    `its package ${a.package} no longer brings hooks. Those installed stay until you remove them: ${commandOn('uninstall', a)}`,
  'catalogue.withdrawn': (a: FaultArgs) =>
    `catalogue entry '${a.entry}' was withdrawn on ${a.on}: ${a.reason}. Its hooks stay until you remove them: ${commandOn('uninstall', a)}`,
  'priority.lowered': (a: FaultArgs) =>
    `lowered from ${a.from} to ${a.to}; --max-priority ${a.from} keeps it`,
  'flag.every-tool': (a: FaultArgs) =>
    `${everyToolCall(a)}: neither a matcher${list(a.conditions) ? '' : ', a condition (`when`)'} nor --cooldown narrows it`,
  'budget.gives-way': (a: FaultArgs) =>
    a.length && !a.shared
      ? `cut: text and naming lines have ${a.length} ${a.unit}, and at most ${a.budget} are given`
      : `cut or dropped when all texts for the event fire at once: their common limit is ${a.budget} ${a.unit}`,
  'export.own-server': () =>
    "its tool is called on the plugin's own server, which the hook starts a second time",
  'export.known-server': (a: FaultArgs) =>
    `works only for users who configured '${a.name}' exactly like this; --with-server includes the server`,
  'export.heard': (a: FaultArgs) =>
    `only the ${a.textsUsed} text from hooks at ${a.native} is used${a.before ? ` before ${a.before}` : ''}: beside another plugin or an install, these or the others may be dropped there`,
  'export.counted': (a: FaultArgs) =>
    `all hook texts at ${a.native} share one limit there: another plugin or an install leaves less room for these`,
  'export.readme-kept': () =>
    'README.md is not from an export, or was edited since, and stays as it is; delete it to get one for these hooks',
  'export.variables': (a: FaultArgs) =>
    `the server gets ${list(a.names)} from each machine's environment: values are not exported`,
  ...HANDLER_NOTES,
  'heard.ours': (a: FaultArgs) =>
    `only the ${a.textsUsed} text from hooks at ${a.native} is used: from these, not from those in ${list(a.files)}`,
  'heard.theirs': (a: FaultArgs) =>
    `only the ${a.textsUsed} text from hooks at ${a.native} is used: from those in ${list(a.files)}, not from these`,
  'heard.halves': (a: FaultArgs) =>
    `all hook texts at ${a.native} share one limit: your servers and those of this project get ${a.half} each`,
  'target.none': (a: FaultArgs) =>
    `${a.client} loads no plugins from a folder by itself: its hooks go into its own file`,
  'target.already': (a: FaultArgs) => `${a.client} always loads its hooks as a one-file plugin`,
  'target.too-old': (a: FaultArgs) =>
    `${a.client} ${a.found} loads no plugins from this folder; ${a.since} or newer does`,
  'target.untrusted-too': () =>
    "an extension's hooks also run in folders that you don't trust, unlike hooks in settings",
  'across.covered': (a: FaultArgs) => `already covered: ${coverText(a)}`,
  'across.project-silent': projectSilent,
  'across.local-silent': localSilent,
  'across.user-speaks': () =>
    "you also have hooks of this server yourself; on this machine only those give text, not the project's",
  'across.twice': (a: FaultArgs) => `on this machine the texts appear twice: ${coverText(a)}`,
  'server.by-tool': (a: FaultArgs) =>
    `approximate: ${a.client} does not name the server, so a tool of ${list(a.names)} also counts if it has the same name as one of this server`,
  'server.untold': (a: FaultArgs) =>
    `approximate: ${a.client} does not name the server, so tools of ${list(a.names)} can't be told apart`,
  'client.hooks-off': (a: FaultArgs) =>
    `all its hooks are switched off by ${a.setting} = ${a.value} in ${a.file}, so none fires${a.system === 1 ? ": ask this machine's administrator" : `; to switch them on, set ${a.setting} to ${a.wanted}`}`,
  'version.source': (a: FaultArgs) => `based on ${a.client}'s source and documentation, never tested in it`,
  'version.runtime': (a: FaultArgs) =>
    `hook runtime tested (${a.of} ${a.oldest} to ${a.newest}), delivery to the model not tested`,
  'version.unproved': (a: FaultArgs) =>
    `${a.client} ${a.found} is untested (tested: ${a.oldest} to ${a.newest})`,
} satisfies Record<string, (a: FaultArgs) => string>;

export type NoteCode = keyof typeof NOTES;

/** A remark with a client's own sentence, kept in the client's folder. */
export interface OwnWords {
  code: string;
  text: string;
}

/** A remark in a plan: the reason for a hook's fidelity. */
export type Note = { code: NoteCode; args: FaultArgs } | OwnWords;

export function noteText(note: Note): string {
  if ('text' in note) return note.text;
  const wording: (a: FaultArgs) => string = NOTES[note.code];
  return wording(shownArgs(note.args));
}

const seconds = (time: number): string => `${(time / 1000).toFixed(1)} s`;

/**
 * Returns the sentence on the duration of a server's first two starts, next to the time that hooks wait. `ms` and
 * `nextMs` are absent while the package is being installed.
 */
export function firstCallText({
  runner,
  ms,
  nextMs,
  waitMs,
}: {
  runner: string;
  ms?: number;
  nextMs?: number;
  waitMs: number;
}): string {
  if (ms === undefined || nextMs === undefined)
    return `${runner} is still installing the server in the background. Hooks call its tools once that is done; try it then.`;
  const took = `The first call with ${runner} took ${seconds(ms)}, the next one ${seconds(nextMs)}; hooks wait ${waitMs / 1000} s.`;
  return nextMs < waitMs
    ? took
    : `${took} That is too slow for them: install the server permanently and use its own program.`;
}

/** Milliseconds of a start that are worth to be saved by keeping the server running. */
const SLOW_START_MS = 1_000;

/** Returns the proposal to keep an install's server running that takes `ms` to start; undefined for a fast one. */
export function keepWarmText(ms: number | undefined, server: string, scope: string): string | undefined {
  if (ms === undefined || ms <= SLOW_START_MS) return undefined;
  return `Each call of a hook starts the server, which took ${seconds(ms)}. If the server reads its data at each call, hooks can share one start: ${commandOn('install', { name: server, scope }, '--keep-warm 10')}`;
}

/** How a client's file spells a program: keys of an entry. */
interface Spelling {
  toml: boolean;
  /** Key of a list with program and arguments, in place of `command` and `args`. */
  argv?: string | undefined;
}

/** Returns the advice to start a server without its package runner, with the lines for the client's file. */
export function directText(
  { command, args, ms, cached }: { command: string; args: readonly string[]; ms: number; cached: boolean },
  { runner, nextMs }: { runner: string; nextMs: number },
  { file, server, toml, argv }: Spelling & { file: string; server: string },
): string {
  const quoted = (words: readonly string[]): string =>
    `[${words.map((one) => JSON.stringify(one)).join(', ')}]`;
  const values = argv
    ? [[argv, quoted([command, ...args])]]
    : [
        ['command', JSON.stringify(command)],
        ['args', quoted(args)],
      ];
  const lines = values.map(([key, value]) => (toml ? `  ${key} = ${value}` : `  "${key}": ${value}`));
  const where = cached
    ? ' The file is in the cache of npm, which `npm cache clean` or an update can move.'
    : '';
  return [
    `${runner} takes ${seconds(nextMs - ms)} of that; its program alone starts in ${seconds(ms)}.${where} To start it so, put these lines in place of the old ones of ${server} in ${file}, then install again:`,
    lines.join(toml ? '\n' : ',\n'),
  ].join('\n');
}

/** Sentence shown once while another mcphooks holds the lock. */
export function waitingText(file: string, pid: number | undefined): string {
  return `Waiting for another mcphooks${pid === undefined ? '' : ` (process ${pid})`} to finish; it holds ${file}`;
}

/** Steps that a user must take before hooks fire, on any client. */
const STEPS = {
  'plugin.node':
    'The hooks need node 20.17 or newer on the PATH of each machine; without it they give no text.',
  'local.ignored':
    'Keep the --scope local file out of git (.gitignore or .git/info/exclude): it contains paths on this machine.',
  'local.others': 'Clients that have no file for your own hooks in a project are left out.',
} as const;

/** A step for the user. Steps for one client are in the client's folder. */
export type NextStep = OwnWords;

export function commonStep(code: keyof typeof STEPS): NextStep {
  return { code, text: STEPS[code] };
}

/** Returns the step for a client whose lines in a project's files Windows starts only with Git Bash, or never. */
export function projectOnWindows(client: string, starts: 'git-bash' | 'never'): NextStep {
  return { code: 'project.windows', text: `On Windows, ${projectOnWindowsText(client, starts)}.` };
}

/** The same, as part of a sentence. */
export const projectOnWindowsText = (client: string, starts: string): string =>
  `${client} runs a project's hooks ${starts === 'never' ? 'never' : 'only with Git Bash'}, because its file has one line for all systems, which needs sh`;

/** How it is known what a client does. */
export const PROVED = {
  sessions: 'in sessions',
  runtime: 'by its runtime',
  source: 'from source',
} as const;
