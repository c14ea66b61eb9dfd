import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { approvedLaunch } from '../approval/approved-launch.ts';
import { statOf } from '../files.ts';
import { hookPaths, slugOf } from '../own-folders.ts';
import { idOf, type KeeperFile, lasting, readKeeperFile } from './keeper-file.ts';
import type { LaunchInputs } from './messages.ts';
import type { WarmJob } from './start-keeper.ts';

/** True when the definition is approved, which is checked as by a fire, and leads to the server of this job. */
export function leadsToServer({ data, startFolder, hookEnv }: LaunchInputs, { id, run }: WarmJob): boolean {
  const found = approvedLaunch(data, startFolder, hookEnv);
  const keep = data.server_at?.keep;
  if ('incident' in found || !keep || !('command' in found.to)) return false;
  const same = idOf(data.server, lasting({ ...found, to: found.to }, keep)) === id;
  return same && Boolean(found.run) === Boolean(run);
}

interface Watch {
  /**
   * True while nothing has changed since the server was started: our own files, its folder, its approved definition, and
   * no file that disables its hooks.
   */
  stands: () => boolean;
  /** True while its keeper's file leads to it. */
  isNamed: () => boolean;
  /** True while its path leads to the folder that the server runs in. */
  inPlace: () => boolean;
}

export function watchFor(job: WarmJob, kept: KeeperFile): Watch {
  const { folder, id, start, data, hookEnv, shim, runtime } = job;
  const fileStates = (paths: readonly string[]): string =>
    paths
      .map((path) => {
        const stat = statOf(path);
        return stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : '';
      })
      .join('\n');
  const ours = [shim, `${shim}.json`, `${shim}.cjs`, join(runtime, 'warm-keeper.cjs')];
  const hooks = dirname(dirname(dirname(shim)));
  const disabledFiles = [hooks, join(hookPaths(hookEnv).data, 'hooks', slugOf(shim))].map((folder) =>
    join(folder, 'disabled'),
  );
  const { server_at } = data;
  const definitions = [
    ...[server_at, ...(server_at?.others ?? [])].flatMap((at) => at?.source.file ?? []),
    join(data.state, 'record.json'),
  ];
  const before = fileStates(ours);
  // The definition may have changed since the fire checked it.
  let seen: string | undefined;
  const place = placeOf(start.cwd);
  const inPlace = (): boolean => place !== undefined && placeOf(start.cwd) === place;
  const stands = (): boolean => {
    if (!inPlace() || fileStates(ours) !== before || disabledFiles.some((file) => existsSync(file)))
      return false;
    // Hooks that were removed while the keeper was started.
    if (!existsSync(`${shim}.json`)) return false;
    const found = fileStates(definitions);
    if (found === seen) return true;
    seen = found;
    return leadsToServer(job, job);
  };
  const isNamed = (): boolean => readKeeperFile(folder, id)?.secret === kept.secret;
  return { stands, isNamed, inPlace };
}

/** Tells a folder from a later one with the same path. */
function placeOf(folder: string): string | undefined {
  const stat = statOf(folder);
  return stat && `${stat.dev} ${stat.ino}`;
}
