import { randomBytes } from 'node:crypto';
import { chmodSync, rmSync, utimesSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { HERE } from '../../base/platform.ts';
import { recordedProcess } from '../../base/process.ts';
import { quietly } from '../../base/quietly.ts';
import { addressOf } from '../warm/address.ts';
import {
  isPrivate,
  type KeeperFile,
  keeperFilePath,
  readKeeperFile,
  removeKeeperFile,
} from '../warm/keeper-file.ts';
import { messageParser, sendMessage, type WarmCall, type WarmMessage } from '../warm/messages.ts';
import { newNonce, proofsOf, proves } from '../warm/proof.ts';
import { dropHints, giveWay, leaveHint, register } from '../warm/register.ts';
import { GRACE_MS, warmServer } from '../warm/server.ts';
import type { WarmJob } from '../warm/start-keeper.ts';
import { leadsToServer, watchFor } from '../warm/watch.ts';

/** A server is ended this long after its start, however much it is used. */
const LONGEST_MS = 8 * 3600 * 1000;
/** Milliseconds between looks at the files on which a kept server depends. */
const LOOK_MS = 1_000;
/** A server that gives way is ended after this time at the latest: no call may take longer. */
const LONGEST_CALL_MS = 15_000;
/** Milliseconds for a connection to prove itself, and most connections at a time. */
const PROVE_MS = 1_000;
const MOST_CONNECTIONS = 64;

/**
 * `node warm-keeper.cjs`: keeps a server running between fires. Reads its job (`WarmJob`) from stdin, listens at a socket
 * in a folder of its own, starts the server, and passes on the calls of fires that prove the secret in its file. It ends
 * the server and itself after the time that the last fire asked for, and when its definition, hook script, runtime or
 * folder changes. When it is killed, the server's watcher ends the server with all that this started.
 */
function main(): void {
  let head = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (chunk: string) => (head += chunk));
  process.stdin.on('error', () => process.exit(1));
  process.stdin.on('end', () => {
    try {
      keep(JSON.parse(head) as WarmJob);
    } catch {
      process.exit(1);
    }
  });
}

