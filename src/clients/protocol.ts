import type { Moment, NoteCode, OwnWords } from '../messages/notes.ts';

/** Contract, "Words". */
export type Fidelity = 'native' | 'late' | 'deferred' | 'unsupported';

/** A dotted path into a payload; of several, the first path with a value counts. */
export type Paths = string | readonly string[];

/** The input on stdin and output on stdout of a hook. */
export interface HookProtocol {
  input: HookInput;
  /** Default: `USUAL_OUTPUT`. */
  output?: HookOutput;
  /**
   * Environment variable with the folder in which the client was started; absent: that is the hook's working folder.
   */
  startFolderEnv?: string;
  /** How to recognise other programs that run this client's hooks, so that no text appears twice. */
  otherHosts?: OtherHosts;
}

/** Paths of the fields that all hooks need, in the payloads of every event. */
export interface HookInput {
  session: Paths;
  toolName: Paths;
  toolInput: Paths;
  /** Path of the native event's name. */
  event: Paths;
  /** Further fields of every payload, for the payloads that `mcphooks fire` makes. */
  sample?: Readonly<Record<string, unknown>>;
}

/** The document that a hook prints. Dotted paths nest members; the deepest members come last. */
export interface HookOutput {
  /** Paths of the text; several when several programs read the document. */
  text: readonly string[];
  /** Other members, by path; `{event}` is replaced by the event's name. */
  fixed?: Readonly<Record<string, string | boolean>>;
}

/** The document that Claude Code, and most clients, read. */
export const USUAL_OUTPUT: HookOutput = {
  text: ['hookSpecificOutput.additionalContext'],
  fixed: { 'hookSpecificOutput.hookEventName': '{event}' },
};

export interface OtherHosts {
  /** Variables that these programs set for hooks. */
  env: string[];
  /** Top-level payload fields that only these programs send. */
  fields: string[];
  /**
   * Variable in which the client itself puts the session id: when it equals the payload's id, the client runs the hook.
   */
  ownSession?: string;
}

/**
 * What a hook script does for a declaration at a native event. `emit`: prints the text; `defer`: stores the text for a
 * later event; `emit-deferred`: prints the stored text; `mark-turn`: records that the session had a turn (session_end
 * texts need one); `start-session`: records a session's start, so that once-per-session texts may be printed again.
 */
export type Step = 'emit' | 'defer' | 'emit-deferred' | 'mark-turn' | 'start-session';

export interface Wiring {
  native: string;
  does: Step;
  /** Only at the session's first firing of `native` since `start-session`. */
  at?: 'start';
}

/**
 * How a client carries one SEP event. `note`: why the fidelity is less than native, or what else the user should know.
 */
export interface EventCell {
  fidelity: Fidelity;
  /** When the model reads the text. */
  moment: Moment;
  wiring: readonly Wiring[];
  note?: NoteCode | OwnWords;
}

/** One native event: the form of its entries and payloads. */
export interface NativeEvent {
  /** The entry has a tool matcher. */
  matchesTools?: boolean;
  /** Longest timeout in whole seconds; the client shortens longer ones. */
  maxTimeout?: number;
  /** Payload path of the tool's result, if there is one. */
  output?: string;
  /** The event's name in a hook's document, when it differs. */
  outputName?: string;
  /** Payloads with a value at this path are skipped (Codex: a sub-agent's prompt). */
  skipIf?: Paths;
  /**
   * Payloads whose text at `path` matches the regular expression `like` (source) are skipped (Droid: a sub-agent's task
   * as prompt).
   */
  skipLike?: { path: string; like: string };
  /** Payloads with no value, or an empty text, at this path are skipped (Qwen Code: a prompt that nobody wrote). */
  skipUnless?: string;
  /**
   * Of a session's payloads with an equal value at this path, all but the first are skipped (Qwen Code: `prompt_id`).
   */
  oncePer?: string;
  /**
   * For payloads with a value at this path, texts are kept, as the client drops them (Gemini: a tool result with an
   * error).
   */
  keepIf?: string;
  /** Payload path of the time at which a turn ended. */
  turnEnd?: string;
  /** How to distinguish the client's own prompts from the user's. */
  continuation?: Continuation;
  /** Payload path of the user's prompt. */
  prompt?: string;
  /**
   * Set when the model reads only the first or last hook's text, or `cap` of all texts together; all servers then need
   * one entry. Not built yet.
   */
  heard?: 'first' | 'last' | { cap: number };
  /** Document of a hook without text, for a client that would show empty output to the user (Droid). Not built yet. */
  whenSilent?: Readonly<Record<string, unknown>>;
  /** Payload fields besides the common ones, for `mcphooks fire` without a payload of the user's. */
  sample?: Readonly<Record<string, unknown>>;
}

/**
 * How to distinguish the client's own prompts from the user's. Gemini CLI 0.61.0: when a hook refuses the end of a
 * turn, BeforeAgent fires again with the reason as prompt. Only the user's prompts are first written to `logs.json`
 * (interactive), or are the only prompt after a SessionStart (headless). Needs `mark-turn` in the event that ends a
 * turn, and `start-session` in the event that starts a session.
 */
export interface Continuation {
  /** Payload path of a file; `log` is relative to that file's folder. */
  beside: string;
  /** JSON array of `{ type: "user", timestamp }`, for all sessions of the project. */
  log: string;
  /** Payload path of the time at which the event fired, ISO 8601. */
  time: string;
  /** Most milliseconds between a turn's end and the client's own prompt. */
  withinMs: number;
}
