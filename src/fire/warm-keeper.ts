import { randomBytes } from 'node:crypto';
import { chmodSync, rmSync, utimesSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { HERE } from '../base/platform.ts';
import { processState } from '../base/process.ts';
import { quietly } from '../base/quietly.ts';
import { endInstall, LONGEST_INSTALL_MS } from '../servers/install-lock.ts';
import { redact } from '../servers/mask-message.ts';
import { maskText } from '../servers/secrets.ts';
import type { PackageRun } from '../servers/types.ts';
import { type Connection, connect, Refused } from './mcp-rpc.ts';
import { overStdio } from './mcp-stdio.ts';
import { STARTING_MS, whenFree } from './runner.ts';
import { addressOf, dropKept, isPrivate, type KeptServer, keptFile } from './warm-place.ts';
import { newNonce, proofsOf, proves, reader, sendMessage, type WarmMessage } from './warm-proof.ts';
import { dropHints, giveWay, leaveHint, register } from './warm-register.ts';
import type { WarmJob } from './warm-start.ts';
import { reachKept, watchFor } from './warm-watch.ts';

/** A server is ended this long after its start, however much it is used. */
const LONGEST_MS = 8 * 3600 * 1000;
/** Milliseconds between looks at the files on which a kept server depends. */
const LOOK_MS = 1_000;
/** Milliseconds for a server's first answer, where no package runner may be installing it. */
const FIRST_ANSWER_MS = 60_000;
/** Milliseconds for a server to show that it is alive after a call was given up. */
const PING_MS = 2_000;
/** Milliseconds for a connection to prove itself, and most connections at a time. */
const PROVE_MS = 1_000;
const MOST_CONNECTIONS = 64;
/** Milliseconds for a server to end by itself; then its watcher ends it. */
const GRACE_MS = 300;

/**
 * `node warm-keeper.cjs`: keeps a server running between fires. Reads its job (`WarmJob`) from stdin, listens at a socket
 * in a folder of its own, starts the server, and passes on the calls of fires that prove the secret in its file. It ends
 * the server and itself after the time that the last fire asked for, and when anything changes that the server follows
 * from. When it is killed, the server's watcher ends the server with all that this started.
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
  const { folder, id, start, data } = job;
  const address = addressOf(folder, id, process.pid);
  if (address === undefined || !isPrivate(folder, 'folder')) process.exit(1);
  const started = processState(process.pid)?.started;
  const kept: KeptServer = {
    format: 1,
    id,
    server: data.server,
    folder: start.cwd,
    pid: process.pid,
    ...(started !== undefined && { started }),
    since: new Date().toISOString(),
    address,
    secret: randomBytes(32).toString('hex'),
    shim: job.shim,
    runtime: job.runtime,
  };
  const watch = watchFor(job, kept);
  /** Connections that have proved the secret. */
  const sockets = new Set<Socket>();
  /** Names under which fires find this keeper. */
  const hints = new Set<string>();
  let connection: Promise<Connection | undefined> | undefined;
  let installing: string | undefined;
  let answered = false;
  let active = 0;
  let idleMs = data.server_at?.keep?.ms ?? 0;
  let idle: NodeJS.Timeout | undefined;
  let ending = false;

  const end = (): void => {
    if (ending) return;
    ending = true;
    listener.close();
    dropKept(folder, kept);
    dropHints(folder, hints, id);
    quietly(() => rmSync(address, { force: true }));
    void connection?.then((server) => server?.end());
    // Answers on their way out reach their fires meanwhile.
    setTimeout(() => process.exit(0), GRACE_MS);
  };
  const rest = (): void => {
    clearTimeout(idle);
    if (active === 0) idle = setTimeout(end, idleMs);
  };

  const begin = async (): Promise<Connection | undefined> => {
    const open = (env: Record<string, string>, onAnswer: () => void): Connection =>
      connect((listener) =>
        overStdio(
          { ...start, env },
          {
            message: (message) => {
              if (message.id !== undefined && message.method === undefined) onAnswer();
              listener.message(message);
            },
            closed: (reason) => {
              listener.closed(reason);
              setImmediate(end);
            },
          },
        ),
      );
    const first = (done = (): void => {}) => {
      return (): void => {
        if (answered) return;
        answered = true;
        clearTimeout(patience);
        done();
        for (const socket of sockets) sendMessage(socket, { answered: true });
      };
    };
    const patience = setTimeout(end, job.run ? LONGEST_INSTALL_MS : FIRST_ANSWER_MS);
    if (!job.run) return open(start.env, first());
    const free = await whenFree(job.run, start, data.state, ({ start: { env }, lock }) =>
      open(
        env,
        first(() => lock && endInstall(lock)),
      ),
    );
    if ('request' in free) return free;
    installing = underWay({ runner: free.runner, spec: free.package }, free.since);
    setTimeout(end, GRACE_MS);
    return undefined;
  };

  const call = async (
    { id, call }: WarmMessage,
    givenUp: AbortSignal,
    secrets: readonly string[],
  ): Promise<WarmMessage> => {
    const server = await connection;
    if (!server || !call) return { ...(id && { id }), installing: installing ?? '' };
    try {
      const result = await server.request(call.method, call.params, givenUp);
      return { ...(id && { id }), result: result ?? null };
    } catch (error) {
      const message = redact((error as Error).message, secrets);
      return { ...(id && { id }), error: { message, ...(error instanceof Refused && { refused: true }) } };
    }
  };

  /** Ends a server that doesn't answer any more: a later call starts it anew. */
  const check = async (): Promise<void> => {
    const server = answered && (await connection);
    if (!server) return;
    const timer = setTimeout(end, PING_MS);
    await server.request('ping', {}).catch((error) => error instanceof Refused || end());
    clearTimeout(timer);
  };

  const serve = (socket: Socket): void => {
    const calls = new Map<number, AbortController>();
    const take = (message: WarmMessage): void => {
      sockets.add(socket);
      const { id = 0, call: asked, cancel } = message;
      if (cancel) {
        calls.get(id)?.abort();
        sendMessage(socket, { id, cancelled: true });
        return;
      }
      if (!asked || Date.now() > asked.by || ending) return;
      const moved = !watch.inPlace();
      const found = asked.toCheck && answered && !moved ? reachKept(asked.toCheck, job) : undefined;
      if (moved || (asked.toCheck && !found)) {
        if (moved) end();
        sendMessage(socket, { id, elsewhere: true });
        return;
      }
      if (asked.hint) leaveHint(folder, hints, asked.hint, kept.id);
      const run = answered ? undefined : job.run;
      if (run && Date.now() - Date.parse(kept.since) > STARTING_MS) {
        sendMessage(socket, { id, installing: underWay(run, kept.since) });
        return;
      }
      const controller = new AbortController();
      calls.set(id, controller);
      active++;
      clearTimeout(idle);
      idleMs = asked.keepMs;
      sendMessage(socket, { id, taken: true, ...(answered && { answered }) });
      quietly(() => utimesSync(keptFile(folder, kept.id), new Date(), new Date()));
      void call(message, controller.signal, found?.secrets ?? []).then((reply) => {
        calls.delete(id);
        active--;
        rest();
        if (controller.signal.aborted) void check();
        else sendMessage(socket, reply);
      });
    };
    socket.on('close', () => {
      sockets.delete(socket);
      for (const controller of calls.values()) controller.abort();
    });
    onceProved(socket, kept.secret, take);
  };
  const listener: Server = createServer((socket) => {
    socket.on('error', () => {});
    serve(socket);
  });
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
    connection = begin();
    connection.catch(end);
    rest();
    setTimeout(end, LONGEST_MS);
    setInterval(() => watch.stands() || end(), LOOK_MS);
  });
}

const underWay = ({ runner, spec = '' }: Pick<PackageRun, 'runner' | 'spec'>, since: string): string =>
  `${runner} ${maskText(spec)}, since ${since}`;

/** Passes on messages once the other side has proved the secret; closes the connection when it doesn't. */
function onceProved(socket: Socket, secret: string, use: (message: WarmMessage) => void): void {
  let expected: string | undefined;
  let proved = false;
  const timer = setTimeout(() => proved || socket.destroy(), PROVE_MS);
  socket.on('close', () => clearTimeout(timer));
  const receive = reader(
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
