import type { DeliveryMoment } from '../messages/explained.ts';
import type { NoteCode, OwnWords } from '../messages/notes.ts';

/**
 * When a text reaches the model: at the event (`native`), after the event (`late`), at a later prompt or session
 * (`deferred`), never (`unsupported`).
 */
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

/**
 * Paths of the fields that all hooks need, in the payloads of every event. The session's folder has no path here: where a
 * payload has it, it is `cwd`.
 */
export interface HookInput {
  session: Paths;
  /** Field of a sub-agent's id, in payloads with the session of the main agent. */
  agent?: string;
  toolName: Paths;
  toolInput: Paths;
  /** Path of the native event's name; absent when payloads don't tell their event (Copilot). */
  event?: Paths;
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
  /** The printed text takes the place of the one that this event's `defer` stored. */
  replacesKept?: true;
}

/** How a client carries one SEP event, or why it can't. */
export type EventCell = CarriedEvent | { fidelity: 'unsupported'; note: NoteCode | OwnWords };

interface CarriedEvent {
  fidelity: Exclude<Fidelity, 'unsupported'>;
  /** When the model reads the text. */
  moment: DeliveryMoment;
  wiring: readonly Wiring[];
  /** A later text takes the place of an earlier one: no cooldown counts, as it would only take the text away. */
  replacesEarlier?: true;
  /** Why the fidelity is less than native, or what else the user should know. */
  note?: NoteCode | OwnWords;
}

/** `sessions`: in real sessions; `runtime`: by driving the client's own hook module; `source`: by reading source only. */
export type ProvedBy = 'sessions' | 'runtime' | 'source';

/** Returns the steps that carry an event; none where the client can't carry it. */
export const wiringOf = (cell: EventCell): readonly Wiring[] => ('wiring' in cell ? cell.wiring : []);

/** One native event: the form of its entries and payloads. */
export interface NativeEvent {
  /** The entry has a tool matcher. */
  matchesTools?: boolean;
  /** Longest timeout in whole seconds; the client shortens longer ones. */
  maxTimeout?: number;
  /** Payload path of the tool's result, if there is one. */
  output?: Paths;
  /** The event's name in a hook's document, when it differs. */
  outputName?: string;
  /** Payloads with a value at this path are skipped (Codex: a sub-agent's prompt). */
  skipIf?: Paths;
  /**
   * Payloads whose text at `path` matches the regular expression `like` (source) are skipped (Droid: a sub-agent's task
   * as prompt; Claude Code: a note that a task in the background ended).
   */
  skipLike?: SkipLike;
  /** Payloads with no value, or an empty text, at this path are skipped (Qwen Code: a prompt that nobody wrote). */
  skipUnless?: string;
  /**
   * Of a session's payloads with an equal value at this path, all but the first are skipped (Qwen Code: `prompt_id`).
   * Not beside `continuation`: a fire may wait for that, and only then remembers its payload.
   */
  oncePer?: string;
  /** Payloads with a text at this path are no repetition in spite of `oncePer` (Qwen Code: after a blocked prompt). */
  newIf?: string;
  /**
   * For payloads with a value at this path, texts are kept, as the client drops them (Gemini: a tool result with an
   * error).
   */
  keepIf?: string;
  /** The same for payloads whose text at `path` matches `like` (Gemini: a shell command that the user cancelled). */
  keepLike?: Required<Pick<SkipLike, 'path' | 'like' | 'holds'>>;
  /** Payload path of what `continuation` needs of a turn's end: its time, or the path of the session's log. */
  turnEnd?: string;
  /** How a file ends when the client took the turn that ends now, hooks' texts included, out of the conversation. */
  undoneIf?: FileEnd;
  /** How to distinguish the client's own prompts from the user's. */
  continuation?: Continuation;
  /** Payload path of the user's prompt. */
  prompt?: string;
  /**
   * Set when the model reads only the first or last hook's text, or `cap` of all texts together, in the client's unit.
   * One entry then serves all servers of a scope (shims/joint-script.ts), without a matcher.
   */
  textsUsed?: 'first' | 'last' | { cap: number };
  /** Set when the client uses every text from this version on. */
  allUsedFrom?: VersionLimit;
  /** Another name under which files may hold hooks of this event. */
  alias?: string;
  /** Document of a hook without text, for a client that would show empty output to the user (Droid). */
  whenSilent?: Readonly<Record<string, unknown>>;
  /** Payload fields besides the common ones, for `mcphooks fire` without a payload of the user's. */
  sample?: Readonly<Record<string, unknown>>;
  /** The same for single tools, by the client's name; these replace fields of `sample`. */
  toolSamples?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A version of three numbers, and the environment variable whose value, or its last folder, tells hooks the client's. */
export interface VersionLimit {
  version: string;
  env: string;
}

/** The rules of a native event that its hooks follow themselves, in the order of their data. */
export const PAYLOAD_RULES = [
  'skipIf',
  'skipLike',
  'oncePer',
  'newIf',
  'skipUnless',
  'keepIf',
  'keepLike',
  'turnEnd',
  'undoneIf',
  'continuation',
] as const satisfies (keyof NativeEvent)[];

export type PayloadRules = Pick<NativeEvent, (typeof PAYLOAD_RULES)[number]>;

interface SkipLike {
  path: string;
  like: string;
  /** A text in every such payload, in any spelling of its JSON: the shell looks for it, and asks node then. */
  holds?: string;
  /**
   * What the payload tells, if not a sub-agent's prompt. `client`: a prompt that the client wrote (Copilot: a note that a
   * command ended); `turn`: a turn that was interrupted or failed (Cursor).
   */
  by?: 'client' | 'turn';
}

/** The last 4 KB of a file. */
interface FileEnd {
  /** Payload path of the file. */
  file: string;
  /** Regular expression (source). */
  like: string;
}

/** How to distinguish the client's own prompts from the user's. Needs `mark-turn` in the event that ends a turn. */
type Continuation = PromptLog | EventLog;

/**
 * A log of JSON lines, one an event of the session; `turnEnd` is its path. Copilot CLI 1.0.83 to 1.0.102: when a hook
 * refuses the end of a turn, userPromptSubmitted fires again with the reason as prompt. The line before it tells that.
 */
export interface EventLog {
  /** Payload path of the time at which the event fired, and the path of this time in the event's own line. */
  time: string;
  line: string;
  /** How to recognise the lines of a prompt, of a hook at a turn's end, and of such a hook that refused. */
  prompt: LineSign;
  turnEnd: LineSign;
  refused: LineSign;
  /** Most milliseconds between a turn's end and the client's own prompt. */
  withinMs: number;
}

/** A line with the value `is` at the dotted path `at`. */
export interface LineSign {
  at: string;
  is: string;
}

/**
 * A log of the user's prompts. Gemini CLI 0.61.0: when a hook refuses the end of a turn, BeforeAgent fires again with
 * the reason as prompt. Only the user's prompts are first written to `logs.json` (interactive), or are the only prompt
 * after a SessionStart (headless). Needs `start-session` in the event that starts a session, too.
 */
export interface PromptLog {
  /** Payload path of a file; `log` is relative to that file's folder. */
  beside: string;
  /** JSON array of `{ type: "user", timestamp }`, for all sessions of the project. */
  log: string;
  /** Payload path of the time at which the event fired, ISO 8601. */
  time: string;
  /** Most milliseconds between a turn's end and the client's own prompt. */
  withinMs: number;
}
