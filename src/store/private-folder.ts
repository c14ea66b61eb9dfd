import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { entryPath, isAround } from '../base/paths.ts';
import { HERE } from '../base/platform.ts';
import { readFolders } from '../base/read-file.ts';
import { Fault } from '../messages/fault.ts';
import { tolerate } from './fs.ts';
import { temporaryState } from './lock-folder.ts';

/**
 * Throws a Fault, `own.open` or `own.of-another`, when other users can write to an own folder, and so put a record, a
 * journal or a script there. A missing folder passes: mcphooks creates its folders for the user alone. Windows has no
 * such modes and closes a user's folders to other users.
 */
export function assertPrivate(folder: string): void {
  const stat = statUnlessDenied(folder);
  if (!stat || HERE.windows) return;
  if ((stat.mode & 0o022) !== 0) throw new Fault('own.open', { folder }, { file: folder });
  // Where everybody can create folders (sticky, as /tmp), another user may have created this one.
  const anybodys = ((statUnlessDenied(dirname(folder))?.mode ?? 0) & 0o1000) !== 0;
  if (anybodys && stat.uid !== process.getuid?.()) {
    const temporary = isAround(temporaryState(), folder) ? { temporary: 1 as const } : {};
    throw new Fault('own.of-another', temporary, { file: folder });
  }
}

/** Checks a folder and all folders below, as `assertPrivate` does; links aren't followed. */
export function assertPrivateTree(folder: string): void {
  assertPrivate(folder);
  for (const name of readFolders(folder)) assertPrivateTree(entryPath(folder, name));
}

/** True when every user can replace what a folder contains: all may write there, and no sticky bit keeps others' files. */
export function isForAll(folder: string): boolean {
  const { mode = 0 } = (process.platform !== 'win32' && statUnlessDenied(folder)) || {};
  return (mode & 0o002) !== 0 && (mode & 0o1000) === 0;
}

const statUnlessDenied = (path: string) => tolerate(() => statSync(path, { throwIfNoEntry: false }));
