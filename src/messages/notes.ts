import type { FaultArgs } from './args.ts';
import { WHEN_NOTES } from './when-notes.ts';
import { installed, list, shownArgs, word } from './words.ts';

/** Returns in words what provides hooks to a client besides an install. */
function coverText({ by, where }: FaultArgs): string {
  const words: Readonly<Record<string, string>> = {
    user: 'your own install gives these hooks here',
    project: 'the project has these hooks',
    local: 'you have these hooks in this project (--scope local)',
  };
  return words[String(by)] ?? `the ${by} ${where} gives these hooks`;
}

/** Reasons for a hook's fidelity on a client: one line in the plan, in the user's terms. */
const NOTES = {
  'late.with-result': () => "read with the tool's result, not before it runs",
  'late.after-call': () => "read with the tool's result: it takes no text before a call",
  'late.tool-called-after': () => 'its tool is called after the tool that it is about',
  'deferred.next-prompt': () => 'kept when the turn ends, given with the next prompt of the same session',
  'deferred.next-session': () => "kept when the session ends, given when the project's next one starts",
  'unsupported.session-end': () =>
    'the session is over by then; --session-end defer gives it to the next one',
  'unsupported.client-holds-access': () =>
    "only the client holds the access to this server (OAuth or a header helper), so a shim can't call its tool",
  'unsupported.address': (a: FaultArgs) =>
    `it calls a tool, and the server's address may not be reached (${a.reason}): https, or http on this machine`,
  'runner.unpinned': (a: FaultArgs) =>
    `${a.runner} runs whatever version of ${a.package} is newest at that time; name one (${a.example}) to stay with it`,
  'runner.unknown': (a: FaultArgs) => `${a.runner} runs what it fetches; which version that is can't be told`,
  'runner.per-call': (a: FaultArgs) =>
    `each hook that calls a tool starts it by ${a.runner}, which may have to install it first${a.install === '' ? '' : `; installed for good (${a.install}), it starts faster by its own program`}`,
  'unsupported.no-definition': () =>
    'it calls a tool, and nothing says how to reach the server: add -- <command> or --url',
  'skipped.by-choice': () => 'not chosen',
  'skipped.post-request': () => 'left out by --post-request skip',
  'never.no-such-server': (a: FaultArgs) =>
    `this client has no MCP server '${a.name}', so it could never fire`,
  'never.ambiguous-server': (a: FaultArgs) =>
    `this client gives the tools of '${a.name}' and of another server the same names, so it could fire for the wrong one`,
  'never.native-name': (a: FaultArgs) =>
    `'${a.name}' is a client's own word, and hooks go by common names (${a.names}), so it could never fire`,
  'never.no-such-tool': (a: FaultArgs) => {
    const missing = a.since
      ? `since ${a.since} this client offers its model no '${a.name}'`
      : `this client has no tool that does what '${a.name}' does`;
    return a.instead ? `${missing}: its model uses ${a.instead} for that` : missing;
  },
  'never.after-failure': () => 'not after a call that failed: this client starts no hook then',
  ...WHEN_NOTES,
  'catalogue.now-declares': () =>
    'the server declares hooks of its own now, which count before those of its package or the catalogue',
  'catalogue.newer': (a: FaultArgs) =>
    `these are not the texts that the catalogue of this mcphooks has for it; to see those: mcphooks install ${installed(a)} --catalogue ${word(a.entry)} --dry-run`,
  'catalogue.package-newer': (a: FaultArgs) =>
    `its package ${a.package} brings other hooks now; to see them: mcphooks install ${installed(a)} --catalogue --dry-run`,
  'catalogue.withdrawn': (a: FaultArgs) =>
    `the catalogue's entry '${a.entry}' was withdrawn on ${a.on}: ${a.reason}. Its hooks stay until you take them out: mcphooks uninstall ${installed(a)}`,
  'priority.lowered': (a: FaultArgs) => `${a.from} is lowered to ${a.to}; --max-priority ${a.from} keeps it`,
  'flag.every-tool': () =>
    'fires on every tool call: no matcher, condition (`when`) or --cooldown holds it back',
  'budget.gives-way': (a: FaultArgs) =>
    `gives way, whole or in part, when all texts of the event fire at once: together they have room for ${a.budget}`,
  'export.own-server': () => "its tool is called on the plugin's own server, which the hook starts once more",
  'export.known-server': (a: FaultArgs) =>
    `its tool is called only where the user's own configuration reaches '${a.name}' in this very way; --with-server brings it along`,
  'export.heard': (a: FaultArgs) =>
    `of all hooks at ${a.native} that say something it hears the ${a.heard}: beside another plugin or an install, these may not be heard there`,
  'export.counted': (a: FaultArgs) =>
    `counts the texts of all hooks at ${a.native} together: another plugin or an install takes room from these there`,
  'export.variables': (a: FaultArgs) =>
    `the server gets ${list(a.names)} from the environment of each machine: values are not exported`,
  'handler.control': () =>
    "the client calls the tool itself, and the server's answer is a control document: it can deny, approve or rewrite what the agent does; no naming lines, no limits, no --cooldown, no switching off",
  'handler.not-here': () => "stays a shim: this client's mcp_tool handler delivers no text at this event",
  'handler.server-unknown': () => 'stays a shim: this client has no server of that name to call',
  'handler.no-document': () =>
    "stays a shim: the tool's output schema has no hookSpecificOutput, and plain text of an mcp_tool handler reaches no model here",
  'handler.condition': () =>
    'stays a shim: only a shim can look for input_contains, test `when` or hold a cooldown',
  'handler.null': () => 'stays a shim: its arguments hold null, which this client cannot read there',
  'handler.dollar': () => "stays a shim: its arguments hold '${', which the client would replace",
  'handler.variable': () => 'stays a shim: its arguments use a template that the client cannot fill in',
  'heard.ours': (a: FaultArgs) =>
    `of all hooks at ${a.native} that say something it hears the ${a.heard}: these, and then not those of ${list(a.files)}`,
  'heard.theirs': (a: FaultArgs) =>
    `of all hooks at ${a.native} that say something it hears the ${a.heard}: those of ${list(a.files)}, and then not these`,
  'heard.halves': (a: FaultArgs) =>
    `counts the texts of all hooks at ${a.native} together: the user’s servers and those of this project have ${a.half} each`,
  'target.none': (a: FaultArgs) =>
    `${a.client} loads no plugins from a folder by itself: its hooks stand in its own file`,
  'target.already': (a: FaultArgs) => `${a.client} loads its hooks as a plugin of one file in any case`,
  'target.too-old': (a: FaultArgs) =>
    `${a.client} ${a.found} loads no plugins from this folder: ${a.since} or newer does`,
  'target.untrusted-too': () =>
    "an extension's hooks run in folders that you don't trust, too: more than hooks in settings may",
  'across.covered': (a: FaultArgs) => `already covered: ${coverText(a)}`,
  'across.project-silent': () => "the project has these hooks, too; here they are silent beside one's own",
  'across.local-silent': () =>
    'they are installed for you in this project, too (--scope local), and are silent there beside these',
  'across.user-speaks': () =>
    'you have these hooks yourself, too: on this machine those speak, and what the project has is silent',
  'across.twice': (a: FaultArgs) => `on this machine they are given twice: ${coverText(a)}`,
  'server.by-tool': (a: FaultArgs) =>
    `approximate: ${a.client} names no server, so a tool of ${list(a.names)} counts, too, if it is named like one of this server`,
  'server.untold': (a: FaultArgs) =>
    `approximate: ${a.client} names no server, so tools of ${list(a.names)} are not told apart`,
  'version.source': (a: FaultArgs) =>
    `made from what ${a.client}'s source and documents say, and never tried`,
  'version.runtime': (a: FaultArgs) =>
    `hook runtime verified (${a.of} ${a.oldest} to ${a.newest}), delivery to the model not`,
  'version.unproved': (a: FaultArgs) =>
    `${a.client} ${a.found} was not tried (tried: ${a.oldest} to ${a.newest})`,
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

/**
 * Returns the sentence on the duration of a hook's first call, next to the time that hooks wait. `ms` is absent while
 * the package is being installed.
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
  if (ms === undefined)
    return `${runner} is still installing the server, and goes on in the background: hooks call its tools when that is done.`;
  const seconds = (time: number): string => `${(time / 1000).toFixed(1)} s`;
  const next = nextMs === undefined ? '' : `, the next one ${seconds(nextMs)}`;
  const took = `The first call by ${runner} took ${seconds(ms)}${next}; hooks wait ${waitMs / 1000} s.`;
  return (nextMs ?? ms) < waitMs
    ? took
    : `${took} They get no answer in time: use the server's own program, installed for good.`;
}

/** Sentence shown once while another mcphooks holds the lock. */
export function waitingText(file: string, pid: number | undefined): string {
  return `Waiting for another mcphooks${pid === undefined ? '' : ` (process ${pid})`} to finish; it holds ${file}`;
}

/** Steps that a user must take before hooks fire, on any client. */
const STEPS = {
  'plugin.node':
    'The hooks need node 20.17 or newer on the PATH of each machine; where there is none they say nothing.',
  'local.ignored':
    'Keep the file of --scope local out of git, by a line in .gitignore or .git/info/exclude: it names places of this machine.',
  'local.others': 'Clients without a file for your own hooks in a project are left out.',
} as const;

/** A step for the user. Steps for one client are in the client's folder. */
export type NextStep = OwnWords;

export function commonStep(code: keyof typeof STEPS): NextStep {
  return { code, text: STEPS[code] };
}

/** Moments at which the model reads a text, for `mcphooks explain`. */
const MOMENTS = {
  'first-prompt': 'with the first prompt of the session',
  prompt: 'together with each prompt',
  result: 'together with the result of the tool',
  'next-prompt': 'with the next prompt of the same session',
  'next-session': 'when the next session in the same project starts',
} as const;

export type Moment = keyof typeof MOMENTS;

export function momentText(moment: Moment): string {
  return MOMENTS[moment];
}

/** How it is known what a client does. */
const PROVED = {
  sessions: 'in sessions',
  runtime: 'by its runtime',
  source: 'from source',
} as const;

export function provedText(how: keyof typeof PROVED): string {
  return PROVED[how];
}

/** What a native event does for a hook, for `mcphooks explain`. */
const STEP_DOES = {
  emit: 'gives the text',
  defer: 'keeps the text for later',
  'emit-deferred': 'gives what was kept',
  'mark-turn': 'notes that the session had a turn',
  'start-session': 'notes that a session starts',
  'note-call': "notes that one of the server's own tools was called",
  call: 'the client calls the tool itself',
} as const;

export function stepDoes(step: keyof typeof STEP_DOES): string {
  return STEP_DOES[step];
}
