import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder for the user alone, and missing parents. node's own `recursive` never returns when a file system
 * such as /proc reports an existing folder as missing (node 20 to 24). Adds the folders that it creates to `made`,
 * outermost first. Throws an error of the file system.
 */
export function makeFolder(path: string, made: string[] = []): void {
  if (createOne(path, made)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above, made);
  if (createOne(path, made)) return;
  mkdirSync(path, { mode: 0o700 });
  made.push(path);
}

/** Creates one folder; returns true when it exists now, false when its parent doesn't. */
function createOne(path: string, made: string[]): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    made.push(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Throws for a link that leads nowhere.
    if (code === 'EEXIST') return statSync(path) !== undefined;
    if (code === 'ENOENT') return false;
    throw error;
  }
}
