import type { FireHook, ToolCall } from './format.ts';
import type { Incident } from './log.ts';
import type { LocalFireData } from './machine.ts';
import type { Payload, Tool } from './payload.ts';
import type { Session } from './session.ts';
import type { ShellLine } from './shell-line.ts';
import type { Facts } from './values.ts';
import type { Silence, TellWhy } from './why.ts';

export type CallResult = { text: string } | Failure;

export interface Failure {
  incident: Incident;
  detail: string;
  /** It was waited for, to no avail. */
  late?: true;
  /** The tool's own words: for the person who runs the hook by hand, and for no log. */
  said?: string;
}

/** Calls a tool of the declaring server; settles in time, never rejects. */
export type CallTool = (tool: string, args: Record<string, unknown>) => Promise<CallResult>;

/** The text of a hook that calls a tool; undefined: it has none now. */
export type Answer = (firing: Firing, hook: FireHook, call: ToolCall) => Promise<string | undefined>;

/** What keeps a hook from printing. */
export interface Obstacle {
  code: Silence;
  /** What there is instead. */
  detail?: string;
}

/** What only some fires need, in files of their own beside the program: loaded when it is first asked for. */
export interface Parts {
  conditions: () => {
    /** The first condition that keeps a hook from printing; undefined: all hold. */
    unmet: (firing: Firing, hook: FireHook) => Obstacle | undefined;
    readShellLine: (line: string) => ShellLine;
  };
  answer: Answer;
}

/** What all hooks of one fire share. */
export interface Firing extends Parts {
  data: LocalFireData;
  facts: Facts;
  payload: Payload;
  /** Absolute path of the project's folder. */
  project: string;
  /** Top level of the working tree, which in a git worktree isn't the project's folder. */
  tree: string;
  /** Of a tool event. */
  tool?: Tool;
  /** The payload's session id, and what is remembered of that session. */
  id?: string;
  session?: Session;
  /** Folder of texts that wait for a later event. */
  deferred?: string;
  /** Stands in the naming lines of this fire alone. */
  tag: string;
  /** The client drops what is printed now (`PayloadShape.keepIf`). */
  dropped: boolean;
  /** A person runs the hook (`mcphooks fire`) and waits for what it says. */
  byHand: boolean;
  why: TellWhy;
  /** Logs an incident of declaration `n`; who runs the hook by hand is told `said` instead of `detail`. */
  note: (incident: Incident, n: number, detail: string, said?: string) => void;
}

/** Why a hook rests that printed its text before. */
export function resting({ cooldownMs }: FireHook): Obstacle {
  return cooldownMs ? { code: 'cooldown', detail: `${cooldownMs / 1_000}` } : { code: 'cooldown.session' };
}

/** Tells why a hook gives no text; the undefined is its result. */
export function silent(firing: Firing, hook: FireHook, code: Silence, detail?: string): undefined {
  firing.why({ code, n: hook.n, ...(detail !== undefined && { detail }) });
}
