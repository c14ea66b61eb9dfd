import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Returns the text of a file of this package; works both from source and bundled. `path` is relative to the package's
 * root.
 */
export const asset = (path: string): string => readFileSync(assetPath(path), 'utf8');

/** Returns the absolute path of such a file. */
export function assetPath(path: string): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    if (folder === dirname(folder)) throw new Error('this installation of mcphooks has no package.json');
    folder = dirname(folder);
  }
  return join(folder, path);
}
