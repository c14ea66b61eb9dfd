import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  type Stats,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { quietly } from '../base/quietly.ts';

/**
 * Returns a path's stat; undefined when nothing is there or the path can't be read (`throwIfNoEntry` still throws
 * ENOTDIR and EACCES).
 */
export function statOf(path: string): Stats | undefined {
  return quietly(() => statSync(path, { throwIfNoEntry: false }));
}

/** Removes a file, if there is one. `rmSync` takes five times as long. */
export const removeQuietly = (path: string): void => quietly(() => unlinkSync(path));

// A link could lead to any file, and opening a pipe without a reader would block.
const PLAIN = constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Appends to a plain file in one write; returns the size of the file before. Throws an error of the file system. */
export function append(file: string, text: string | Buffer, flags = 0): number {
  const to = openSync(file, PLAIN | flags, 0o600);
  try {
    const stat = fstatSync(to);
    if (!stat.isFile()) return 0;
    writeSync(to, Buffer.from(text));
    return stat.size;
  } finally {
    closeSync(to);
  }
}
