import type { FileRules, HookFile, HookGroup, HookHandler } from '../clients/hook-config.ts';

/** An entry of ours that should stand in a file. `key` is the shim's name, unique per event, server and file. */
export interface WantedEntry {
  event: string;
  key: string;
  /** Exactly one handler in `hooks`. */
  group: HookGroup;
}

/**
 * What must be remembered of a file so that the last removal gives back the bytes of before the first insertion.
 * Keyed by a JSON pointer of a container (`""`, `/hooks`, `/hooks/PostToolUse`). Belongs to the file, not to a server.
 */
export interface FileMemory {
  /** The file did not exist. */
  created?: true;
  /** The file held no value at all: its whole text (empty or white space), without a byte order mark. */
  blank?: string;
  /** Containers that we created, or that were empty, with the text that stood inside the empty one. */
  containers: Record<string, { created: true } | { empty: string }>;
}

export interface HookFileState extends Pick<HookFile, 'format' | 'layout' | 'frame' | 'program'> {
  /** Absolute path, for faults. */
  file: string;
  /** Whole text, BOM included; null: no file. */
  text: string | null;
  memory: FileMemory | undefined;
}

export interface ReconcileRequest extends HookFileState {
  accepts: FileRules;
  /** Our entries for this server that should be in the file, in order; empty: uninstall. */
  wanted: readonly WantedEntry[];
  /**
   * The key of the entry when `sign` (`signOf`) is one that mcphooks wrote for this very server, else undefined.
   */
  ours: (sign: string) => string | undefined;
  /** What was last written for `event` and `key`; undefined when the record is lost. */
  written: (event: string, key: string) => HookGroup | undefined;
  /** Entries that the user edited leave, too. */
  evenEdited?: boolean;
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

/** One change of one event's array, by indices of before any change. Per event there are appends or drops, never both. */
export type GroupEdit =
  | { kind: 'append'; event: string; group: HookGroup }
  | { kind: 'set'; event: string; index: number; group: HookGroup }
  | { kind: 'drop'; event: string; index: number }
  | { kind: 'set-handler'; event: string; index: number; handler: number; value: HookHandler }
  | { kind: 'drop-handler'; event: string; index: number; handler: number };

/** A file as one format's reader sees it. */
export interface HookDocument {
  /** The whole value. */
  value: unknown;
  /** The arrays under `hooks`, by event, as the client reads them (the last of a duplicated key); groups, also of a flat file. */
  events: Map<string, readonly unknown[]>;
  /** Line, from 1, of a group. */
  lineOf: (event: string, index: number) => number | undefined;
  /** A comment stands inside the group. */
  commented: (event: string, index: number) => boolean;
  edit: (edits: readonly GroupEdit[], memory: FileMemory | undefined) => Edited;
}

interface Edited {
  /** Without the byte order mark. */
  text: string | null;
  memory: FileMemory;
}
