import type { Stats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { remembering } from '../base/once.ts';
import { pause } from '../base/pause.ts';
import { sha256 } from '../base/sha256.ts';
import { Fault } from '../messages/fault.ts';
import { type FileOps, MISSING, namingFile, realFs, tolerate } from './fs.ts';

/** File to which a configured path leads: the real file behind symlinks. */
export interface Target {
  real: string;
  /** undefined: the file doesn't exist yet. */
  stat?: Stats;
  /** Missing folders above the file, outermost first. */
  missing: string[];
}

/**
 * Returns a function that resolves a path to the file that a write must replace, so that a symlink stays a symlink. A
 * link to a missing file resolves to that file when its folder exists. For the paths of one run, before it makes
 * folders: what is missing above files is looked for once. Faults: `apply.dangling`, `apply.not-a-file`, `apply.stale`
 * (the file vanishes meanwhile), or as `namingFile`.
 */
export function targetFinder(fs: FileOps): (path: string) => Target {
  const above = remembering((folder: string) => missingAbove(folder, fs));
  return (path) => namingFile(path, () => follow(path, path, above, fs), 'apply.stale');
}

/** Making an error for each new file takes longer than the rest of `follow`. */
const THERE = { throwIfNoEntry: false } as const;

function follow(path: string, shown: string, above: (folder: string) => Above, fs: FileOps): Target {
  const stat = fs.statSync(path, THERE);
  if (stat) {
    if (!stat.isFile()) throw new Fault('apply.not-a-file', {}, { file: shown });
    return { real: fs.realpathSync(path), stat, missing: [] };
  }
  const link = tolerate(() => fs.readlinkSync(path), ['ENOENT', 'EINVAL']);
  if (link !== undefined) {
    const end = follow(resolve(fs.realpathSync(dirname(path)), link), shown, above, fs);
    if (end.missing.length) throw new Fault('apply.dangling', { link }, { file: shown });
    return end;
  }
  const { base, names, link: dangling } = above(dirname(path));
  if (dangling !== undefined) throw new Fault('apply.dangling', { link: dangling }, { file: shown });
  return {
    real: join(base, ...names, basename(path)),
    missing: names.map((_, i) => join(base, ...names.slice(0, i + 1))),
  };
}

interface Above {
  /** Real path of the innermost folder that is there. */
  base: string;
  /** Names of the missing folders below it, outermost first. */
  names: string[];
  /** A link to nothing in place of a folder. */
  link?: string;
}

function missingAbove(folder: string, fs: FileOps): Above {
  const names: string[] = [];
  let base = folder;
  // Windows may have no drive of that name: `realpathSync` says so.
  while (!fs.statSync(base, THERE) && dirname(base) !== base) {
    if (fs.lstatSync(base, THERE)) return { base, names, link: base };
    names.unshift(basename(base));
    base = dirname(base);
  }
  return { base: fs.realpathSync(base), names };
}

/**
 * Reads the bytes of a file, symlinks followed; null when there is no file. Faults: `apply.not-a-file` (a folder,
 * device or pipe), `apply.too-large`, `apply.denied`, `apply.failed`.
 */
export const readFileState = (path: string, fs: FileOps = realFs): Uint8Array | null =>
  namingFile(path, () => tolerate(() => fs.readIfThere(path), MISSING) ?? null);

/** Age from which an empty file is one that its program left empty. */
const EMPTIED_MS = 500;
const WAIT_MS = 20;
/** The end of waiting for a file that is emptied again and again. */
const MOST_WAIT_MS = 2_000;

/**
 * True for an empty file that its program left empty. Many programs empty their file before they write it, so a file that
 * was emptied just now gets a moment.
 */
export function staysEmpty(path: string, fs: FileOps): boolean {
  for (let waited = 0; waited < MOST_WAIT_MS; waited += WAIT_MS) {
    const stat = fs.statSync(path, THERE);
    if (stat?.size !== 0) return false;
    if (Math.abs(Date.now() - stat.mtimeMs) > EMPTIED_MS) return true;
    pause(WAIT_MS);
  }
  return false;
}

/** Reads a file as `readFileState`; one that its program has just emptied, once that is written. */
export function readWritten(path: string, fs: FileOps = realFs): Uint8Array | null {
  const bytes = readFileState(path, fs);
  return bytes?.length === 0 && !staysEmpty(path, fs) ? readFileState(path, fs) : bytes;
}

/** Returns the sha256 of the bytes in hex; null for no file. */
export function digest(bytes: Uint8Array | null): string | null {
  return bytes && sha256(bytes);
}

/** Returns the sha256 of a file in hex; null for no file. */
export function digestOf(fs: FileOps, path: string): string | null {
  return digest(tolerate(() => fs.readIfThere(path), MISSING) ?? null);
}
