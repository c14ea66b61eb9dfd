import { type Install, lockInstall } from '../servers/install-lock.ts';
import type { StdioLaunch } from '../servers/launch.ts';
import type { KeeperJob } from '../servers/mcp/runner-keeper.ts';
import { runnerEnv } from '../servers/package-runner.ts';
import { maskText } from '../servers/secrets.ts';
import type { PackageRun } from '../servers/types.ts';
import { type Connection, connect } from './mcp-rpc.ts';
import { overKeeper } from './mcp-stdio.ts';

/**
 * Milliseconds in which a package runner answers when its package is installed; a lock held longer means an install.
 */
export const STARTING_MS = 3_000;
const POLL_MS = 50;

/**
 * Starts a server by its package runner, which outlives this process until the server's first answer. While another
 * process starts the same package, waits for it; when that process is installing the package, returns the install.
 */
export const startByRunner = (
  run: PackageRun,
  start: StdioLaunch,
  { runtime, state }: { runtime: string; state: string },
): Promise<Connection | Install> =>
  whenFree(run, start, state, (job) => connect((listener) => overKeeper(runtime, job, listener)));

/**
 * Opens a connection by the job, under the lock of a package's install. While another process holds the lock, waits;
 * when that process is installing the package, returns the install.
 */
export async function whenFree(
  run: PackageRun,
  { command, args, cwd, env }: StdioLaunch,
  state: string,
  open: (job: KeeperJob) => Connection,
): Promise<Connection | Install> {
  const shown = maskText(run.spec ?? '');
  for (;;) {
    const lock = lockInstall(state, run, [command, ...args], shown);
    if (lock && 'heldBy' in lock) {
      if (Date.now() - Date.parse(lock.heldBy.since) > STARTING_MS) return lock.heldBy;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      continue;
    }
    return open({ start: { command, args, cwd, env: runnerEnv(run, env) }, ...(lock && { lock }) });
  }
}
