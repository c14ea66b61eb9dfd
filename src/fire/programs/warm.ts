import { connect, type Socket } from 'node:net';
import { isAbsolute, join } from 'node:path';
import { quietly } from '../../base/quietly.ts';
import { readText } from '../../base/read-file.ts';
import type { ReachData } from '../approval/approved-launch.ts';
import type { Failure } from '../firing.ts';
import type { FireProgram, ServerOfFire } from '../mcp/open-connection.ts';
import { type Connection, Refused } from '../mcp/rpc.ts';
import { loadPart } from '../part.ts';
import { callsTo, NotOpened, type OpenServer } from '../tools/calls.ts';
import { warmFolder } from '../warm/address.ts';
import {
  endKeeper,
  hintFile,
  hintOf,
  type KeeperFile,
  readKeeperFile,
  removeKeeperFile,
} from '../warm/keeper-file.ts';
import { type CallTerms, messageParser, sendMessage, type WarmMessage } from '../warm/messages.ts';
import { newNonce, proofsOf, proves } from '../warm/proof.ts';

/** Milliseconds for a keeper to prove itself, and to take a call; then it is replaced. */
const PROMPT_MS = 1_000;
/** Milliseconds for a keeper to confirm a cancelled call; the hook's text is out by then. */
const CANCEL_MS = 250;

/** The keeper didn't begin with the call. */
class NotTaken extends Error {}

/**
 * Returns the server of one fire, as call.ts does, for a server that is kept running between fires. First asks the keeper
 * that a hint leads to; that keeper checks the definition's approval. When no hint leads to a keeper, or the keeper doesn't
 * take the call, `openWarm` (warm/open.ts, in call.cjs) checks the approval in this process, and asks the keeper of the
 * approved definition, or starts one.
 */
export const openServer = ({ data, program, startFolder, hookEnv, leftMs }: ServerOfFire): OpenServer =>
  callsTo(data, leftMs, async (deadline, reached) => {
    const { server, client, state, server_at } = data;
    const reach: ReachData = { server, client, state, ...(server_at && { server_at }) };
    const keep = server_at?.keep;
    // `openWarm` keeps no server for a relative folder.
    const hint = keep && isAbsolute(startFolder) ? hintOf(reach, startFolder, hookEnv, keep) : undefined;
    const checked = (): Promise<Connection | Failure> =>
      loadCall(program).openWarm(
        { data: reach, ...program, startFolder, hookEnv, ...(hint && { hint }) },
        { deadline, reached, talkTo, withFallback },
      );
    if (!keep || !hint) return checked();
    const folder = warmFolder(state);
    const keeper = hinted(folder, hint);
    const terms = { keepMs: keep.ms, toCheck: { data: reach, startFolder, hookEnv } };
    if (keeper?.runtime !== program.runtime) return checked();
    const viaKeeper = await talkTo(keeper, folder, terms);
    if (viaKeeper) return withFallback(viaKeeper, checked);
    endKeeper(folder, keeper, 'SIGKILL');
    return checked();
  });

/** Returns the keeper that a hint leads to. */
function hinted(folder: string, hint: string): KeeperFile | undefined {
  const id = quietly(() => readText(hintFile(folder, hint))) ?? '';
  return /^[0-9a-f]{16}$/.test(id) ? readKeeperFile(folder, id) : undefined;
}

/** What starts processes or reads definitions is loaded only when it is needed. */
const loadCall = ({ runtime }: FireProgram) =>
  loadPart(join(runtime, 'call.cjs')) as typeof import('./call.ts');

/** Connects to a keeper; returns undefined for a keeper that doesn't answer. */
async function talkTo(keeper: KeeperFile, folder: string, terms: CallTerms): Promise<Connection | undefined> {
  const link = await linkTo(keeper, folder);
  return link && connectionOver(link, terms);
}

/** A connection to a keeper that has proved itself. */
interface Link {
  socket: Socket;
  /** This side's proof, which goes with the first message. */
  proof: string;
  keeper: KeeperFile;
  folder: string;
  onMessage: (use: (message: WarmMessage) => void) => void;
}

