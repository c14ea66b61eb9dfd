import type { Moment, NoteCode, OwnWords } from '../messages/notes.ts';

/** Contract, "Words". */
export type Fidelity = 'native' | 'late' | 'deferred' | 'unsupported';

/** A dotted path into a payload; of several, the first at which there is something. */
export type Paths = string | readonly string[];

/** What a hook reads on stdin and prints on stdout. */
export interface HookProtocol {
  input: HookInput;
  /** Absent: `USUAL_OUTPUT`. */
  output?: HookOutput;
  /** Environment variable that holds the folder in which the client was started; else the hook's working folder. */
  startFolderEnv?: string;
  /** How other programs that run this client's hooks are recognised, so that nothing is given twice. */
  otherHosts?: OtherHosts;
}

/** Where the payload of every event has what all hooks need. */
export interface HookInput {
  session: Paths;
  toolName: Paths;
  toolInput: Paths;
  /** The native event. */
  event: Paths;
  /** What else stands in every payload; `mcphooks fire` sends it. */
  sample?: Readonly<Record<string, unknown>>;
}

/** The one document that a hook prints. Members nest by dotted paths; those that lie deepest come last. */
export interface HookOutput {
  /** Where the text stands; more than once where several programs read the document. */
  text: readonly string[];
  /** What else stands in it, by path; `{event}` is the event's name there. */
  fixed?: Readonly<Record<string, string | boolean>>;
}

/** What Claude Code reads, and with it most clients. */
export const USUAL_OUTPUT: HookOutput = {
  text: ['hookSpecificOutput.additionalContext'],
  fixed: { 'hookSpecificOutput.hookEventName': '{event}' },
};

export interface OtherHosts {
  /** Variables that they set for hooks. */
  env: string[];
  /** Top-level payload fields that only they send. */
  fields: string[];
  /** Variable in which the client itself gives hooks the session's id: where it is the payload's, it is no other. */
  ownSession?: string;
}

/**
 * What a hook script does for a declaration at a native event:
 * `emit`: prints its text; `defer`: stores the text for a later event; `emit-deferred`: prints what was stored;
 * `mark-turn`: notes that the session had a turn (only such sessions leave session_end texts);
 * `start-session`: notes that a session starts, so that what is printed once a session may be printed again.
 */
export type Step = 'emit' | 'defer' | 'emit-deferred' | 'mark-turn' | 'start-session';

export interface Wiring {
  native: string;
  does: Step;
  /** Only at the session's first firing of `native` since `start-session`. */
  at?: 'start';
}

/** How one SEP event is carried by a client. `note` says why it is less than native, or what else to know of it. */
export interface EventCell {
  fidelity: Fidelity;
  /** When the model reads the text. */
  moment: Moment;
  wiring: readonly Wiring[];
  note?: NoteCode | OwnWords;
}

/** One native event: how its entries are written and read. */
export interface NativeEvent {
  /** The entry carries a tool matcher. */
  matchesTools?: boolean;
  /** Whole seconds; the client cuts longer ones off. */
  maxTimeout?: number;
  /** Payload path of the tool's result, where it has one. */
  output?: string;
  /** Its name in the document that a hook prints, where that is another one. */
  outputName?: string;
  /** A payload with something at this path is not for us (Codex: a sub-agent's prompt). */
  skipIf?: Paths;
  /** Nor is one whose text at a path fits the source of a regular expression (Droid: a sub-agent's task as prompt). */
  skipLike?: { path: string; like: string };
  /** A payload with nothing at this path, or an empty text, is not for us (Qwen Code: a prompt that nobody wrote). */
  skipUnless?: string;
  /** Of payloads with the same value at this path in one session only the first is for us (Qwen Code: `prompt_id`). */
  oncePer?: string;
  /** A payload with something at this path: the client drops our text, so keep it (Gemini: a tool result with an error). */
  keepIf?: string;
  /** Payload path of the time at which a turn ended. */
  turnEnd?: string;
  /** How a prompt that the client made itself is told from the user's. */
  continuation?: Continuation;
  /** Payload path of the user's prompt. */
  prompt?: string;
  /** Of several hooks the model reads only the first one's text or the last one's, or `cap` of all together: then all
   * servers go through one entry. Not built yet. */
  heard?: 'first' | 'last' | { cap: number };
  /** What a hook prints that has nothing to say, where the client would show its silence (Droid). Not built yet. */
  whenSilent?: Readonly<Record<string, unknown>>;
  /** What a payload of this event holds besides the common fields; `mcphooks fire` sends it when nothing else is given. */
  sample?: Readonly<Record<string, unknown>>;
}

/**
 * How a prompt that the client made itself is told from the user's. Gemini CLI 0.61.0: when a hook refuses the end
 * of a turn, BeforeAgent fires again with the reason as prompt; the user's own prompts, and only they, are first
 * written to `logs.json` (interactive), or are the only one after a SessionStart (headless). Needs `mark-turn` in
 * the event that ends a turn, and `start-session` in the one that starts a session.
 */
export interface Continuation {
  /** Payload path of a file; `log` is relative to its folder. */
  beside: string;
  /** JSON array of `{ type: "user", timestamp }`, of all sessions of the project. */
  log: string;
  /** Payload path of the time at which the event fired, ISO 8601. */
  time: string;
  /** The client's own prompt comes this soon after a turn's end. */
  withinMs: number;
}
