import { createRequire } from 'node:module';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Program } from './call.ts';
import { callsTo, Installing, type OpenServer } from './calls.ts';
import type { Failure } from './firing.ts';
import type { LocalFireData } from './machine.ts';
import { type Connection, Refused } from './mcp-rpc.ts';
import { type Reached, reach } from './reach.ts';
import {
  endKept,
  idOf,
  isPrivate,
  type KeptServer,
  keptFile,
  lasting,
  readKept,
  warmFolder,
} from './warm-place.ts';
import { newNonce, proofOf, proves, readMessages, sendMessage, type WarmMessage } from './warm-proof.ts';

export { masked } from './calls.ts';

/** Milliseconds for a keeper to prove itself, and to take a call; then it is replaced. */
const PROMPT_MS = 1_000;
/** Milliseconds for a keeper to confirm a cancelled call; the hook's text is out by then. */
const CANCEL_MS = 250;
/** Part of the time left that a fire waits for a keeper to start. */
const START_PART = 0.4;

/** The keeper didn't begin with the call. */
class NotTaken extends Error {}

/**
 * Opens the declaring server for one fire, as call.ts does, where the server is kept running between fires: asks its
 * keeper, starts one when there is none, and starts the server for this fire alone when neither answers.
 */
export function openServer(
  data: LocalFireData,
  program: Program,
  startFolder: string,
  hookEnv: NodeJS.ProcessEnv,
  leftMs: number,
): OpenServer {
  const fresh = (found: Reached): Promise<Connection | Failure> =>
    starting(program).startServer(found, { runtime: program.runtime, state: data.state });
  return callsTo(data, leftMs, {
    reach: () => reach(data, startFolder, hookEnv),
    open: async (found, deadline) => {
      const { keep } = data.server_at ?? {};
      const kept = keep && 'command' in found.to && (await openKept(data, found, deadline));
      return kept ? withFallback(kept, () => fresh(found)) : fresh(found);
    },
  });

  async function openKept(
    { server, state, server_at }: LocalFireData,
    found: Reached,
    deadline: number,
  ): Promise<Connection | undefined> {
    const { to } = found;
    const keep = server_at?.keep;
    if (!keep || !('command' in to)) return undefined;
    const start = lasting({ ...found, to }, keep);
    const id = idOf(server, start);
    const folder = warmFolder(state);
    const known = isPrivate(folder, 'folder') ? readKept(keptFile(folder, id)) : undefined;
    if (known) {
      const link = known.runtime === program.runtime && (await talkTo(known, folder));
      if (link) return connectionOver(link, keep.ms);
      // Of another runtime, or without an answer.
      endKept(folder, known, known.runtime === program.runtime ? 'SIGKILL' : 'SIGTERM');
    }
    const until = Date.now() + (deadline - Date.now()) * START_PART;
    const started = await starting(program).startKept(
      { id, start, ...(found.run && { run: found.run }), data, startFolder, hookEnv, folder, ...program },
      until,
    );
    const link = started && (await talkTo(started, folder));
    return link ? connectionOver(link, keep.ms) : undefined;
  }
}

/** What starts processes is loaded only when there is one to start. */
const starting = ({ runtime }: Program): typeof import('./call.ts') =>
  createRequire(join(runtime, 'warm.cjs'))('./call.cjs');

/** A connection to a keeper that has proved itself. */
interface Link {
  socket: Socket;
  kept: KeptServer;
  folder: string;
  onMessage: (use: (message: WarmMessage) => void) => void;
}

