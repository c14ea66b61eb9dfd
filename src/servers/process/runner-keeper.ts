import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { HERE } from '../../base/platform.ts';
import type { StdioLaunch } from '../launch/launch.ts';
import { type HeldInstall, shareInstall } from '../packages/install-lock.ts';

/** Job of a keeper (fire/programs/keep.ts), sent as the first line of its stdin. All later lines go to the server. */
export interface RunnerKeeperJob {
  start: StdioLaunch;
  /** Lock to release at the server's first answer. */
  lock?: HeldInstall;
  /** Set when the server's stderr is passed on. */
  stderr?: true;
}

/** File name of the keeper's program in a runtime's folder. */
export const RUNNER_KEEPER = 'keep.cjs';

/**
 * Returns how a keeper is started. Windows starts no program without variables of its own; without BUN_BE_BUN, a client
 * that stands in for node would start itself (templates/shim.sh).
 */
export function keeperStart({ PATH = '', BUN_BE_BUN }: NodeJS.ProcessEnv = process.env) {
  const env = HERE.windows ? process.env : { PATH, ...(BUN_BE_BUN && { BUN_BE_BUN }) };
  return { cwd: '/', env, ...HERE.outliving };
}

/** Starts a keeper, which starts a server and outlives this process. `file`: the keeper's program. */
export function startRunnerKeeper(
  file: string,
  job: RunnerKeeperJob,
): ChildProcessByStdio<Writable, Readable, Readable> {
  const keeper = spawn(process.execPath, [file], { ...keeperStart(), stdio: 'pipe' });
  if (job.lock) shareInstall(job.lock, [keeper.pid]);
  keeper.stdin.on('error', () => {});
  keeper.stdin.write(`${JSON.stringify(job)}\n`);
  return keeper;
}
