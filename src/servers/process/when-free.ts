import type { StdioLaunch } from '../launch/launch.ts';
import { maskText } from '../masking/secrets.ts';
import { type Install, lockInstall } from '../packages/install-lock.ts';
import { runnerEnv } from '../packages/package-runner.ts';
import type { PackageRun } from '../types.ts';
import type { RunnerKeeperJob } from './runner-keeper.ts';

const POLL_MS = 50;

/**
 * Takes the lock of a package's install, and returns the job that starts the server under it. While another process
 * holds the lock, waits; returns that install once `givesUp` says so.
 */
export async function whenFree(
  run: PackageRun,
  { command, args, cwd, env }: StdioLaunch,
  state: string,
  givesUp: (heldBy: Install) => boolean,
): Promise<RunnerKeeperJob | { heldBy: Install }> {
  const shown = maskText(run.spec ?? '');
  for (;;) {
    const lock = lockInstall(state, run, [command, ...args], shown);
    if (!lock || !('heldBy' in lock))
      return { start: { command, args, cwd, env: runnerEnv(run, env) }, ...(lock && { lock }) };
    if (givesUp(lock.heldBy)) return lock;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
