import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../../base/make-folder.ts';
import { quietly } from '../../base/quietly.ts';
import type { StdioLaunch } from '../../servers/launch/launch.ts';
import { keeperStart } from '../../servers/process/runner-keeper.ts';
import type { PackageRun } from '../../servers/types.ts';
import { claimFile, isAbandoned } from '../claim-file.ts';
import { removeQuietly } from '../files.ts';
import { addressOf } from './address.ts';
import { isPrivate, type KeeperFile, readKeeperFile } from './keeper-file.ts';
import type { LaunchInputs } from './messages.ts';

/** File name of the keeper's program in a runtime's folder. */
const PROGRAM = 'warm-keeper.cjs';

/** Milliseconds after which the claim of a fire that starts a keeper is void. */
const STALE_MS = 10_000;
const POLL_MS = 10;

/** Job of a keeper, sent as one line on its stdin. Holds the environment of a client, and so stays in memory. */
export interface WarmJob extends LaunchInputs {
  id: string;
  folder: string;
  start: StdioLaunch;
  run?: PackageRun;
  /** Hook script, and folder of the runtime, that started it. */
  shim: string;
  runtime: string;
}

/**
 * Starts a keeper and returns it once it listens; where another fire is starting the same one, waits for that. Returns
 * undefined when there is none by `until` (`Date.now`), or it can't be kept from others.
 */
export async function startKeeperOnce(job: WarmJob, until: number): Promise<KeeperFile | undefined> {
  const { folder, id, runtime } = job;
  if (addressOf(folder, id, process.pid) === undefined) return undefined;
  quietly(() => makeFolder(folder));
  if (!isPrivate(folder, 'folder')) return undefined;
  const claim = join(folder, `${id}.claim`);
  let keeper: ChildProcess | undefined;
  try {
    while (Date.now() < until) {
      const kept = readKeeperFile(folder, id);
      if (kept?.runtime === runtime) return kept;
      // It ended before it listened.
      if (keeper && (keeper.exitCode ?? keeper.signalCode) !== null) return undefined;
      if (!keeper) {
        const claimed = claimFile(claim);
        // On a full or read-only disk, a keeper couldn't write its file.
        if (claimed === 'unwritable') return undefined;
        if (claimed === 'claimed') keeper = spawnKeeper(job);
        else if (isAbandoned(claim, STALE_MS)) removeQuietly(claim);
      }
      await sleep(POLL_MS);
    }
    return undefined;
  } finally {
    if (keeper) removeQuietly(claim);
  }
}

/** The keeper has no terminal, no output, and none of the session's environment. */
function spawnKeeper(job: WarmJob): ChildProcess {
  const keeper = spawn(process.execPath, [join(job.runtime, PROGRAM)], {
    ...keeperStart(),
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  keeper.on('error', () => {});
  keeper.unref();
  keeper.stdin?.on('error', () => {});
  keeper.stdin?.end(`${JSON.stringify(job)}\n`);
  return keeper;
}
