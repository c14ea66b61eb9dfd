import { accessSync, constants, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isKernelFolder } from '../base/paths.ts';
import { followed } from '../base/real-path.ts';
import { sha256 } from '../base/sha256.ts';
import { succeeds, tolerate } from './fs.ts';

/**
 * Returns the folder for the lock and the journal of a project's changes. The folder is on this machine, named after
 * the project's real path, because a lock or journal inside the project could be a stranger's. When the user's state
 * folder can't be written (a CI job without a home), the user's own folder below the temporary folder is used.
 */
export function projectLockFolder(state: string, root: string): string {
  const name = sha256(followed(root)).slice(0, 16);
  const base = canBeMade(state) && !isKernelFolder(state) ? state : temporaryState();
  return join(base, 'projects', name);
}

/** The user's own folder below the temporary folder. */
export const temporaryState = (): string => join(tmpdir(), `mcphooks-${process.getuid?.() ?? 'user'}`);

/** True when the folder, or the nearest existing folder above, can be written. */
function canBeMade(folder: string): boolean {
  const stat = tolerate(() => statSync(folder, { throwIfNoEntry: false }) ?? 'none');
  if (stat === 'none' && dirname(folder) !== folder) return canBeMade(dirname(folder));
  if (stat === undefined || stat === 'none' || !stat.isDirectory()) return false;
  return succeeds(() => accessSync(folder, constants.W_OK));
}
