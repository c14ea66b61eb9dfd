import { basename, dirname, join } from 'node:path';
import { fitsGlob } from '../../base/glob.ts';
import { readNames } from '../../base/read-file.ts';
import { statOf } from '../files.ts';

/**
 * True when any pattern names something in a project's root. `*` and `?` are wildcards in the last segment; a leading
 * wildcard matches no hidden files; a pattern ending in `/` matches only folders (as in templates/shim.sh).
 */
export function existsAny(patterns: readonly string[], root: string): boolean {
  return patterns.some((pattern) => exists(pattern, root));
}

function exists(pattern: string, root: string): boolean {
  const last = basename(pattern);
  const isFolder = pattern.endsWith('/');
  const isThere = (path: string): boolean => {
    const found = statOf(path);
    return found !== undefined && (!isFolder || found.isDirectory());
  };
  if (!/[*?]/.test(last)) return isThere(join(root, pattern));
  const folder = join(root, dirname(pattern));
  return readNames(folder).some(
    (name) =>
      fitsGlob(last, name) && (!name.startsWith('.') || last.startsWith('.')) && isThere(join(folder, name)),
  );
}
