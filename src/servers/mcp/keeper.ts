import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type HeldInstall, shareInstall } from '../install-lock.ts';

/** What a keeper (fire/keep.ts) is to do: the first line that it reads. All that follows goes to the server. */
export interface KeeperJob {
  start: { command: string; args: string[]; cwd: string; env: Record<string, string> };
  /** Goes with the first answer of the server. */
  lock?: HeldInstall;
  /** Pass on what the server writes to stderr. */
  stderr?: true;
}

/** The keeper's program in the folder of a runtime. */
export const KEEPER = 'keep.cjs';

/** Starts a keeper, and through it a server: `file` is its program. It outlives this process. */
export function startKeeper(file: string, job: KeeperJob): ChildProcessByStdio<Writable, Readable, Readable> {
  const keeper = spawn(process.execPath, [file], {
    cwd: '/',
    env: process.platform === 'win32' ? process.env : { PATH: process.env.PATH ?? '' },
    stdio: 'pipe',
    detached: true,
  });
  if (job.lock) shareInstall(job.lock, [keeper.pid]);
  keeper.stdin.on('error', () => {});
  keeper.stdin.write(`${JSON.stringify(job)}\n`);
  return keeper;
}