/** Connects to a keeper, and exchanges proofs; undefined when that fails. */
function talkTo(kept: KeptServer, folder: string): Promise<Link | undefined> {
  return new Promise((resolve) => {
    const nonce = newNonce();
    const socket = connect(kept.address);
    let use = (_: WarmMessage): void => {};
    const settle = (link: Link | undefined): void => {
      clearTimeout(timer);
      if (!link) socket.destroy();
      resolve(link);
    };
    const timer = setTimeout(() => settle(undefined), PROMPT_MS);
    const link: Link = { socket, kept, folder, onMessage: (next) => (use = next) };
    let proved = false;
    readMessages(socket, (message) => {
      if (proved) return use(message);
      const theirs = String(message.nonce);
      const nonces = [nonce, theirs] as const;
      if (!proves(message.proof, proofOf(kept.secret, 'keeper', nonces))) return settle(undefined);
      proved = true;
      sendMessage(socket, { proof: proofOf(kept.secret, 'fire', nonces) });
      settle(link);
    });
    socket.on('error', () => settle(undefined));
    socket.on('close', () => settle(undefined));
    socket.on('connect', () => sendMessage(socket, { nonce }));
  });
}

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
  taken: boolean;
}

/** Asks a kept server through its keeper. A call that the keeper doesn't take rejects with NotTaken. */
function connectionOver({ socket, kept, folder, onMessage }: Link, keepMs: number): Connection {
  const waiting = new Map<number, Waiting>();
  /** Calls whose cancelling the keeper hasn't confirmed. */
  const cancelled = new Map<number, () => void>();
  let answered = false;
  let next = 1;
  const bad = (): void => {
    endKept(folder, kept, 'SIGKILL');
    socket.destroy();
  };
  socket.on('close', () => {
    const calls = [...waiting.values()];
    waiting.clear();
    for (const confirm of cancelled.values()) confirm();
    // A keeper that ends by itself has removed its file already.
    if (calls.some(({ taken }) => !taken)) endKept(folder, kept, 'SIGTERM');
    for (const { taken, reject } of calls)
      reject(taken ? new Error('the server ended') : new NotTaken('the keeper is gone'));
  });
  onMessage(({ id = 0, taken, result, error, installing, ...more }) => {
    answered ||= more.answered === true;
    if (more.cancelled) cancelled.get(id)?.();
    const call = waiting.get(id);
    if (!call) return;
    if (taken) {
      call.taken = true;
      return;
    }
    if (result === undefined && !error && installing === undefined) return;
    waiting.delete(id);
    if (installing !== undefined) call.reject(new Installing(installing));
    else if (error) call.reject(error.refused ? new Refused(error.message) : new Error(error.message));
    else call.resolve(result);
  });
  return {
    answered: () => answered,
    request: (method, params, givenUp) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new NotTaken('the keeper is gone'));
        const id = next++;
        const call: Waiting = { resolve, reject, taken: false };
        waiting.set(id, call);
        sendMessage(socket, { id, call: { method, params, by: Date.now() + PROMPT_MS, keepMs } });
        setTimeout(() => waiting.get(id)?.taken === false && bad(), PROMPT_MS).unref();
        givenUp?.addEventListener('abort', () => {
          if (!waiting.delete(id)) return;
          cancelled.set(id, () => cancelled.delete(id));
          sendMessage(socket, { id, cancel: true });
        });
      }),
    end: async () => {
      const until = Date.now() + CANCEL_MS;
      while (cancelled.size > 0 && Date.now() < until) await new Promise((r) => setTimeout(r, 10));
      if (cancelled.size > 0) bad();
      socket.destroy();
    },
  };
}

/** Starts the server for this fire alone, when its keeper doesn't take a call. */
function withFallback(kept: Connection, start: () => Promise<Connection | Failure>): Connection {
  let fresh: Promise<Connection | Failure> | undefined;
  let current = kept;
  return {
    answered: () => current.answered(),
    request: async (method, params, givenUp) => {
      try {
        if (!fresh) return await kept.request(method, params, givenUp);
      } catch (error) {
        if (!(error instanceof NotTaken)) throw error;
      }
      fresh ??= start();
      const server = await fresh;
      if ('incident' in server) throw new Error(server.detail);
      current = server;
      return server.request(method, params, givenUp);
    },
    end: async () => {
      await Promise.all([kept.end(), current === kept ? undefined : current.end()]);
    },
  };
}
