import type { HookGroup } from './hook-config.ts';

/** What keeps a client's hooks from firing until a person says otherwise. It is read and never written. */
export interface Gates {
  switches: readonly OffSwitch[];
  review?: Review;
  folderTrust?: FolderTrust;
  /** Where the client lists handlers by name that a person switched off, in its settings and in a project's. */
  offList?: { path: readonly string[]; project: string };
}

/** A file of a client's settings; `env` names a variable that holds another path. */
export interface SettingsFile {
  /** `client`: in the client's folder; `session`: in the folder of the session; `system`: an absolute path. */
  in: 'client' | 'session' | 'system';
  path: string;
  env?: string;
  /** All files of this folder with this ending; the last by name is the strongest. */
  each?: string;
}

/** A setting that keeps hooks from firing. The first of its files that has it decides. */
export interface OffSwitch {
  at: readonly string[];
  off: boolean;
  files: readonly SettingsFile[];
}

/** A client that runs a hook only after a person reviewed it. */
interface Review {
  /** File in the client's folder, and the keys of a table of reviews in it. */
  path: string;
  at: readonly string[];
  /** Key in that table; `file` is the absolute path of the file with the entry. */
  key: (file: string, event: string, group: number, handler: number) => string;
  /** The reviewed hash of a handler as it stands in its group. */
  hash: (event: string, group: HookGroup, handler: number) => string;
}

/** A client that runs hooks only in folders that a person trusts. */
export interface FolderTrust {
  /** Absent: all hooks; else those of the folder's own files alone. */
  only?: 'project';
  file: SettingsFile;
  /** Keys of the table of folders, or of the list of those that are trusted; absent: the whole file. */
  at?: readonly string[];
  /** What the table says of a folder; absent: there is a list. */
  levels?: { folder: string; parent: string; never: string };
  /** Trusts every folder. */
  env?: { name: string; value: string };
  /** Folders need no trust while this is so. */
  off?: OffSwitch;
}
