import { basename, dirname } from 'node:path';
import { remembering } from './once.ts';
import { entryPath } from './paths.ts';

/** Read access to the disk for a plan: the real disk (`app/disk.ts`), or a map of files. */
export interface Files {
  /**
   * Returns the bytes of a file, following links; null when there is none. Throws a Fault for a file that can't be
   * read.
   */
  read: (path: string) => Uint8Array | null;
  /** Returns the entries of a folder; `gone` when there is no folder, `closed` when the folder can't be read. */
  list: (folder: string) => readonly FolderEntry[] | 'gone' | 'closed';
  /** True when a script has permission to run. */
  isExecutable: (path: string) => boolean;
  /**
   * Returns the path with all links resolved, even when nothing is there: for a broken link, the path that a write
   * would create.
   */
  real: (path: string) => string;
}

export interface FolderEntry {
  name: string;
  /** A link to a folder has the kind `link`; `other`: a pipe, socket or device. */
  kind: 'folder' | 'link' | 'file' | 'other';
}

/** Returns the entries of a folder; empty when there is no folder, or it can't be read. */
export function folderEntries(folder: string, { list }: Pick<Files, 'list'>): readonly FolderEntry[] {
  const entries = list(folder);
  return typeof entries === 'string' ? [] : entries;
}

/** Returns all files below a folder, absolute; empty when there is no folder. */
export function filesBelow(folder: string, files: Pick<Files, 'list'>): string[] {
  const entries = folderEntries(folder, files);
  const path = (name: string): string => entryPath(folder, name);
  const own = entries.filter(({ kind }) => kind !== 'folder').map(({ name }) => path(name));
  const folders = entries.filter(({ kind }) => kind === 'folder');
  return [...own, ...folders.flatMap(({ name }) => filesBelow(path(name), files))];
}

/**
 * Returns files of which each is read once. One plan or report asks often, and its answers must agree. Takes absolute
 * paths.
 */
export function readOnce<T extends Files>(files: T): T {
  const list = remembering(files.list);
  return {
    ...files,
    read: remembering(files.read),
    list,
    isExecutable: remembering(files.isExecutable),
    real: realByFolder(files.real, list),
  };
}

/** A step that leads up or nowhere, where the folder before it may be missing or a link. */
const DOTS = /(?:^|[\\/])\.\.?(?:[\\/]|$)/;

/** Returns a faster `real` for many paths in few folders, which asks the system once for each folder. */
function realByFolder(real: Files['real'], list: Files['list']): Files['real'] {
  const look = remembering((folder: string) => {
    const entries = list(folder);
    if (entries === 'gone') return { at: resolved(folder), hasLinks: false };
    if (entries === 'closed') return { at: real(folder) };
    const kinds = new Map(entries.map(({ name, kind }) => [name, kind]));
    return { at: real(folder), kinds, hasLinks: entries.some(({ kind }) => kind === 'link') };
  });
  const resolved = remembering((path: string): string => {
    const [folder, name] = [dirname(path), basename(path)];
    if (folder === path || DOTS.test(path)) return real(path);
    const { at, kinds, hasLinks } = look(folder);
    const kind = kinds?.get(name);
    // A folder that ignores upper and lower case has its entries by other names, too.
    const isPlain = kind === undefined ? hasLinks === false : kind !== 'link';
    return isPlain ? entryPath(at, name) : real(path);
  });
  return resolved;
}

/** Returns the names in a folder; empty when the folder can't be read. */
export const namesIn = (folder: string, files: Pick<Files, 'list'>): string[] =>
  folderEntries(folder, files).map(({ name }) => name);
