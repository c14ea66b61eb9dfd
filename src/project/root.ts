import { existsSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
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

/**
 * Throws a Fault, `project.outside`, where a path leads out of the project, through `..` or a symbolic link, or into
 * the folder of git, from which git runs what it finds.
 */
export function assertWithin(root: string, path: string): void {
  const to = realPath(path);
  const inside = `${to}/`.startsWith(`${realPath(root)}/`);
  if (!inside || relative(realPath(root), to).split('/').includes('.git'))
    throw new Fault('project.outside', { to }, { file: path });
}

/** Throws a Fault, `project.linked`, where a path below the root is reached by a symbolic link. */
export function assertUnlinked(root: string, path: string): void {
  const to = realPath(path);
  if (to !== join(realPath(root), relative(root, path)))
    throw new Fault('project.linked', { to }, { file: path });
}

/** As the system follows links, so that it ends. */
const MOST_LINKS = 40;

/** With all links followed, whether or not there is anything: a link to nothing leads to what a write would make. */
function realPath(path: string, links = 0): string {
  try {
    return realpathSync(path);
  } catch {
    const up = dirname(path);
    if (up === path || links > MOST_LINKS) return path;
    const here = join(realPath(up, links + 1), basename(path));
    const link = linkAt(here);
    return link === undefined ? here : realPath(resolve(dirname(here), link), links + 1);
  }
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
