import { hasHooks } from '../../edit/read.ts';
import type { HookFilePath } from '../scopes/scope.ts';

/**
 * Picks the client's file for our entries: the file that holds them already, else the first file with any hooks, else
 * the first file.
 */
export function chooseHookFile(
  all: readonly HookFilePath[],
  read: (path: string) => string | null,
  previous?: string,
): HookFilePath | undefined {
  const holding = (f: HookFilePath): boolean => hasHooks({ ...f, text: read(f.file) });
  return all.find((f) => f.file === previous) ?? all.find(holding) ?? all[0];
}

/** Returns the files that could replace `chosen` without spreading hooks over two files. */
export function otherHookFiles(
  all: readonly HookFilePath[],
  chosen: HookFilePath,
  read: (path: string) => string | null,
): HookFilePath[] {
  if (hasHooks({ ...chosen, text: read(chosen.file) })) return [];
  return all.filter((f) => f.file !== chosen.file);
}
