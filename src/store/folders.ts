import { dirname, join } from 'node:path';
import type { Files } from '../base/files.ts';
import { entryPath } from '../base/paths.ts';
import type { FileChange } from './types.ts';

/**
 * Plans how changes affect the folders that mcphooks created. `folders`: folders for the record to list afterwards;
 * `emptied`: folders for `applyChanges` to remove when they are empty.
 */
export function planFolders(
  changes: readonly FileChange[],
  remembered: readonly string[],
  files: Pick<Files, 'list'>,
): { folders: string[]; emptied: string[] } {
  const made = changes.filter((c) => !c.before && c.after).map((c) => dirname(c.path));
  const created = [...new Set(made)].flatMap((folder) => missingFolders(join(folder, 'file'), files));
  const removed = new Set(changes.filter((c) => !c.after).map((c) => c.path));
  const emptied: string[] = [];
  const gone: string[] = [];
  for (const folder of deepestFirst(remembered)) {
    const entries = files.list(folder);
    const inside = join(folder, '/');
    const filled = changes.some((c) => c.after && c.path.startsWith(inside));
    const goes = (name: string): boolean => removed.has(entryPath(folder, name));
    if (entries === 'gone') gone.push(folder);
    else if (
      !filled &&
      // A folder whose contents can't be listed stays.
      entries !== 'closed' &&
      entries.every(({ name, kind }) =>
        kind === 'folder' ? emptied.includes(entryPath(folder, name)) : kind === 'file' && goes(name),
      )
    )
      emptied.push(folder);
  }
  const left = remembered.filter((f) => !gone.includes(f) && !emptied.includes(f));
  return { folders: [...new Set([...left, ...created])], emptied };
}

/** Returns the folders above `path` that don't exist, outermost first. */
function missingFolders(path: string, files: Pick<Files, 'list'>): string[] {
  const folder = dirname(path);
  if (folder === path || files.list(folder) !== 'gone') return [];
  return [...missingFolders(folder, files), folder];
}

/** Returns the folders in an order in which each can be removed before those that contain it. */
export function deepestFirst(folders: readonly string[]): string[] {
  return [...folders].sort((a, b) => b.length - a.length);
}
