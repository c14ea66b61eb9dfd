import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isKernelFolder } from '../base/paths.ts';
import { sha256 } from '../base/sha256.ts';
import { tolerate } from './fs.ts';

/**
 * Where the lock and the journal of a project's changes are: on this machine, by the project's real path, since
 * whatever is in the project may have come with it. Where nothing can be written to the user's state folder, as for
 * a CI job without a home, in a folder of the user's own among the temporary ones.
 */
export function projectLockFolder(state: string, root: string): string {
  const name = sha256(tolerate(() => realpathSync(root)) ?? root).slice(0, 16);
  const base =
    canBeMade(state) && !isKernelFolder(state)
      ? state
      : join(tmpdir(), `mcphooks-${process.getuid?.() ?? 'user'}`);
  return join(base, 'projects', name);
}

/** Whether a folder is there, or the nearest one above it can be written to. */
function canBeMade(folder: string): boolean {
  const stat = tolerate(() => statSync(folder, { throwIfNoEntry: false }) ?? 'none');
  if (stat === 'none' && dirname(folder) !== folder) return canBeMade(dirname(folder));
  if (stat === undefined || stat === 'none' || !stat.isDirectory()) return false;
  return tolerate(() => accessSync(folder, constants.W_OK) ?? true) ?? false;
}
