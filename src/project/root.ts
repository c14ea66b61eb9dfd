import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Fault } from '../messages.ts';
import { placeOf } from '../server/files.ts';

/** The lock file's name, at the project's root. */
export const LOCK = 'mcphooks.lock.json';

/**
 * The root of the project that a folder belongs to: the nearest folder with a lock file, else the git top level (of a
 * worktree, the worktree's own), else the folder itself.
 */
export function projectRoot(cwd: string): string {
  const { top } = placeOf({}, cwd);
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, LOCK))) return at;
    if (at === top || at === dirname(at)) return top ?? cwd;
  }
}

/** Throws a Fault, `project.outside`, where a path leads out of the project: through `..` or a symbolic link. */
export function assertWithin(root: string, path: string): void {
  const to = realPath(path);
  if (!`${to}/`.startsWith(`${realPath(root)}/`)) throw new Fault('project.outside', { to }, { file: path });
}

/** With all links followed, whether or not there is anything. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const up = dirname(path);
    return up === path ? path : join(realPath(up), basename(path));
  }
}
