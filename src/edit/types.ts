/** One group of a client's `hooks.<event>` array, as all three clients shape it. */
export interface HookGroup {
  matcher?: string;
  hooks: HookHandler[];
  [key: string]: unknown;
}

export interface HookHandler {
  type: string;
  command?: string;
  timeout?: number;
  [key: string]: unknown;
}

/** An entry of ours that should stand in a file. `key` is the shim's name, unique per event, server and file. */
export interface WantedEntry {
  event: string;
  key: string;
  group: HookGroup;
}

/**
 * What must be remembered of a file so that the last removal gives back the bytes of before the first insertion.
 * Keyed by a JSON pointer of a container (`""`, `/hooks`, `/hooks/PostToolUse`). Belongs to the file, not to a server.
 */
export interface FileMemory {
  /** The file did not exist. */
  created?: true;
  /** Containers that we created, or that were empty, with the text that stood inside the empty one. */
  containers: Record<string, { created: true } | { empty: string }>;
}

export interface HookFileState {
  /** Absolute path, for faults. */
  file: string;
  /** Whole text, BOM included; null: no file. */
  text: string | null;
  format: 'json' | 'jsonc' | 'toml';
  memory: FileMemory | undefined;
}

export interface ReconcileRequest extends HookFileState {
  /** Our entries for this server that should be in the file, in order; empty: uninstall. */
  wanted: readonly WantedEntry[];
  /** The key of the entry when `command` is one that mcphooks wrote for this very server, else undefined. */
  ours: (command: string) => string | undefined;
  /** What was last written for `event` and `key`; undefined when the record is lost. */
  written: (event: string, key: string) => HookGroup | undefined;
  /** Leave an empty group where a group that is not last is removed (positional trust). */
  tombstones: boolean;
}

export type EntryChange = {
  event: string;
  key: string;
  kind: 'added' | 'replaced' | 'removed' | 'unchanged' | 'kept-edited';
};

export interface Reconciled {
  /** null: the file should not exist (any more). */
  text: string | null;
  memory: FileMemory | undefined;
  changes: EntryChange[];
}
