import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { LOCK } from '../base/paths.ts';
import { readFile } from '../base/read-file.ts';
import { followed } from '../base/real-path.ts';

/**
 * The repository that a folder is in, by the real path of its main checkout; without git the folder of the nearest lock
 * file, else the folder itself. What is kept in git or locked in the home folder says nothing of folders below it.
 */
export function repositoryOf(cwd: string, home: string): string {
  const folder = followed(cwd);
  const above = parents(folder).filter((at) => at === folder || at !== followed(home));
  const top = above.find((at) => existsSync(join(at, '.git')));
  // Packages that are installed in a repository are others'.
  if (top !== undefined && relative(top, folder).split(sep).includes('node_modules')) return folder;
  if (top !== undefined) return mainCheckout(top) ?? top;
  return above.find((at) => existsSync(join(at, LOCK))) ?? folder;
}

/**
 * Where a worktree belongs to: its `.git` names `<main>/.git/worktrees/<name>`, and that names it. A stranger can write
 * the first, and not the second. undefined: it is no worktree, or not one of that repository.
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
