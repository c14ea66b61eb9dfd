import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder for the user alone, and missing parents. node's own `recursive` never returns when a file system
 * such as /proc reports an existing folder as missing (node 20 to 24). Returns the folders that it created, outermost
 * first. Throws an error of the file system.
 */
export function makeFolder(path: string): string[] {
  const made = createOne(path);
  if (made) return made;
  const above = dirname(path);
  const outer = above === path ? [] : makeFolder(above);
  const inner = createOne(path);
  if (!inner) mkdirSync(path, { mode: 0o700 });
  return [...outer, ...(inner ?? [path])];
}

/** Creates one folder; returns it when it was missing, and undefined when its parent is. */
function createOne(path: string): string[] | undefined {
  try {
    mkdirSync(path, { mode: 0o700 });
    return [path];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code !== 'EEXIST') throw error;
    // Throws for a link that leads nowhere.
    statSync(path);
    return [];
  }
}
