import { type Stats, statSync } from 'node:fs';

/** What is at a path; undefined where nothing is, or can't be seen (`throwIfNoEntry` still throws ENOTDIR, EACCES). */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** What is remembered makes hooks better; that it can't be written down must not make one fail. */
export function quietly(act: () => unknown): void {
  try {
    act();
  } catch {}
}
