import type { FileChange, InstallOptions, RecordDocument, Scope, ServerRecord } from '../apply/types.ts';
import type { Client, ClientId, Fidelity } from '../clients/types.ts';
import type { Declaration } from '../declarations/types.ts';
import type { EntryChange, WantedEntry } from '../edit/types.ts';
import type { FireData } from '../fire/types.ts';
import type { Fault, FaultArgs, NextStep, NoteCode } from '../messages.ts';

/** A remark in a plan: why a hook comes out as it does. */
export interface Note {
  code: NoteCode;
  args: FaultArgs;
}

/** How one declaration comes out on one client. */
export interface Cell {
  /** Number of the declaration, from 1. */
  n: number;
  client: ClientId;
  /** `skipped`: the user's choice. */
  fidelity: Fidelity | 'skipped';
  notes: Note[];
  /** Native events that carry it. */
  natives: string[];
  /** The client's prefilter for it; undefined: every tool. */
  matcher?: string;
}

/** One shim and the files beside it, before paths and the runtime are known. */
export interface ShimPlan {
  /** File name: the native event, with `-2` and so on where a size limit asks for several. */
  name: string;
  native: string;
  /** When the script gives node up, in whole seconds. */
  seconds: number;
  data: FireData;
}

/** One client's share, compiled. */
export interface Compiled {
  client: Client;
  cells: Cell[];
  shims: ShimPlan[];
  entries: WantedEntry[];
}

/** A client's file and what becomes of our entries in it. */
export interface EditedPlace {
  /** Absolute. */
  file: string;
  /** null: no file. */
  before: string | null;
  after: string | null;
  entryChanges: EntryChange[];
  /** The folder of the plugin that it is a file of. */
  plugin?: string;
}

/** What gives the same hooks to a client already. */
export interface Cover {
  by: Scope | 'plugin' | 'extension';
  /** The client's file, or the folder of the plugin or extension; absolute. */
  where: string;
}

export interface ClientPlan {
  client: ClientId;
  /** Nothing is installed, since this gives the hooks already; there are no cells then. */
  covered?: Cover;
  cells: Cell[];
  /** What the client's own file and the shims behind it are to hold. */
  shims: ShimPlan[];
  entries: WantedEntry[];
  /** The client's file with entries; undefined when nothing of ours stands or will stand in one. */
  file?: string;
  before: string | null;
  after: string | null;
  entryChanges: EntryChange[];
  /** The folder of a plugin that holds all of it, where the client loads one by itself. */
  plugin?: string;
  /** Files that our entries leave for `file`. */
  left: EditedPlace[];
  /** Own files that are missing or were altered since they were written. */
  drift: string[];
  nextSteps: NextStep[];
  notes: Note[];
  /** This client can't be changed; the others still can be planned. */
  fault?: Fault;
}

/** What a command is about to change, as data: shown, printed as JSON, compared or applied. */
export interface Plan {
  server: string;
  slug: string;
  scope: Scope;
  /** Project root, absolute; only for project and local scope. */
  root?: string;
  declarations: Declaration[];
  clients: ClientPlan[];
  options: InstallOptions;
  /** What was approved before, if anything. */
  previous?: ServerRecord;
  /** It was silenced, and stays so. */
  disabled?: true;
  /** What has changed since the approval: declarations, definition, options. */
  changed: ('declarations' | 'definition' | 'options')[];
  /** Files in a project's folder of ours that belong to nothing any more. */
  leftovers: string[];
  /** All files, in the order in which they are written. Empty: nothing to do. */
  changes: FileChange[];
  /** Folders of ours that are empty afterwards. */
  emptied: string[];
  /** What will be remembered of this install. */
  next: ServerRecord;
  record: RecordDocument;
}