function keep(job: WarmJob): void {
  const { folder, id } = job;
  const address = addressOf(folder, id, process.pid);
  if (address === undefined || !isPrivate(folder, 'folder')) process.exit(1);
  const kept = keptFor(job, address);
  const watch = watchFor(job, kept);
  /** Connections that have proved the secret. */
  const sockets = new Set<Socket>();
  /** Names under which fires find this keeper. */
  const hints = new Set<string>();
  /** One for each call under way. */
  const calls = new Set<AbortSignal>();
  let ending = false;
  let retiring = false;

  const end = (): void => {
    if (ending) return;
    ending = true;
    listener.close();
    removeKeeperFile(folder, kept);
    // A later keeper of this server uses the same hints.
    if (!readKeeperFile(folder, id)) dropHints(folder, hints, id);
    quietly(() => rmSync(address, { force: true }));
    server.end();
    // Answers on their way out reach their fires meanwhile.
    setTimeout(() => process.exit(0), GRACE_MS);
  };
  const server = warmServer(job, kept.since, end, () => {
    for (const socket of sockets) sendMessage(socket, { answered: true });
  });
  const touch = (): void => quietly(() => utimesSync(keeperFilePath(folder, id), new Date(), new Date()));
  const idle = idleTimer(job.data.server_at?.keep?.ms ?? 0, end);
  /** Ends when no call is under way, and takes no other: another keeper needed its place (`giveWay`). */
  const retire = (): void => {
    if (retiring) return;
    retiring = true;
    idle(0)();
    setTimeout(end, LONGEST_CALL_MS);
  };

  const take: Take = (call, givenUp, say) => {
    if (Date.now() > call.by || ending) return;
    if (retiring) return say({ elsewhere: true });
    if (server.inDoubt()) return say({ elsewhere: true, inDoubt: true });
    if (!watch.inPlace()) {
      end();
      return say({ elsewhere: true });
    }
    const { toCheck, hint } = call;
    if (toCheck && !(server.answered() && leadsToServer(toCheck, job))) return say({ elsewhere: true });
    if (hint) leaveHint(folder, hints, hint, id);
    const installing = server.installing();
    if (installing) return say({ installing });
    const finish = idle(call.keepMs);
    calls.add(givenUp);
    say({ taken: true, ...(server.answered() && { answered: true }) });
    touch();
    return server.call(call, givenUp).then((reply) => {
      finish();
      calls.delete(givenUp);
      if (!givenUp.aborted) say(reply);
    });
  };

  const listener = createServer((socket) => serve(socket, kept.secret, sockets, take));
  listener.maxConnections = MOST_CONNECTIONS;
  listener.on('error', () => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  listener.listen(address, () => {
    if (!HERE.windows) quietly(() => chmodSync(address, 0o600));
    if (!register(folder, kept)) {
      quietly(() => rmSync(address, { force: true }));
      process.exit(0);
    }
    giveWay(folder, kept);
    server.begin();
    setTimeout(end, LONGEST_MS);
    setInterval(() => {
      if (!watch.stands()) end();
      else if (!watch.isNamed()) retire();
      // By this, others know a server with a call of some length from an unused one. A call that its fire has given up
      // may go on for a minute, while the server doesn't answer at all.
      else if ([...calls].some(({ aborted }) => !aborted)) touch();
    }, LOOK_MS);
  });
}

/** Returns what the keeper's file says. */
function keptFor({ id, start, data, shim, runtime }: WarmJob, address: string): KeeperFile {
  return {
    format: 1,
    id,
    server: data.server,
    folder: start.cwd,
    ...recordedProcess(process.pid),
    since: new Date().toISOString(),
    address,
    secret: randomBytes(32).toString('hex'),
    shim,
    runtime,
  };
}

/**
 * Calls `end` when no call has been under way for as long as the last call asked for, or at first for `idleMs`. Returns
 * the function that begins a call, which returns the function that finishes that call.
 */
function idleTimer(idleMs: number, end: () => void): (keepMs: number) => () => void {
  let active = 0;
  let timer = setTimeout(end, idleMs);
  return (keepMs) => {
    active++;
    idleMs = keepMs;
    clearTimeout(timer);
    return () => {
      if (--active === 0) timer = setTimeout(end, idleMs);
    };
  };
}

/** Says that a call is taken and returns a promise of its end, or says why it is not taken, if there is time for it. */
type Take = (
  call: WarmCall,
  givenUp: AbortSignal,
  say: (message: WarmMessage) => void,
) => Promise<void> | void;

/** Passes on the calls of one connection, and gives them up when the fire cancels them or is gone. */
function serve(socket: Socket, secret: string, sockets: Set<Socket>, take: Take): void {
  const calls = new Map<number, AbortController>();
  socket.on('error', () => {});
  socket.on('close', () => {
    sockets.delete(socket);
    for (const controller of calls.values()) controller.abort();
  });
  onceProved(socket, secret, ({ id = 0, call, cancel }) => {
    sockets.add(socket);
    const say = (message: WarmMessage): void => sendMessage(socket, { id, ...message });
    if (cancel) {
      calls.get(id)?.abort();
      say({ cancelled: true });
    } else if (call) {
      const controller = new AbortController();
      const taken = take(call, controller.signal, say);
      if (!taken) return;
      calls.set(id, controller);
      void taken.then(() => calls.delete(id));
    }
  });
}

/** Passes on messages once the other side has proved the secret; closes the connection when it doesn't. */
function onceProved(socket: Socket, secret: string, use: (message: WarmMessage) => void): void {
  let expected: string | undefined;
  let proved = false;
  const timer = setTimeout(() => proved || socket.destroy(), PROVE_MS);
  socket.on('close', () => clearTimeout(timer));
  const receive = messageParser(
    (message) => {
      if (proved) return use(message);
      if (expected === undefined) {
        const nonce = newNonce();
        const proofs = proofsOf(secret, { fire: String(message.nonce), keeper: nonce });
        expected = proofs.fire;
        return sendMessage(socket, { nonce, proof: proofs.keeper });
      }
      proved = proves(message.proof, expected);
      if (!proved) socket.destroy();
      // The first call comes with the proof.
      else if (message.call) use(message);
    },
    () => socket.destroy(),
  );
  socket.on('data', receive);
}

main();
