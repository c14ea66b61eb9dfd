import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import { LARGEST_ANSWER } from './mcp-rpc.ts';

/** Most characters of one line between a fire and a keeper: an answer with its frame, escaped. */
const LONGEST_LINE = 2 * LARGEST_ANSWER;

export const newNonce = (): string => randomBytes(16).toString('hex');

/**
 * Returns the proof that `who` knows the secret. Each side proves it with the other's nonce, so that the secret itself is
 * never sent and a proof is worth nothing in another connection.
 */
export const proofOf = (secret: string, who: 'keeper' | 'fire', nonces: readonly [string, string]): string =>
  createHmac('sha256', Buffer.from(secret, 'hex'))
    .update(`${who}\0${nonces.join('\0')}`)
    .digest('hex');

export function proves(proof: unknown, expected: string): boolean {
  if (typeof proof !== 'string' || proof.length !== expected.length) return false;
  return timingSafeEqual(Buffer.from(proof), Buffer.from(expected));
}

/** A message between a fire and a keeper: a line of JSON. */
export interface WarmMessage {
  /** Opens a connection, by the fire; the keeper answers with one of its own and its proof. */
  nonce?: string;
  proof?: string;
  /** Number of the call that the message is about. */
  id?: number;
  /** Calls a tool, unless the keeper reads this only after `by` (ms, by `Date.now`). `keepMs`: time to stay after it. */
  call?: { method: string; params: Record<string, unknown>; by: number; keepMs: number };
  /** Gives a call up. */
  cancel?: true;
  /** The keeper begins with the call, or has cancelled it. */
  taken?: true;
  cancelled?: true;
  /** The server has answered a request since it was started. */
  answered?: true;
  result?: unknown;
  /** `refused`: by the server, with an error of JSON-RPC. */
  error?: { message: string; refused?: true };
  /** The package is still being installed. */
  installing?: string;
}

/** Reads lines of JSON. Anything else, or an endless line, closes the socket. */
export function readMessages(socket: Socket, use: (message: WarmMessage) => void): void {
  let parts: string[] = [];
  let size = 0;
  const receive = (line: string): void => {
    try {
      const message: unknown = JSON.parse(line);
      if (typeof message !== 'object' || message === null) throw new Error('no message');
      use(message as WarmMessage);
    } catch {
      socket.destroy();
    }
  };
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const [first = '', ...rest] = chunk.split('\n');
    parts.push(first);
    size += first.length;
    for (const line of rest) {
      if (!socket.destroyed) receive(parts.join(''));
      parts = [line];
      size = line.length;
    }
    if (size > LONGEST_LINE) socket.destroy();
  });
}

export const sendMessage = (socket: Socket, message: WarmMessage): void =>
  void (socket.writable && socket.write(`${JSON.stringify(message)}\n`));
