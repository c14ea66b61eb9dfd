import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Fault } from '../messages/fault.ts';
import { tolerate } from './fs.ts';

/**
 * Throws a Fault, `own.open` or `own.of-another`, where others than the user can write to a folder of ours, and so put
 * a record, a journal or a script there. A folder that isn't there yet is made for the user alone. Windows has no such
 * modes: a user's folders are closed to others there.
 */
export function assertPrivate(folder: string): void {
  const stat = statOf(folder);
  if (!stat || process.platform === 'win32') return;
  if ((stat.mode & 0o022) !== 0) throw new Fault('own.open', { folder }, { file: folder });
  // Where everybody can make folders (sticky, as /tmp), somebody else may have made this one.
  const anybodys = ((statOf(dirname(folder))?.mode ?? 0) & 0o1000) !== 0;
  if (anybodys && stat.uid !== process.getuid?.())
    throw new Fault('own.of-another', { folder }, { file: folder });
}

/** The same of the folder and of all that are in it; links aren't followed. */
export function assertPrivateTree(folder: string): void {
  assertPrivate(folder);
  for (const name of tolerate(() => foldersIn(folder)) ?? []) assertPrivateTree(join(folder, name));
}

const statOf = (path: string) => tolerate(() => statSync(path, { throwIfNoEntry: false }));

const foldersIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
