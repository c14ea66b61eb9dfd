import {
  accessSync,
  chmodSync,
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pause } from '../base/pause.ts';
import { HERE } from '../base/platform.ts';
import { LARGEST_FILE, readIfThere } from '../base/read-file.ts';
import { resolveLinks } from '../base/real-path.ts';
import { Fault } from '../messages/fault.ts';
import { isPrivateMode } from './types.ts';

/** Codes by which Windows refuses to rename or remove a file that another program has open. */
const IN_USE = ['EPERM', 'EACCES', 'EBUSY'];

/** Milliseconds between two tries. */
const WAITS: readonly number[] = [20, 50, 100, 200, 300, 400, 400];

/** Returns an operation that tries again while another program has the file open: scanners and clients soon close it. */
export function patient<A extends unknown[]>(
  act: (...given: A) => void,
  waits: readonly number[] = WAITS,
): (...given: A) => void {
  return (...given) => {
    for (const ms of waits) {
      if (succeeds(() => act(...given), IN_USE)) return;
      pause(ms);
    }
    act(...given);
  };
}

// Named one by one: to copy all of node:fs loads its streams and promises.
export const realFs = {
  accessSync,
  chmodSync,
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync: resolveLinks,
  renameSync: HERE.windows ? patient<[string, string]>(renameSync) : renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync: HERE.windows ? patient<[string]>(unlinkSync) : unlinkSync,
  writeFileSync,
  readIfThere,
};

/** File operations that a transaction uses; another table can replace `realFs`. */
export type FileOps = typeof realFs;

/** Returns the `code` of a file system error (`ENOENT`, ...); undefined for any other error. */
export function errno(error: unknown): string | undefined {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return undefined;
  const { code, errno: number } = error as NodeJS.ErrnoException;
  // Node has no name for a full quota.
  return code === 'UNKNOWN' && number === -constants.errno.EDQUOT ? 'EDQUOT' : String(code);
}

/** Runs `action`; returns undefined on a file system error with one of `codes` (default: any code). */
export function tolerate<T>(action: () => T, codes?: readonly string[]): T | undefined {
  try {
    return action();
  } catch (error) {
    const code = errno(error);
    if (code === undefined || (codes && !codes.includes(code))) throw error;
    return undefined;
  }
}

/** Runs `action`; returns false on an error that `tolerate` takes. */
export const succeeds = (action: () => void, codes?: readonly string[]): boolean =>
  tolerate(() => [action()], codes) !== undefined;

/** Codes of a file that isn't there. */
export const MISSING = ['ENOENT', 'ENOTDIR'] as const;

type WriteFault =
  | 'apply.denied'
  | 'apply.read-only'
  | 'apply.in-use'
  | 'apply.mounted'
  | 'apply.disk-full'
  | 'apply.not-a-file'
  | 'apply.too-large';

const CODES: Record<string, WriteFault> = {
  EACCES: 'apply.denied',
  EPERM: 'apply.denied',
  EBUSY: 'apply.mounted',
  EROFS: 'apply.read-only',
  ENOSPC: 'apply.disk-full',
  EDQUOT: 'apply.disk-full',
  NOT_A_FILE: 'apply.not-a-file',
  TOO_LARGE: 'apply.too-large',
};

/** On Windows, a rename or removal is refused for an open file: read-only files were refused before. */
export function codeFor(code: string, error: unknown, windows = HERE.windows): WriteFault | 'apply.failed' {
  const { syscall } = error as NodeJS.ErrnoException;
  const replaces = syscall === 'rename' || syscall === 'unlink';
  if (windows && (code === 'EBUSY' || (replaces && IN_USE.includes(code)))) return 'apply.in-use';
  return CODES[code] ?? 'apply.failed';
}

/**
 * Runs `action`; a file system error becomes a Fault that names `file`, with the code `gone` when the file is missing.
 */
export function namingFile<T>(
  file: string,
  action: () => T,
  gone: 'apply.failed' | 'apply.stale' = 'apply.failed',
): T {
  try {
    return action();
  } catch (error) {
    const code = errno(error);
    if (code === undefined) throw error;
    throw new Fault(code === 'ENOENT' ? gone : codeFor(code, error), { code }, { file });
  }
}

/** Makes a folder for temporary files. Faults: `own.no-temporary`, `apply.disk-full`. */
export function temporaryFolder(): string {
  const parent = tmpdir();
  try {
    return mkdtempSync(join(parent, 'mcphooks-'));
  } catch (error) {
    const code = errno(error);
    if (code === undefined) throw error;
    const fault = codeFor(code, error) === 'apply.disk-full' ? 'apply.disk-full' : 'own.no-temporary';
    throw new Fault(fault, { code }, { file: parent });
  }
}

/**
 * Writes a new file and waits until its bytes are on the disk. With `like`, the new file gets that file's mode, and its
 * owner where that is allowed; else `mode`, which overrides the umask only when `mode` is private. A file that nothing
 * could read afterwards is refused.
 */
export function writeNew(
  fs: FileOps,
  path: string,
  bytes: Uint8Array,
  mode: number,
  like?: { mode: number; uid: number; gid: number },
): void {
  if (bytes.length > LARGEST_FILE)
    throw Object.assign(new Error(`TOO_LARGE: ${path}`), { code: 'TOO_LARGE', syscall: 'write' });
  const fd = fs.openSync(path, 'wx', like ? 0o600 : mode);
  try {
    fs.writeFileSync(fd, bytes);
    if (like) {
      if (!succeeds(() => fs.fchownSync(fd, like.uid, like.gid)))
        tolerate(() => fs.fchownSync(fd, -1, like.gid));
      // Another group may do what everybody may.
      const ofGroup = fs.statSync(path).gid === like.gid ? 0o7777 : 0o5707 | ((like.mode & 0o7) << 3);
      fs.fchmodSync(fd, like.mode & ofGroup);
    } else if (isPrivateMode(mode)) fs.fchmodSync(fd, mode);
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** Makes created, renamed and removed names in a folder survive a power cut. */
export function syncFolder(fs: FileOps, folder: string): void {
  // Windows opens no folders; some network file systems don't sync them.
  const fd = tolerate(() => fs.openSync(folder, 'r'), ['EISDIR', 'EPERM']);
  if (fd === undefined) return;
  try {
    tolerate(() => fs.fsyncSync(fd), ['EINVAL', 'ENOTSUP', 'EPERM']);
  } finally {
    fs.closeSync(fd);
  }
}

/** Removes a file, if there is one. */
export function removeFile(fs: FileOps, path: string): void {
  tolerate(() => fs.unlinkSync(path), MISSING);
}
