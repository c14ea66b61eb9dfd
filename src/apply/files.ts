import { type Dirent, readdirSync, type Stats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Fault } from '../messages.ts';
import { sha256 } from '../sha256.ts';
import { at, type FileOps, MISSING, realFs, tolerate } from './fs.ts';
import type { FileChange } from './types.ts';

/** Where a configured path leads: the real file behind symlinks. */
export interface Target {
  real: string;
  /** undefined: no file there yet. */
  stat?: Stats;
  /** Folders that are missing above it, outermost first. */
  missing: string[];
}

/**
 * Follows `path` to the file that a write must replace, so that a symlink stays one. A link to a file that doesn't
 * exist leads to that file when its folder is there.
 * @throws Fault `apply.dangling`, `apply.not-a-file`, `apply.stale` (it vanishes meanwhile), or as `at`
 */
export function findTarget(path: string, fs: FileOps = realFs): Target {
  return at(path, () => follow(path, path, fs), 'apply.stale');
}

function follow(path: string, shown: string, fs: FileOps): Target {
  const stat = tolerate(() => fs.statSync(path), ['ENOENT']);
  if (stat) {
    if (!stat.isFile()) throw new Fault('apply.not-a-file', {}, { file: shown });
    return { real: fs.realpathSync(path), stat, missing: [] };
  }
  const link = tolerate(() => fs.readlinkSync(path), ['ENOENT', 'EINVAL']);
  if (link !== undefined) {
    const end = follow(resolve(fs.realpathSync(dirname(path)), link), shown, fs);
    if (end.missing.length) throw new Fault('apply.dangling', { link }, { file: shown });
    return end;
  }
  const missing: string[] = [];
  let folder = dirname(path);
  while (!tolerate(() => fs.statSync(folder), ['ENOENT'])) {
    if (tolerate(() => fs.lstatSync(folder), ['ENOENT']))
      throw new Fault('apply.dangling', { link: folder }, { file: shown });
    missing.unshift(basename(folder));
    folder = dirname(folder);
  }
  const steps = missing.map((_, i) => missing.slice(0, i + 1));
  const base = fs.realpathSync(folder);
  return {
    real: join(base, ...missing, basename(path)),
    missing: steps.map((names) => join(base, ...names)),
  };
}

/**
 * Bytes of a file, symlinks followed; null when there is none.
 * @throws Fault `apply.not-a-file` (a folder, device or pipe), `apply.denied`, `apply.failed`
 */
export function readFileState(path: string, fs: FileOps = realFs): Uint8Array | null {
  return at(path, () => {
    const stat = tolerate(() => fs.statSync(path), ['ENOENT']);
    if (!stat) return null;
    if (!stat.isFile()) throw new Fault('apply.not-a-file', {}, { file: path });
    return fs.readFileSync(path);
  });
}

/** sha256 in hex; null for no file. */
export function digest(bytes: Uint8Array | null): string | null {
  return bytes && sha256(bytes);
}

export function digestOf(fs: FileOps, path: string): string | null {
  return digest(tolerate(() => fs.readFileSync(path), MISSING) ?? null);
}

/**
 * What a set of changes means for folders that mcphooks created: `folders` is to be remembered in the record
 * afterwards, `emptied` to be passed on to `applyChanges`, which removes what is then empty.
 */
export function planFolders(
  changes: readonly FileChange[],
  remembered: readonly string[],
): { folders: string[]; emptied: string[] } {
  const made = changes.filter((c) => !c.before && c.after).map((c) => dirname(c.path));
  const created = [...new Set(made)].flatMap((folder) => missingFolders(join(folder, 'file')));
  const removed = new Set(changes.filter((c) => !c.after).map((c) => c.path));
  const emptied: string[] = [];
  const gone: string[] = [];
  for (const folder of deepestFirst(remembered)) {
    const entries = contents(folder);
    const goes = (name: string, isFolder: boolean): boolean =>
      isFolder ? emptied.includes(join(folder, name)) : removed.has(join(folder, name));
    const inside = join(folder, '/');
    const filled = changes.some((c) => c.after && c.path.startsWith(inside));
    if (entries === 'gone') gone.push(folder);
    else if (
      !filled &&
      entries !== 'closed' &&
      entries.every((e) => !e.isSymbolicLink() && goes(e.name, e.isDirectory()))
    )
      emptied.push(folder);
  }
  const left = remembered.filter((f) => !gone.includes(f) && !emptied.includes(f));
  return { folders: [...new Set([...left, ...created])], emptied };
}

/** `closed`: nobody can tell what is in it, so it stays. */
function contents(folder: string): Dirent[] | 'gone' | 'closed' {
  const read = (): Dirent[] | undefined =>
    tolerate(() => readdirSync(folder, { withFileTypes: true }), MISSING);
  return tolerate(() => read() ?? 'gone') ?? 'closed';
}

/** Folders above `path` that don't exist, outermost first. Faults as `at`. */
export function missingFolders(path: string): string[] {
  const folders: string[] = [];
  let folder = dirname(path);
  while (!at(folder, () => tolerate(() => realFs.statSync(folder), MISSING))) {
    folders.unshift(folder);
    folder = dirname(folder);
  }
  return folders;
}

export function deepestFirst(folders: readonly string[]): string[] {
  return [...folders].sort((a, b) => b.length - a.length);
}
