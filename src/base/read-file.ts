import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';

/**
 * Most bytes of a file that is read, 16 MiB. No file that is read here comes near (the largest, Claude Code's
 * `.claude.json`, has some MB on machines with years of history), and a parser takes some hundred MB for it.
 */
export const LARGEST_FILE = 16 * 2 ** 20;

/** A file that isn't read, whatever stands in it. Has the fields of an error of the file system. */
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

// A pipe that took the file's place since it was looked at is not waited for. Windows has no such flag.
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * The bytes of a regular file, symbolic links followed: the one way in which files are read that others may have
 * put there. Devices, pipes, sockets and folders aren't opened at all, so that nothing hangs and no device acts.
 * @throws FileRefused, or an error of the file system (`ENOENT`, ...)
 */
export function readFile(path: string): Buffer {
  return readWithStat(path).bytes;
}

/** The same, and what the system says of the very file that was read. */
export function readWithStat(path: string): { bytes: Buffer; stat: Stats } {
  if (!statSync(path).isFile()) throw new FileRefused('NOT_A_FILE', path);
  const fd = openSync(path, FLAGS);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new FileRefused('NOT_A_FILE', path);
    return { bytes: readAll(fd, stat.size, path), stat };
  } finally {
    closeSync(fd);
  }
}

/** To the end, wherever it is: a file of /proc says that it is empty, and any file may grow meanwhile. */
function readAll(fd: number, size: number, path: string): Buffer {
  if (size > LARGEST_FILE) throw new FileRefused('TOO_LARGE', path);
  let bytes = Buffer.allocUnsafeSlow(size + 1);
  for (let length = 0; ; ) {
    const read = readSync(fd, bytes, length, bytes.length - length, null);
    length += read;
    if (read === 0) return bytes.subarray(0, length);
    if (length > LARGEST_FILE) throw new FileRefused('TOO_LARGE', path);
    if (length === bytes.length)
      bytes = Buffer.concat([bytes, Buffer.allocUnsafeSlow(Math.max(length, 2 ** 16))]);
  }
}

/** The same as text, in UTF-8; what is none is replaced. */
export const readText = (path: string): string => readFile(path).toString();
