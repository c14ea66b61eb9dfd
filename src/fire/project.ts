import { readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { statOf } from './files.ts';

/**
 * The project of a session (contract, "What reaches the model"): the git top level of the folder in which the client
 * was started, for a worktree its main checkout, else that folder. Found without git.
 */
export function projectOf(start: string): { root: string; name: string } {
  let folder = start;
  try {
    folder = realpathSync(start);
  } catch {}
  const root = topLevel(folder) ?? folder;
  return { root, name: basename(root) || root };
}

function topLevel(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const git = join(at, '.git');
    const found = statOf(git);
    if (found?.isDirectory()) return at;
    if (found?.isFile()) return mainCheckout(git) ?? at;
    if (at === dirname(at)) return undefined;
  }
}

/** A worktree's `.git` names `<main>/.git/worktrees/<name>`, whose `commondir` leads to `<main>/.git`. */
function mainCheckout(git: string): string | undefined {
  try {
    const own = /^gitdir: (.+?)\r?\n?$/.exec(readFileSync(git, 'utf8'))?.[1];
    if (!own) return undefined;
    const folder = resolve(dirname(git), own);
    const common = resolve(folder, readFileSync(join(folder, 'commondir'), 'utf8').trim());
    return basename(common) === '.git' ? dirname(common) : undefined;
  } catch {
    // A submodule has no commondir: it is a project of its own.
    return undefined;
  }
}
