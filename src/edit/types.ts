import type { FileRules, HookFile, HookGroup, HookHandler } from '../clients/hook-config.ts';
import type { Path } from '../declarations/path.ts';

/** An entry of ours for a file. `key` is the shim's name, unique per event, server and file. */
export interface WantedEntry {
  event: string;
  key: string;
  /** Exactly one handler in `hooks`. */
  group: HookGroup;
}

/**
 * Memory of a file, from which the last removal restores the bytes of before the first insertion. The memory belongs to
 * the file, not to a server.
 */
export interface FileMemory {
  /** Set when the file did not exist. */
  created?: true;
  /** Whole text (empty or white space, without a byte order mark) of a file that contained no value. */
  blank?: string;
  /**
   * Containers that we created, or that were empty (with their interior text), by JSON pointer (`""`, `/hooks`,
   * `/hooks/PostToolUse`; in an `unwrapped` file `/PostToolUse`).
   */
  containers: Record<string, { created: true } | { empty: string }>;
}

export interface HookFileState
  extends Pick<HookFile, 'format' | 'layout' | 'frame' | 'program' | 'unwrapped'> {
  /** Absolute path, for faults. */
  file: string;
  /** Whole text, BOM included; null: no file. */
  text: string | null;
}

export interface ReconcileRequest extends HookFileState {
  memory: FileMemory | undefined;
  accepts: FileRules;
  /** Our entries of this server that the file should contain, in order; empty: uninstall. */
  wanted: readonly WantedEntry[];
  /** Returns the key of an entry whose `signature` (`signatureOf`) mcphooks wrote for this very server, else undefined. */
  ours: (signature: string) => string | undefined;
  /** Our entries as last written; of several for one event and key, the first counts. Empty when the record is lost. */
  written: readonly WantedEntry[];
  /** Entries that the user edited are removed, too. */
  evenEdited?: boolean;
  /** Leaves an empty group in place of a removed group that is not the last (for clients with positional trust). */
  tombstones: boolean;
  /** Events of which other servers have entries, by the record: what is remembered of these stays for an install of theirs. */
  ofOthers?: readonly string[];
}

export type EntryChange = {
  event: string;
  key: string;
  kind: 'added' | 'replaced' | 'removed' | 'unchanged' | 'kept-edited';
  /** Of a replaced entry: names of members that the user edited, and that stay as they are. */
  stays?: readonly string[];
};

export interface Reconciled {
  /** Text to write; null: the file should not exist (any more). */
  text: string | null;
  memory: FileMemory | undefined;
  changes: EntryChange[];
}

/**
 * One change in one event's array; indices are those before any change. An event has appends or drops, never both.
 * `from`: the value that is replaced; with it only values that differ are written, so that comments and white space
 * around them stay.
 */
export type GroupEdit =
  | { kind: 'append'; event: string; group: HookGroup }
  | { kind: 'set'; event: string; index: number; group: HookGroup; from?: HookGroup }
  | { kind: 'drop'; event: string; index: number }
  | {
      kind: 'set-handler';
      event: string;
      index: number;
      handler: number;
      value: HookHandler;
      from?: HookHandler;
    }
  | { kind: 'drop-handler'; event: string; index: number; handler: number };

/** Parsed hook file of any format. */
export interface HookDocument {
  /** Value of the whole document. */
  value: unknown;
  /**
   * The arrays under `hooks` by event, as the client reads them (the last of a duplicated key); groups, even for a flat
   * file.
   */
  events: Map<string, readonly unknown[]>;
  /** Returns the line of a group, from 1. */
  lineOf: (event: string, index: number) => number | undefined;
  /** Returns the place of a value by its path in the document, or of the nearest value around it; undefined: unknown. */
  positionOf: (path: Path) => { line: number; column: number } | undefined;
  /**
   * Returns the objects that the client doesn't read, since their member's name occurs again in the same object, with
   * the place of the name.
   */
  hidden: () => { value: unknown; name: string; place: () => { line: number; column: number } }[];
  /** True when a group contains a comment. */
  commented: (event: string, index: number) => boolean;
  /** Our program around the entries is that of another version, or was altered. */
  outdated?: boolean;
  edit: (edits: readonly GroupEdit[], memory: FileMemory | undefined) => Edited;
}

interface Edited {
  /** Text without the byte order mark; null: remove the file. */
  text: string | null;
  memory: FileMemory;
}
