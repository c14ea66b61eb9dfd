import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { readText } from '../base/read-file.ts';
import { statOf } from './files.ts';

/**
 * Returns the project of a session (contract, "What reaches the model"): the git top level of the folder in which the
 * client was started, the main checkout for a worktree, or that folder outside git. Works without the git program.
 */
export function projectOf(start: string): { root: string; name: string; tree: string } {
  let folder = start;
  try {
    folder = realpathSync(start);
  } catch {}
  const { root, tree } = topLevel(folder) ?? { root: folder, tree: folder };
  return { root, name: basename(root) || root, tree };
}

/** Returns the git top level. `tree`: top level of the working tree, which in a worktree differs from `root`. */
function topLevel(folder: string): { root: string; tree: string } | undefined {
  for (let tree = folder; ; tree = dirname(tree)) {
    const git = join(tree, '.git');
    const found = statOf(git);
    if (found?.isDirectory()) return { root: tree, tree };
    if (found?.isFile()) return { root: mainCheckout(git) ?? tree, tree };
    if (tree === dirname(tree)) return undefined;
  }
}

/**
 * Returns the main checkout: a worktree's `.git` names `<main>/.git/worktrees/<name>`, whose `commondir` names
 * `<main>/.git`.
 */
function mainCheckout(git: string): string | undefined {
  try {
    const own = /^gitdir: (.+?)\r?\n?$/.exec(readText(git))?.[1];
    if (!own) return undefined;
    const folder = resolve(dirname(git), own);
    const common = resolve(folder, readText(join(folder, 'commondir')).trim());
    return basename(common) === '.git' ? dirname(common) : undefined;
  } catch {
    // A submodule has no commondir: it is a project of its own.
    return undefined;
  }
}
