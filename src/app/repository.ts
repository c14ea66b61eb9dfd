import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { LOCK } from '../base/paths.ts';
import { readFile } from '../base/read-file.ts';
import { followed } from '../base/real-path.ts';

/**
 * Returns the repository of a folder, as the real path of its main checkout; without git, the folder of the nearest
 * lock file, else the folder itself. A git repository or lock file in the home folder doesn't count for folders below.
 */
export function repositoryOf(cwd: string, home: string): string {
  const folder = followed(cwd);
  const above = parents(folder).filter((at) => at === folder || at !== followed(home));
  const top = above.find((at) => existsSync(join(at, '.git')));
  // A package installed below node_modules belongs to somebody else, not to the repository around it.
  if (top !== undefined && relative(top, folder).split(sep).includes('node_modules')) return folder;
  if (top !== undefined) return mainCheckout(top) ?? top;
  return above.find((at) => existsSync(join(at, LOCK))) ?? folder;
}

/**
 * Returns the main checkout of a worktree: the worktree's `.git` names `<main>/.git/worktrees/<name>`, and that folder
 * must name the worktree in turn. A stranger can forge the first name, but not the second. undefined: not a worktree,
 * or not listed by that repository.
 */
function mainCheckout(worktree: string): string | undefined {
  const git = join(worktree, '.git');
  try {
    if (!lstatSync(git).isFile()) return undefined;
    const own = /^gitdir: (.+?)\r?\n?$/.exec(readFile(git).toString())?.[1];
    if (own === undefined) return undefined;
    const listed = realpathSync(resolve(worktree, own));
    if (basename(dirname(listed)) !== 'worktrees') return undefined;
    const back = resolve(
      listed,
      readFile(join(listed, 'gitdir'))
        .toString()
        .replace(/\r?\n$/, ''),
    );
    if (basename(back) !== '.git' || realpathSync(dirname(back)) !== worktree) return undefined;
    const common = dirname(dirname(listed));
    return basename(common) === '.git' ? dirname(common) : common;
  } catch {
    return undefined;
  }
}

function parents(folder: string): string[] {
  const up = dirname(folder);
  return up === folder ? [folder] : [folder, ...parents(up)];
}
