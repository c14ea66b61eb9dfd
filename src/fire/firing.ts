import type { FireHook, HookToolCall, PayloadShape } from './format.ts';
import type { LocalFireData } from './local-data.ts';
import type { LogLine } from './log.ts';
import type { Payload, Tool } from './payload.ts';
import type { Session } from './session/session.ts';
import type { ShellLine } from './shell/shell-line.ts';
import type { Facts } from './text/values.ts';
import type { Incident, LoggedSilence, Silence, TellWhy, UnloggedSilence } from './why.ts';

export type CallResult = { text: string } | Failure;

export interface Failure {
  incident: Incident;
  detail: string;
  /** Set when the deadline passed without an answer. */
  late?: true;
  /** The tool's own error text: shown to a person who runs the hook by hand, never logged. */
  said?: string;
}

/** Calls a tool of the declaring server. Settles before the deadline and never rejects. */
export type CallTool = (tool: string, args: Record<string, unknown>) => Promise<CallResult>;

/** Returns the text of a hook that calls a tool; undefined when there is no text now. */
export type ToolText = (firing: Firing, hook: FireHook, call: HookToolCall) => Promise<string | undefined>;

/** Reason why a hook doesn't print. */
export interface SilenceReason<Code extends Silence = Silence> {
  code: Code;
  /** The value found instead of the required one. */
  detail?: string;
}

/** Code that only some fires need, in files of its own beside the program, loaded on first use. */
export interface Parts {
  conditions: () => {
    /** Returns the first condition that doesn't hold; undefined when all hold. */
    unmet: (firing: Firing, hook: FireHook) => SilenceReason<LoggedSilence> | undefined;
    readShellLine: (line: string) => ShellLine;
  };
  answer: ToolText;
  /** Returns a text for the log: secrets masked, and cut. */
  masked: (text: string) => string;
}

/** State shared by all hooks of one fire. */
export interface Firing extends Parts {
  data: LocalFireData;
  facts: Facts;
  payload: Payload;
  /** Where the payload has each value (`FireData.payload`). */
  shape: PayloadShape;
  /** Absolute path of the project's folder. */
  projectDir: string;
  /** Top level of the working tree; in a git worktree this differs from the project's folder. */
  tree: string;
  /** The payload's tool, for tool events. */
  tool?: Tool | undefined;
  /** The payload's session id, and the stored state of that session. */
  id?: string | undefined;
  session?: Session | undefined;
  /** The state of who reads the texts, the session or a sub-agent in it: which texts it had, and its budget. */
  reader?: Session | undefined;
  /** Folder of texts kept for a later event. */
  keptFolder: string;
  /** Random tag in the naming lines of this fire only. */
  fireTag: string;
  /** Payload path of the sign that the client drops whatever is printed now (`dropSignOf`). */
  dropSign: string | undefined;
  /** True when a person runs the hook with `mcphooks fire` and waits for its output. */
  byHand: boolean;
  why: TellWhy;
  /**
   * Logs an incident of declaration `n`; returns no text. A person who runs the hook by hand sees `said` instead of
   * `detail`.
   */
  note: (incident: Incident, n: number, detail: string, said?: string) => undefined;
  /** Writes a line of the log about declaration `n`. */
  write: (n: number, line: Omit<LogLine, 'at'>) => void;
}

/** Returns why a hook within its cooldown is silent. */
export function resting({ cooldownMs }: FireHook): SilenceReason<LoggedSilence> {
  return cooldownMs ? { code: 'cooldown', detail: `${cooldownMs / 1_000}` } : { code: 'cooldown.session' };
}

/** Reports why a hook has no text, and returns undefined as the hook's result. */
type Silent<Code> = (firing: Firing, hook: Pick<FireHook, 'n'>, code: Code, detail?: string) => undefined;

const report: Silent<Silence> = ({ why }, { n }, code, detail) => {
  why({ code, n, ...(detail !== undefined && { detail }) });
};

/** For a hook that didn't match, or had nothing to give. */
export const silentUnlogged: Silent<UnloggedSilence> = report;

/** For a hook that matched: the log gets a line, too. */
export const silent: Silent<LoggedSilence> = (firing, hook, code, detail) => {
  report(firing, hook, code, detail);
  firing.write(hook.n, { silence: code });
};
