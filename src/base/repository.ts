import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isAround, LOCK } from './paths.ts';
import { quietly } from './quietly.ts';
import { readNames, readTail } from './read-file.ts';
import { asSpelled, followed } from './real-path.ts';

/** Real paths of a working tree and of the main checkout that it belongs to; both are the same outside of worktrees. */
interface Checkout {
  tree: string;
  /** For worktrees of a bare repository: the repository's folder. */
  main: string;
}

/** Returns the git checkout around a folder (a real path), found without git; undefined: none. */
export const checkoutOf = (folder: string): Checkout | undefined => nearest(foldersUp(folder));

/**
 * Returns the repository that a folder belongs to. Without git: the folder of the nearest lock file, else the folder
 * itself. A git repository or lock file in the home folder doesn't count for folders below, and a repository doesn't
 * count for packages in its `node_modules`, which belong to somebody else.
 */
export function repositoryOf(cwd: string, home: string): Checkout {
  const folder = followed(cwd);
  const top = followed(home);
  const above = foldersUp(folder).filter((at) => at === folder || at !== top);
  const found = nearest(above, top);
  const installed = found && relative(found.tree, folder).split(sep).includes('node_modules');
  if (found && !installed) return found;
  const alone = (!installed && above.find((at) => existsSync(join(at, LOCK)))) || folder;
  return { tree: alone, main: alone };
}

/**
 * Returns the folder of the main checkout that a folder stands for: the same for all worktrees of a repository.
 * Where a bare repository itself holds a folder of that path (another project's, or git's own), the given folder stands
 * for itself.
 */
export function inMainCheckout(folder: string, home: string): string {
  const { tree, main } = repositoryOf(folder, home);
  const below = relative(tree, followed(folder));
  const place = join(main, below);
  const isOther = tree !== main && below !== '' && !existsSync(join(main, '.git')) && existsSync(place);
  return isOther ? followed(folder) : place;
}

/**
 * Returns git's main worktree for the top level (a real path) of another: the main checkout, or the folder around a bare
 * repository whose `.git` names it. undefined: the folder is no such worktree, or there is no main one.
 */
export function mainWorktree(top: string): string | undefined {
  const main = mainCheckout(top);
  if (main === undefined || existsSync(join(main, '.git'))) return main;
  // What is around a bare repository has to name it, as git itself demands.
  const around = dirname(main);
  return namedBy(around) === main ? around : undefined;
}

/** Returns the other checkouts of a folder's repository, found without git: the main one and its worktrees. */
export function otherCheckouts(cwd: string, home: string): string[] {
  const { tree, main } = repositoryOf(cwd, home);
  const git = existsSync(join(main, '.git')) ? join(main, '.git') : main;
  const listed = readNames(join(git, 'worktrees')).flatMap((name): string[] => {
    const file = join(git, 'worktrees', name, 'gitdir');
    return quietly(() => [dirname(resolve(dirname(file), readPath(file)))]) ?? [];
  });
  const all = [main, ...listed].filter((one) => existsSync(join(one, '.git'))).map((one) => followed(one));
  return [...new Set(all)].filter((one) => one !== tree);
}

/** Bytes above which no system takes a path. */
const LONGEST_PATH = 2 ** 17;

/**
 * Returns the only line of a file of git's, which is or ends in a path. Of a longer file only the end is read, so that no
 * path of millions of folders is followed.
 */
const readPath = (file: string): string => readTail(file, LONGEST_PATH).replace(/\r?\n$/, '');

/** Returns the folder itself and all above, the nearest first. */
export function foldersUp(folder: string): string[] {
  const up = dirname(folder);
  return up === folder ? [folder] : [folder, ...foldersUp(up)];
}

function nearest(folders: readonly string[], home?: string): Checkout | undefined {
  const tree = folders.find((folder) => existsSync(join(folder, '.git')));
  return tree === undefined ? undefined : { tree, main: mainCheckout(tree, home) ?? tree };
}

/**
 * Returns the main checkout of a worktree: the worktree's `.git` names `<main>/.git/worktrees/<name>`, and that folder
 * must name the worktree in turn. A stranger can forge the first name, but not the second. Of a bare repository, that is
 * the repository's folder. undefined: not a worktree, or not listed by that repository. Both arguments are real paths.
 */
export function mainCheckout(worktree: string, home?: string): string | undefined {
  return quietly(() => {
    const listed = gitFolderOf(worktree);
    if (listed === undefined || basename(dirname(listed)) !== 'worktrees') return undefined;
    const back = resolve(listed, readPath(join(listed, 'gitdir')));
    if (basename(back) !== '.git' || followed(dirname(back)) !== worktree) return undefined;
    const common = dirname(dirname(listed));
    if (basename(common) === '.git') return dirname(common);
    return isBareRepository(common, home) ? common : undefined;
  });
}

/**
 * True when a folder (a real path) is a bare repository, by what git itself demands. A checkout's own files can look like
 * one, so a folder among them is none; the folder that a checkout's `.git` is or names is not among them. Files of a home
 * folder that is a checkout are the user's own, so they may be one.
 */
function isBareRepository(folder: string, home: string | undefined): boolean {
  if (!['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)))) return false;
  const top = foldersUp(folder).find((at) => at !== home && existsSync(join(at, '.git')));
  return top === undefined || isAround(namedBy(top), folder);
}

/** Returns the folder (a real path) that a checkout's `.git` names, leads to or is. */
const namedBy = (top: string): string => gitFolderOf(top) ?? followed(join(top, '.git'));

/** Returns the folder (a real path) that a `.git` file names; undefined: there is no such file or folder. */
function gitFolderOf(folder: string): string | undefined {
  const git = join(folder, '.git');
  return quietly(() => {
    if (!lstatSync(git).isFile()) return undefined;
    const named = /^gitdir: (.+)$/.exec(readPath(git))?.[1];
    return named === undefined ? undefined : asSpelled(realpathSync(resolve(folder, named)));
  });
}
