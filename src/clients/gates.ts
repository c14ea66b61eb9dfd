import type { HookGroup } from './hook-config.ts';
import type { ProjectGate } from './mcp-config.ts';

/**
 * Settings and reviews that keep a client's hooks from firing until a person changes them. mcphooks reads these and
 * never writes them.
 */
export interface Gates {
  switches: readonly OffSwitch[];
  review?: Review;
  folderTrust?: FolderTrust;
  /** Condition for the hooks in a project's files to run, set by the person who trusts the project (Codex). */
  projectTrust?: ProjectGate;
  /**
   * Where the client lists the names of handlers that a person switched off: the path in its settings, and the
   * project's settings file; `screen`: where a person switches them on again, e.g. `/hooks`.
   */
  offList?: { path: readonly string[]; project: string; screen: string };
}

/** A settings file of a client; `env` is a variable with another path for the file. */
export interface SettingsFile {
  /** `client`: relative to the client's folder; `session`: to the session's folder; `system`: an absolute path. */
  in: 'client' | 'session' | 'system';
  path: string;
  /** The same on Windows, for `system`, with `%NAME%`; absent: there is none. */
  windows?: string;
  env?: string;
  /** Ending of file names; then all such files in the folder count, the last by name strongest. */
  each?: string;
  /** Keys of a switch in this file, where they differ from the switch's. */
  at?: readonly string[];
}

/** A setting that keeps hooks from firing when its value is `off`. The first file with the setting decides. */
export interface OffSwitch {
  at: readonly string[];
  off: boolean;
  files: readonly SettingsFile[];
}

/** Review of hooks: the client runs a hook only after a person reviewed it. */
interface Review {
  /** Where a person reviews hooks at any time, e.g. `/hooks`. */
  screen: string;
  /** File in the client's folder, and the keys of the table of reviews in that file. */
  path: string;
  at: readonly string[];
  /** Keys of a hook's review: the reviewed hash, and the flag that is false where a person switched the hook off. */
  fields: { hash: string; enabled: string };
  /**
   * Returns the hook's key in that table, or its form for placeholders; `file`: absolute path of the file with the entry.
   */
  key: (file: string, event: string, group: number | string, handler: number | string) => string;
  /** Returns the reviewed hash of a handler in its group. */
  hash: (event: string, group: HookGroup, handler: number, windows: boolean) => string;
}

/** Trust in folders: the client runs hooks only in folders that a person trusts. */
export interface FolderTrust {
  /** `project`: only hooks from the folder's own files need trust; absent: all hooks do. */
  only?: 'project';
  /** Where a person trusts a folder, e.g. `/permissions`; absent: only when the client starts in the folder. */
  screen?: string;
  file: SettingsFile;
  /** Keys of the table of folders, or of the list of trusted folders; absent: the whole file. */
  at?: readonly string[];
  /** Set when trust in the main worktree counts in all worktrees of its repository. */
  inWorktrees?: true;
  /** The table's values that trust the folder above, and none; absent when there is a list, or a table with any values. */
  levels?: { parent: string; never: string };
  /** Environment variables, any of which trusts every folder when it is `true`. */
  env?: readonly string[];
  /** Setting with which folders need no trust. */
  off?: OffSwitch;
  /** Setting without which folders need no trust (Qwen Code). */
  on?: OffSwitch;
}
