import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LOCK } from '../base/paths.ts';
import { placeOf } from '../servers/config-files.ts';

/**
 * The root of the project that a folder belongs to: the git top level (of a worktree, the worktree's own), whatever a
 * folder below it holds; without git the nearest folder with a lock file, else the folder itself.
 */
export function projectRoot(cwd: string): string {
  const { top } = placeOf({}, cwd);
  if (top !== undefined) return top;
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, LOCK))) return at;
    if (at === dirname(at)) return cwd;
  }
}
