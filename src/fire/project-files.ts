import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { statOf } from './files.ts';

/**
 * Whether any of the patterns names something in a project's root: `*` and `?` in the last segment, no hidden files for
 * a wildcard at its beginning, and folders alone for one that ends in `/` (templates/shim.sh decides the same).
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
  const test = new RegExp(
    `^${last
      .replace(/[\\^$.|()[\]{}+]/g, '\\$&')
      .replaceAll('?', '.')
      .replace(/\*+/g, '.*')}$`,
    'su',
  );
  return names(folder).some(
    (name) =>
      test.test(name) && (!name.startsWith('.') || last.startsWith('.')) && isThere(join(folder, name)),
  );
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
