import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { assetPath } from '../../base/assets.ts';
import { type HeldInstall, lockInstall } from '../install-lock.ts';
import type { StdioLaunch } from '../launch.ts';
import { runnerEnv } from '../package-runner.ts';
import { maskText } from '../secrets.ts';
import type { PackageRun } from '../types.ts';
import type { Channel, Diagnostics } from './channel.ts';
import { exchangeLines, letGo } from './lines.ts';
import { KEEPER, startKeeper } from './runner-keeper.ts';

const POLL_MS = 100;

/**
 * Starts a server by its package runner, which may install the package first and is never ended before the server's
 * first answer: a half-made cache would prevent every later start. Faults: `server.installing` in place of
 * `server.timeout`, and when another process is still installing the package at `deadline` (ms since 1970).
 */
export async function openRunner(
  run: PackageRun,
  { command, args, cwd, env }: StdioLaunch,
  diagnostics: Diagnostics,
  { state, deadline }: { state: string; deadline: number },
): Promise<Channel> {
  if (!existsSync(cwd)) throw diagnostics.fault('server.start-failed', { reason: 'NO_FOLDER', folder: cwd });
  const shown = maskText(run.spec ?? '');
  const about = { runner: run.runner, package: shown };
  const lock = await turnOf(run, [command, ...args], { state, deadline, shown });
  if (lock === 'taken') throw diagnostics.fault('server.installing', about);
  const start = { command, args, cwd, env: runnerEnv(run, env) };
  const keeper = startKeeper(assetPath(`dist/runtime/${KEEPER}`), {
    start,
    ...(lock && { lock }),
    stderr: true,
  });
  let answered = false;
  const channel = exchangeLines(
    keeper,
    {
      ...diagnostics,
      fault: (code, given) =>
        code === 'server.timeout' && !answered
          ? diagnostics.fault<'server.installing'>('server.installing', { ...given, ...about })
          : diagnostics.fault(code, given),
    },
    () => {
      answered = true;
    },
  );
  const over = new Promise<void>((resolve) => {
    keeper.on('close', (code, signal) => {
      channel.fail(diagnostics.fault('server.died', { how: signal ?? Number(code) }));
      resolve();
    });
  });
  return {
    ...channel,
    close: async () => {
      keeper.stdin.end();
      if (answered) return over;
      letGo(keeper);
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
