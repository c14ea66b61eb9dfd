import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file of this package, the same from the sources and from the bundle. `path` is relative to the package's root. */
export const asset = (path: string): string => readFileSync(assetPath(path), 'utf8');

/** Its absolute path. */
export function assetPath(path: string): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    if (folder === dirname(folder)) throw new Error('this installation of mcphooks has no package.json');
    folder = dirname(folder);
  }
  return join(folder, path);
}
