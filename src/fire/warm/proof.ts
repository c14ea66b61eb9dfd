import { closeSync, openSync, readSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { ReachData } from '../approval/approved-launch.ts';
import { LARGEST_ANSWER } from '../mcp/rpc.ts';
import { hmac } from './hmac.ts';

/** Most bytes of one line between a fire and a keeper: an answer with its frame, in letters of up to three bytes. */
const LONGEST_LINE = 4 * LARGEST_ANSWER;

/** Returns 16 random bytes, in hexadecimal. Loading node:crypto takes longer than reading the system's own source. */
export function newNonce(): string {
  const bytes = new Uint8Array(16);
  try {
    const source = openSync('/dev/urandom', 'r');
    try {
      if (readSync(source, bytes) < bytes.length) throw new Error('too few bytes');
    } finally {
      closeSync(source);
    }
  } catch {
    crypto.getRandomValues(bytes);
  }
  return Buffer.from(bytes).toString('hex');
}

/**
 * Returns the proofs that keeper and fire know the secret: the halves of one HMAC-SHA-256. Each side proves it with the
 * other's nonce, so that the secret itself is never sent and a proof is worth nothing in another connection. The fire
 * sends its half only after it has seen the keeper's.
 */
export function proofsOf(
  secret: string,
  { fire, keeper }: { fire: string; keeper: string },
): { keeper: string; fire: string } {
  const both = hmac(Buffer.from(secret, 'hex'), `${fire}\0${keeper}`);
  return { keeper: both.slice(0, 32), fire: both.slice(32) };
}

/** Compares all characters, so that the time tells nothing about where a wrong proof differs. */
export function proves(proof: unknown, expected: string): boolean {
  if (typeof proof !== 'string' || proof.length !== expected.length) return false;
  let differs = 0;
  for (let i = 0; i < expected.length; i++) differs |= proof.charCodeAt(i) ^ expected.charCodeAt(i);
  return differs === 0;
}

/** What decides how a server is started or reached: the fire that asks, or its keeper, checks the approval by these. */
export interface LaunchInputs {
  data: ReachData;
  startFolder: string;
  hookEnv: NodeJS.ProcessEnv;
}

/** Values that a fire sends with each call. */
export interface More {
  /** Milliseconds for the server to stay after this call. */
  keepMs: number;
  /** Under this name, fires like this one find the keeper without a check of their own. */
  hint?: string;
  /** From a fire that hasn't checked the approval of the definition: the keeper does that. */
  toCheck?: LaunchInputs;
}

/** Calls a tool, unless the keeper reads this only after `by` (ms, by `Date.now`). */
export interface WarmCall extends More {
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
  /** The call was not taken: the definition isn't approved, or is that of another server. */
  elsewhere?: true;
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
export function reader(use: (message: WarmMessage) => void, bad: () => void): (chunk: Buffer) => void {
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
