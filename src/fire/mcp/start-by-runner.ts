import type { StdioLaunch } from '../../servers/launch/launch.ts';
import type { Install } from '../../servers/packages/install-lock.ts';
import type { RunnerKeeperJob } from '../../servers/process/runner-keeper.ts';
import { whenFree } from '../../servers/process/when-free.ts';
import type { PackageRun } from '../../servers/types.ts';
import { type Connection, connect } from './rpc.ts';
import { overRunnerKeeper } from './stdio.ts';

/**
 * Milliseconds in which a package runner answers when its package is installed; a lock held longer means an install.
 */
export const STARTING_MS = 3_000;

/**
 * Starts a server by its package runner, which outlives this process until the server's first answer. While another
 * process starts the same package, waits for it; when that process is installing the package, returns the install.
 */
export const startByRunner = (
  run: PackageRun,
  start: StdioLaunch,
  { runtime, state }: { runtime: string; state: string },
): Promise<Connection | Install> =>
  openWhenFree(run, start, state, (job) => connect((listener) => overRunnerKeeper(runtime, job, listener)));

/**
 * Opens a connection by the job, under the lock of a package's install. While another process holds the lock, waits;
 * when that process is installing the package, returns the install.
 */
export async function openWhenFree(
  run: PackageRun,
  start: StdioLaunch,
  state: string,
  open: (job: RunnerKeeperJob) => Connection,
): Promise<Connection | Install> {
  const isInstalling = ({ since }: Install): boolean => Date.now() - Date.parse(since) > STARTING_MS;
  const job = await whenFree(run, start, state, isInstalling);
  return 'heldBy' in job ? job.heldBy : open(job);
}
