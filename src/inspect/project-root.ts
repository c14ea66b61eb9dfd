import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LOCK } from '../base/paths.ts';
import { placeOf } from '../servers/definitions/config-files.ts';

/**
 * Returns the root of the project that contains a folder: the git top level (in a worktree, the worktree's own), even
 * if a folder below holds a lock file; without git, the nearest folder with a lock file, else the folder itself.
 */
export function projectRoot(cwd: string): string {
  const { top } = placeOf({}, cwd);
  if (top !== undefined) return top;
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, LOCK))) return at;
    if (at === dirname(at)) return cwd;
  }
}
