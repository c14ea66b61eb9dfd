import { basename, dirname } from 'node:path';
import { type Files, namesIn } from '../base/files.ts';
import { foldedName } from '../base/look-alike.ts';
import { remembering } from '../base/once.ts';
import { Fault } from '../messages/fault.ts';

/** Most bytes of all files that one search reads, as many as of one file; a megabyte of hooks takes 0.1 s and more. */
const MOST = 16 * 2 ** 20;

/**
 * Returns files that are read up to `MOST` bytes in all, since a small checkout can hold thousands of links to one large
 * file. Reading another one then throws a Fault, `plan.unreadable` with the reason `TOO_MUCH`.
 */
export function limited<T extends Files>(files: T): T {
  // Names are folded since a system may ignore upper and lower case, and once for a folder of thousands of files.
  const namesAt = remembering((folder: string) => new Set(namesIn(folder, files).map(foldedName)));
  let left = MOST;
  const read = remembering((path: string): Uint8Array | null => {
    if (left <= 0 && namesAt(dirname(path)).has(foldedName(basename(path))))
      throw new Fault('plan.unreadable', { reason: 'TOO_MUCH' }, { file: path });
    const bytes = left <= 0 ? null : files.read(path);
    left -= bytes?.length ?? 0;
    return bytes;
  });
  return { ...files, read };
}
