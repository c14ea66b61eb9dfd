import type { Client, ClientId } from '../clients/client.ts';
import type { Fidelity } from '../clients/protocol.ts';
import type { ScopeName } from '../clients/scopes.ts';
import type { Declaration } from '../declarations/types.ts';
import type { EntryChange, WantedEntry } from '../edit/types.ts';
import type { Fault } from '../messages/fault.ts';
import type { NextStep, Note } from '../messages/notes.ts';
import type { ShimPlan } from '../shims/types.ts';
import type { FileChange, RecordDocument, ServerRecord } from '../store/types.ts';
import type { InstallOptions } from './options.ts';

/** How one declaration comes out on one client. */
export interface HookOutcome {
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

/** One client's share, compiled. */
export interface Compiled {
  client: Client;
  cells: HookOutcome[];
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
  by: ScopeName | 'plugin' | 'extension';
  /** The client's file, or the folder of the plugin or extension; absolute. */
  where: string;
}

/** How one client's files stand to what is to be installed. */
export interface ClientComparison {
  client: ClientId;
  /** What the client's own file is to hold. */
  entries: WantedEntry[];
  /** The client's file with entries; undefined when nothing of ours stands or will stand in one. */
  file?: string;
  before: string | null;
  after: string | null;
  entryChanges: EntryChange[];
  /** The folder of a plugin that holds all of it, where the client loads one by itself. */
  plugin?: string;
  /** Files that our entries leave for `file`. */
  movedOut: EditedPlace[];
  /** Own files that are missing or were altered since they were written. */
  drift: string[];
  /** Those of them that are missing. */
  gone: string[];
  nextSteps: NextStep[];
  /** This client can't be changed; the others still can be planned. */
  fault?: Fault;
}

/** One client's share of a plan. */
export interface ClientPlan extends ClientComparison {
  /** Nothing is installed, since this gives the hooks already; there are no cells then. */
  covered?: Cover;
  cells: HookOutcome[];
  /** What stands behind the entries. */
  shims: ShimPlan[];
  notes: Note[];
}

/** Where a server's definition or its declarations came from, and are no more. */
export type Gone = 'definition' | 'declarations';

/** What a command is about to change, as data: shown, printed as JSON, compared or applied. */
export interface Plan {
  server: string;
  slug: string;
  scope: ScopeName;
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
  /** What to know of how the server is started. */
  notes?: Note[];
  /** What is no longer where it was when it was approved; the plan goes by what was approved. */
  gone: Gone[];
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
export interface Overlap {
  /** Clients that have the hooks already. */
  covered: Partial<Record<ClientId, Cover>>;
  /** What to know of the others. */
  notes: Partial<Record<ClientId, Note[]>>;
}
