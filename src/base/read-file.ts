import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { quietly } from './quietly.ts';

/**
 * Most bytes of a file that is read, 16 MiB. No file read here comes near (the largest, Claude Code's `.claude.json`,
 * has some MB on machines with years of history), and a parser needs some hundred MB for such a file.
 */
export const LARGEST_FILE = 16 * 2 ** 20;

/** A file that isn't read, whatever its content. Has the fields of a file system error. */
class FileRefused extends Error {
  readonly code: 'NOT_A_FILE' | 'TOO_LARGE';
  readonly syscall = 'read';
  readonly path: string;
  constructor(code: FileRefused['code'], path: string) {
    super(`${code}: ${path}`);
    this.code = code;
    this.path = path;
  }
}

// Opening doesn't block on a pipe that has replaced the file since its stat. Windows has no such flag.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Returns the bytes of a regular file, following symbolic links. Files that others may have put there are read only by
 * the functions of this module. Devices, pipes, sockets and folders aren't opened at all, so that nothing hangs and no
 * device acts. Throws FileRefused, or an error of the file system (`ENOENT`, ...).
 */
export function readFile(path: string): Buffer {
  return readWithStat(path).bytes;
}

/** Like `readFile`, but returns undefined where nothing is. Making an error takes longer than reading a small file. */
export function readIfThere(path: string): Buffer | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return undefined;
  if (!stat.isFile()) throw new FileRefused('NOT_A_FILE', path);
  const fd = openSync(path, FLAGS);
  try {
    // A device may have replaced the file since its stat. Another stat would cost as much as opening it, and `readAll`
    // stops at the largest size.
    return readAll(fd, stat.size, path);
  } finally {
    closeSync(fd);
  }
}

/** Like `readFile`, and also returns the stat of the opened file. */
export const readWithStat = (path: string): { bytes: Buffer; stat: Stats } =>
  opened(path, (fd, stat) => ({ bytes: readAll(fd, stat.size, path), stat }));

/** Opens a regular file, and closes it after `read`. */
function opened<T>(path: string, read: (fd: number, stat: Stats) => T): T {
  if (!statSync(path).isFile()) throw new FileRefused('NOT_A_FILE', path);
  const fd = openSync(path, FLAGS);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new FileRefused('NOT_A_FILE', path);
    return read(fd, stat);
  } finally {
    closeSync(fd);
  }
}

/** Reads to the end of the file, whatever its size was: files in /proc report a size of 0, and any file may grow. */
function readAll(fd: number, size: number, path: string): Buffer {
  if (size > LARGEST_FILE) throw new FileRefused('TOO_LARGE', path);
  let bytes = Buffer.allocUnsafe(size + 1);
  for (let length = 0; ; ) {
    const read = readSync(fd, bytes, length, bytes.length - length, null);
    length += read;
    // The buffer has room for one byte more, and the file had none: this is its end.
    if (read === 0 || (length === size && read === size)) return bytes.subarray(0, length);
    if (length > LARGEST_FILE) throw new FileRefused('TOO_LARGE', path);
    if (length === bytes.length)
      bytes = Buffer.concat([bytes, Buffer.allocUnsafeSlow(Math.max(length, 2 ** 16))]);
  }
}

/** Returns at most the first `most` bytes of a regular file, of any size, as text; invalid UTF-8 is replaced. */
export const readHead = (path: string, most: number): string => readPart(path, most, () => 0);

/** Like `readHead`, but the last bytes. */
export const readTail = (path: string, most: number): string =>
  readPart(path, most, (size, length) => size - length);

const readPart = (path: string, most: number, start: (size: number, length: number) => number): string =>
  opened(path, (fd, { size }) => {
    const bytes = Buffer.alloc(Math.min(size, most));
    return bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, start(size, bytes.length)));
  });

/** Like `readFile`, but returns text; invalid UTF-8 is replaced. */
export const readText = (path: string): string => readFile(path).toString();

/** Returns the names in a folder; none when the folder is missing or can't be read. */
export const readNames = (folder: string): string[] => quietly(() => readdirSync(folder)) ?? [];

/** Returns the names of the folders in a folder; none when the folder is missing or can't be read. Links don't count. */
export function readFolders(folder: string): string[] {
  const entries = quietly(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Returns the value of a file of strict JSON; undefined when the file is missing, can't be read or isn't JSON. */
export const jsonIn = (file: string): unknown => quietly(() => JSON.parse(readText(file)));

/** Returns a function that reads a file, and reads it again only after it changed. */
export function untilChanged<T>(read: (file: string) => T): (file: string) => T {
  const known = new Map<string, { mark: string; value: T }>();
  return (file) => {
    const stat = quietly(() => statSync(file, { bigint: true, throwIfNoEntry: false }));
    if (!stat) return read(file);
    const mark = [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join();
    const before = known.get(file);
    if (before?.mark === mark) return before.value;
    const value = read(file);
    known.set(file, { mark, value });
    return value;
  };
}
