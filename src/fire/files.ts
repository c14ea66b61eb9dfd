import { type Stats, statSync } from 'node:fs';

/**
 * Returns a path's stat; undefined when nothing is there or the path can't be read (`throwIfNoEntry` still throws
 * ENOTDIR and EACCES).
 */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Runs `act` and ignores errors: state on disk only improves hooks, so a failed write must not make a hook fail. */
export function quietly(act: () => unknown): void {
  try {
    act();
  } catch {}
}
