import { accessSync, constants, type Dirent, readdirSync } from 'node:fs';
import { type Files, type FolderEntry, readOnce } from '../base/files.ts';
import { readIfThere } from '../base/read-file.ts';
import { realPath } from '../base/real-path.ts';
import type { MachineView } from '../inspect/settings.ts';
import { Fault, unlessFault } from '../messages/fault.ts';
import { errno, MISSING } from '../store/fs.ts';
import type { Context } from './context.ts';

/** Reads the bytes of a file; null: there is no file. Faults: `plan.unreadable`. */
export function readBytes(path: string): Uint8Array | null {
  try {
    return readIfThere(path) ?? null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new Fault('plan.unreadable', { reason: code ?? 'unknown' }, { file: path });
  }
}

/** Reads the bytes of a file; null also for a file that can't be read. */
export const readIfAble = (path: string): Uint8Array | null => unlessFault(() => readBytes(path), null);

export const disk: Files = {
  read: readBytes,
  list: (folder) => {
    try {
      return readdirSync(folder, { withFileTypes: true }).map((entry) => ({
        name: entry.name,
        kind: entryKind(entry),
      }));
    } catch (error) {
      return MISSING.some((code) => code === errno(error)) ? 'gone' : 'closed';
    }
  },
  isExecutable: (path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch (error) {
      return errno(error) !== 'EACCES';
    }
  },
  real: realPath,
};

/** Returns a new view of this machine, which reads each file once. */
export const machineView = ({ env, cwd }: Context): MachineView => readOnce({ ...disk, env, cwd });

const entryKind = (entry: Dirent): FolderEntry['kind'] =>
  entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : entry.isFile() ? 'file' : 'other';
