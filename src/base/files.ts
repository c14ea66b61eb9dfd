import { basename, dirname, join } from 'node:path';

/** How a plan looks at the disk: the real one (`app/disk.ts`), or a map of files. */
export interface Files {
  /** The bytes of a file, links followed; null: there is none. Throws a Fault for one that can't be read. */
  read: (path: string) => Uint8Array | null;
  /** What is in a folder. `gone`: there is none; `closed`: nobody can tell. */
  list: (folder: string) => readonly FolderEntry[] | 'gone' | 'closed';
  /** Whether a script may be run. */
  isExecutable: (path: string) => boolean;
  /** The path with all links followed, whether or not there is anything: a link to nothing leads to what a write makes. */
  real: (path: string) => string;
}

export interface FolderEntry {
  name: string;
  /** A link to a folder is no folder; `other`: a pipe, socket or device. */
  kind: 'folder' | 'link' | 'file' | 'other';
}

/** All files below a folder, absolute; none where there is no folder. */
export function filesBelow(folder: string, files: Pick<Files, 'list'>): string[] {
  const entries = files.list(folder);
  if (typeof entries === 'string') return [];
  const path = (name: string): string => join(folder, name);
  const own = entries.filter(({ kind }) => kind !== 'folder').map(({ name }) => path(name));
  const folders = entries.filter(({ kind }) => kind === 'folder');
  return [...own, ...folders.flatMap(({ name }) => filesBelow(path(name), files))];
}

/** `files.real` for many paths of few folders: looks at each folder once. */
export function realByFolder({ real, list }: Pick<Files, 'real' | 'list'>): Files['real'] {
  const folders = new Map<string, { at: string; kinds?: Map<string, FolderEntry['kind']> }>();
  const look = (folder: string) => {
    const entries = list(folder);
    const at = real(folder);
    if (entries === 'closed') return { at };
    return { at, kinds: new Map(entries === 'gone' ? [] : entries.map(({ name, kind }) => [name, kind])) };
  };
  return (path) => {
    const folder = dirname(path);
    const { at, kinds } = folders.get(folder) ?? look(folder);
    folders.set(folder, { at, ...(kinds && { kinds }) });
    return !kinds || folder === path || kinds.get(basename(path)) === 'link'
      ? real(path)
      : join(at, basename(path));
  };
}

/** Names of what is in a folder; none where it can't be read. */
export function namesIn(folder: string, files: Pick<Files, 'list'>): string[] {
  const entries = files.list(folder);
  return typeof entries === 'string' ? [] : entries.map(({ name }) => name);
}
