import type { Socket } from 'node:net';
import type { ReachData } from '../approval/approved-launch.ts';
import { LARGEST_ANSWER } from '../mcp/rpc.ts';

/** Most bytes of one line between a fire and a keeper: an answer with its frame, in letters of up to three bytes. */
const LONGEST_LINE = 4 * LARGEST_ANSWER;

/** What decides how a server is started or reached: the fire that asks, or its keeper, checks the approval by these. */
export interface LaunchInputs {
  data: ReachData;
  startFolder: string;
  hookEnv: NodeJS.ProcessEnv;
}

/** Values that a fire sends with each call. */
export interface CallTerms {
  /** Milliseconds for the server to stay after this call. */
  keepMs: number;
  /** Under this name, fires like this one find the keeper without a check of their own. */
  hint?: string;
  /** From a fire that hasn't checked the approval of the definition: the keeper does that. */
  toCheck?: LaunchInputs;
}

/** Calls a tool, unless the keeper reads this only after `by` (ms, by `Date.now`). */
export interface WarmCall extends CallTerms {
  method: string;
  params: Record<string, unknown>;
  by: number;
}

/** A message between a fire and a keeper: a line of JSON. */
export interface WarmMessage {
  /** Opens a connection, by the fire; the keeper answers with one of its own and its proof. */
  nonce?: string;
  proof?: string;
  /** Number of the call that the message is about. */
  id?: number;
  call?: WarmCall;
  /** Gives a call up. */
  cancel?: true;
  /** The keeper begins with the call, or has cancelled it. */
  taken?: true;
  cancelled?: true;
  /**
   * The call was not taken: the keeper is about to end, or is `inDoubt`; or, with `toCheck`, its server hasn't answered
   * yet, or the definition isn't approved or leads to another server.
   */
  elsewhere?: true;
  /** Its server may hang: the keeper will know within seconds, and ends then, or goes on. */
  inDoubt?: true;
  /** The server has answered a request since it was started. */
  answered?: true;
  result?: unknown;
  /** `refused`: by the server, with an error of JSON-RPC. */
  error?: { message: string; refused?: true };
  /** The package is still being installed. */
  installing?: string;
}

/**
 * Returns what takes the bytes of a connection, and passes on its lines of JSON. Anything else, or an endless line,
 * calls `bad`. Works on bytes: a decoder for text would have to be loaded first.
 */
export function messageParser(use: (message: WarmMessage) => void, bad: () => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  let over = false;
  const receive = (line: string): void => {
    try {
      const message: unknown = JSON.parse(line);
      if (typeof message !== 'object' || message === null) throw new Error('no message');
      use(message as WarmMessage);
    } catch {
      over = true;
      bad();
    }
  };
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0 && !over; end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end));
      receive(Buffer.concat(parts).toString());
      parts = [];
      size = 0;
      start = end + 1;
    }
    if (over) return;
    parts.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size <= LONGEST_LINE) return;
    over = true;
    bad();
  };
}

export const sendMessage = (socket: Socket, message: WarmMessage): void =>
  void (socket.writable && socket.write(`${JSON.stringify(message)}\n`));
