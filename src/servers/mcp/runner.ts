import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { assetPath } from '../../base/assets.ts';
import type { Launch } from '../definition.ts';
import { type HeldInstall, lockInstall } from '../install-lock.ts';
import { runnerEnv } from '../package-runner.ts';
import { maskText } from '../secrets.ts';
import type { PackageRun } from '../types.ts';
import { type Channel, type Diagnostics, exchange } from './channel.ts';
import { KEEPER, startKeeper } from './keeper.ts';

const POLL_MS = 100;

/**
 * Starts a server by its package runner, which may install the package first and is never ended before the server's
 * first answer: a half-made cache would prevent every later start. Faults: `server.installing` in place of
 * `server.timeout`, and when another process is still installing the package at `deadline` (ms since 1970).
 */
export async function openRunner(
  run: PackageRun,
  { command, args, cwd, env }: Extract<Launch, { command: string }>,
  mouth: Diagnostics,
  { state, deadline }: { state: string; deadline: number },
): Promise<Channel> {
  if (!existsSync(cwd)) throw mouth.fault('server.start-failed', { reason: `no folder ${cwd}` });
  const shown = maskText(run.spec ?? '');
  const about = { runner: run.runner, package: shown };
  const lock = await turnOf(run, [command, ...args], { state, deadline, shown });
  if (lock === 'taken') throw mouth.fault('server.installing', about);
  const start = { command, args, cwd, env: runnerEnv(run, env) };
  const keeper = startKeeper(assetPath(`dist/runtime/${KEEPER}`), {
    start,
    ...(lock && { lock }),
    stderr: true,
  });
  let answered = false;
  const transport: Parameters<typeof exchange>[0] = {
    send: async (message: object) => void keeper.stdin.write(`${JSON.stringify(message)}\n`),
  };
  const channel = exchange(transport, {
    ...mouth,
    fault: (code, given) =>
      code === 'server.timeout' && !answered
        ? mouth.fault('server.installing', { ...given, ...about })
        : mouth.fault(code, given),
  });
  const receive = transport.onmessage;
  let size = 0;
  keeper.stdout.on('data', (chunk: Buffer) => {
    size = chunk.includes(10) ? chunk.length : size + chunk.length;
    if (size <= mouth.maxBytes) return;
    keeper.stdout.destroy();
    channel.fail(mouth.fault('server.too-big', { max: mouth.maxBytes / 1e6 }));
  });
  createInterface({ input: keeper.stdout }).on('line', (line) => {
    const message = messageOf(line);
    if (!message) return;
    answered = true;
    receive?.(message as never);
  });
  keeper.stderr.on('data', (chunk: Buffer) => mouth.heard(chunk));
  const over = new Promise<void>((resolve) => {
    keeper.on('close', (code) => {
      channel.fail(mouth.fault('server.died', { how: `exit code ${code}` }));
      resolve();
    });
  });
  return {
    ...channel,
    close: async () => {
      keeper.stdin.end();
      if (answered) return over;
      keeper.unref();
      for (const stream of [keeper.stdin, keeper.stdout, keeper.stderr]) stream.destroy();
    },
  };
}

/** Waits until no other process is starting the same package, and returns the lock. */
async function turnOf(
  run: PackageRun,
  command: readonly string[],
  { state, deadline, shown }: { state: string; deadline: number; shown: string },
): Promise<HeldInstall | 'taken' | undefined> {
  for (;;) {
    const lock = lockInstall(state, run, command, shown);
    if (!lock || !('heldBy' in lock)) return lock;
    if (Date.now() + POLL_MS >= deadline) return 'taken';
    await sleep(POLL_MS);
  }
}

function messageOf(line: string): object | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === 'object' && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}
