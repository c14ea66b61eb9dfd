import type { CallResult } from './call.ts';
import type { FireHook } from './format.ts';
import type { Incident } from './log.ts';
import type { LocalFireData } from './machine.ts';
import type { Payload, Tool } from './payload.ts';
import type { Session } from './session.ts';
import type { Facts } from './values.ts';
import type { Silence, TellWhy } from './why.ts';

/** Calls a tool of the declaring server; settles in time, never rejects. */
export type CallTool = (tool: string, args: Record<string, unknown>) => Promise<CallResult>;

/** What all hooks of one fire share. */
export interface Firing {
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
  call: CallTool;
  why: TellWhy;
  /** Logs an incident of declaration `n`; who runs the hook by hand is told `said` instead of `detail`. */
  note: (incident: Incident, n: number, detail: string, said?: string) => void;
}

/** Tells why a hook gives no text; the undefined is its result. */
export function silent(firing: Firing, hook: FireHook, code: Silence, detail?: string): undefined {
  firing.why({ code, n: hook.n, ...(detail !== undefined && { detail }) });
}