/** Connects to a keeper, and exchanges proofs; undefined when that fails. */
function linkTo(keeper: KeeperFile, folder: string): Promise<Link | undefined> {
  return new Promise((resolve) => {
    const nonce = newNonce();
    let use = (_: WarmMessage): void => {};
    const settle = (link: Link | undefined): void => {
      clearTimeout(timer);
      if (!link) socket.destroy();
      resolve(link);
    };
    const timer = setTimeout(() => settle(undefined), PROMPT_MS);
    let proved = false;
    const receive = messageParser(
      (message) => {
        if (proved) return use(message);
        const proofs = proofsOf(keeper.secret, { fire: nonce, keeper: String(message.nonce) });
        if (!proves(message.proof, proofs.keeper)) return settle(undefined);
        proved = true;
        settle({ socket, proof: proofs.fire, keeper, folder, onMessage: (next) => (use = next) });
      },
      () => socket.destroy(),
    );
    // Without the stream for reading, which takes as long to set up as the rest.
    const onread = {
      buffer: Buffer.allocUnsafe(2 ** 16),
      callback: (length: number, buffer: Uint8Array) => {
        receive(Buffer.from(buffer.subarray(0, length)));
        return true;
      },
    };
    const socket = connect({ path: keeper.address, onread });
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
function connectionOver({ socket, proof, keeper, folder, onMessage }: Link, terms: CallTerms): Connection {
  const waiting = new Map<number, Waiting>();
  /** Calls whose cancelling the keeper hasn't confirmed. */
  const cancelled = new Map<number, () => void>();
  let answered = false;
  let next = 1;
  const bad = (): void => {
    endKeeper(folder, keeper, 'SIGKILL');
    socket.destroy();
  };
  socket.on('close', () => {
    const calls = [...waiting.values()];
    waiting.clear();
    for (const confirm of cancelled.values()) confirm();
    // A keeper that ends by itself has removed its file already.
    if (calls.length > 0) endKeeper(folder, keeper, 'SIGTERM');
    for (const { taken, reject } of calls)
      reject(taken ? new Error('the server ended') : new NotTaken('the keeper is gone'));
  });
  onMessage(({ id = 0, taken, result, error, installing, ...said }) => {
    answered ||= said.answered === true;
    if (said.cancelled) cancelled.get(id)?.();
    const call = waiting.get(id);
    if (!call) return;
    if (said.elsewhere) {
      waiting.delete(id);
      // When the fire itself has checked the approval, a keeper that isn't in doubt says this only when it is about to end; it
      // may still finish calls of others. Without its file, the next fire starts a new keeper.
      if (!terms.toCheck && !said.inDoubt) removeKeeperFile(folder, keeper);
      return call.reject(new NotTaken('not for this fire'));
    }
    if (taken) {
      call.taken = true;
      return;
    }
    if (result === undefined && !error && installing === undefined) return;
    waiting.delete(id);
    if (installing !== undefined)
      call.reject(new NotOpened({ incident: 'tool.installing', detail: installing }));
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
        sendMessage(socket, {
          ...(id === 1 && { proof }),
          id,
          call: { method, params, by: Date.now() + PROMPT_MS, ...terms },
        });
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
      // The socket ends with the process, right after this: `destroy` would first set up process.stderr.
    },
  };
}

/** Opens the server in another way, once, when its keeper doesn't take a call. */
function withFallback(viaKeeper: Connection, start: () => Promise<Connection | Failure>): Connection {
  let fresh: Promise<Connection | Failure> | undefined;
  let current = viaKeeper;
  return {
    answered: () => current.answered(),
    request: async (method, params, givenUp) => {
      try {
        if (!fresh) return await viaKeeper.request(method, params, givenUp);
      } catch (error) {
        if (!(error instanceof NotTaken)) throw error;
      }
      fresh ??= start();
      const server = await fresh;
      if ('incident' in server) throw new NotOpened(server);
      current = server;
      return server.request(method, params, givenUp);
    },
    end: async () => {
      await Promise.all([viaKeeper.end(), current === viaKeeper ? undefined : current.end()]);
    },
  };
}
