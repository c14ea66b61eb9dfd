import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder for the user alone, and those above it. node's own `recursive` never ends where a file system says of
 * a folder that is there that it isn't, as /proc does (node 20 to 24). Throws an error of the file system.
 */
export function makeFolder(path: string): void {
  if (made(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  if (!made(path)) mkdirSync(path, { mode: 0o700 });
}

/** Whether it is there now; false: the one above it isn't. */
function made(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return true;
    if (code === 'ENOENT') return false;
    throw error;
  }
}
