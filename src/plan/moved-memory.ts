import type { Files } from '../base/files.ts';
import { endsWithSteps } from '../base/paths.ts';
import type { FileMemory } from '../edit/types.ts';
import type { HookFilePath } from './scopes/scope.ts';

/**
 * Returns what is remembered of files by their paths today, where a client's whole folder has moved since the install:
 * the file of its record is gone, and none of its places.
 */
export function movedMemory(
  memories: Record<string, FileMemory>,
  places: readonly HookFilePath[],
  recorded: string | undefined,
  { read }: Pick<Files, 'read'>,
): Record<string, FileMemory> {
  if (recorded === undefined || places.some(({ file }) => file === recorded)) return memories;
  const place = places.find(({ path }) => endsWithSteps(recorded, path));
  if (!place || isThere(recorded, read)) return memories;
  const root = recorded.slice(0, -place.path.length);
  const moved = { ...memories };
  for (const { path, file } of places) {
    const memory = moved[root + path];
    if (memory === undefined) continue;
    delete moved[root + path];
    moved[file] ??= memory;
  }
  return moved;
}

function isThere(path: string, read: Files['read']): boolean {
  try {
    return read(path) !== null;
  } catch {
    return true;
  }
}
