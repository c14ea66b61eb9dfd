import type { Client, ClientId } from '../clients/client.ts';
import type { Fidelity } from '../clients/protocol.ts';
import type { ScopeName } from '../clients/scopes.ts';
import type { Declaration } from '../declarations/types.ts';
import type { EntryChange, WantedEntry } from '../edit/types.ts';
import type { Fault } from '../messages/fault.ts';
import type { NextStep, Note } from '../messages/notes.ts';
import type { Absence } from '../servers/types.ts';
import type { ShimPlan } from '../shims/types.ts';
import type { FileChange, RecordDocument, ServerRecord } from '../store/types.ts';
import type { InstallOptions } from './options.ts';

// A `Plan` is a whole install, with a `ClientPlan` for each client: that is a `ClientComparison` (the client's files,
// against what is to be installed) with what was compiled. `ClientPlans`: those of all clients, with what a write needs.
// Each is made of a `LazyClientPlan` (client/client-plan.ts), whose functions compile, look up a version and build
// scripts only when called: `compareInstall` needs its comparison alone.

/** Result of compiling one declaration for one client. */
export interface HookOutcome {
  /** Number of the declaration, from 1. */
  n: number;
  /** `skipped`: the user chose to leave the hook out. */
  fidelity: Fidelity | 'skipped';
  notes: Note[];
  /** Native events that carry the hook. */
  natives: string[];
  /** The client's own tool matcher; undefined: every tool. */
  matcher?: string;
}

/** Declarations of one server, compiled for one client. */
export interface Compiled {
  client: Client;
  cells: HookOutcome[];
  shims: ShimPlan[];
  entries: WantedEntry[];
}

/** A client's file and the changes of our entries in that file. */
export interface EditedPlace {
  /** Absolute path. */
  file: string;
  /** Text before; null: no file. */
  before: string | null;
  after: string | null;
  entryChanges: EntryChange[];
  /** Folder of the plugin that contains the file. */
  plugin?: string;
}

/** Another install or plugin that already provides hooks of the server on a client. */
export interface Cover {
  by: ScopeName | 'plugin' | 'extension';
  /** Absolute path of the client's file, or of the plugin's or extension's folder. */
  where: string;
  /** Numbers of the chosen hooks that it leaves out, from 1. */
  lacks?: number[];
  /** It was made from other declarations, so it may lack some of these hooks. */
  otherDeclarations?: true;
  /** Its hooks are disabled. */
  disabled?: true;
}

/** How the definition that a client's hooks use differs from the approved one. */
export interface DefinitionDifference {
  /** `gone`: no longer in the file in which it was approved, or switched off there. */
  is: 'changed' | 'gone';
  /** Why the definition is gone. */
  absent?: Absence | undefined;
  file?: string | undefined;
  /** Client whose definition the hooks use, where that is another one. */
  of?: ClientId | undefined;
  /** Client whose approved definition the hooks use in place of one that is gone. */
  instead?: ClientId | undefined;
}

/** Comparison of one client's files with what is to be installed. */
export interface ClientComparison {
  client: ClientId;
  /** Entries that the client's file is to hold. */
  entries: WantedEntry[];
  /** The client's file with our entries; undefined when no file holds any, before or after. */
  file?: string;
  before: string | null;
  after: string | null;
  entryChanges: EntryChange[];
  /** Folder of the plugin that holds the whole install, where the client loads plugins by itself. */
  plugin?: string;
  /** Further files with entries, on a client that reads an event from one of several files. */
  beside: EditedPlace[];
  /** Other files, from which our entries are removed. */
  movedOut: EditedPlace[];
  /**
   * Files that are missing or were altered since mcphooks wrote them: own files, a project's lock file, and the client's
   * file where it must be written anew.
   */
  drift: string[];
  /** Own files of `drift` that are missing, and the folder of the scripts where the entries name another. */
  missing: string[];
  /** The hooks would match tools of servers that were configured since. */
  matchesMore?: true;
  /** The entries stay as a lock file of another version has them, and this version would write others. */
  unverified?: true;
  /** Hooks that fired by what was approved, and can't fire any more. */
  stopped?: HookOutcome[];
  /** How the definition that its hooks use stands to what was approved, where that differs. */
  definition?: DefinitionDifference;
  nextSteps: NextStep[];
  /** Why this client can't be changed; other clients are still planned. */
  fault?: Fault;
}

export interface ClientPlan extends ClientComparison {
  /** Set when another install provides hooks of the server already: nothing is installed, and `cells` is empty. */
  covered?: Cover;
  cells: HookOutcome[];
  /** Hook scripts that the entries start. */
  shims: ShimPlan[];
  notes: Note[];
}

/** Plans of all clients of an install, with what they change. */
export interface ClientPlans {
  clients: ClientPlan[];
  /** Changes of mcphooks' own files, by path. */
  own: Map<string, FileChange>;
  /** Changes of the clients' files, by path. */
  texts: Map<string, FileChange>;
  memories: RecordDocument['files'];
  records: ServerRecord['clients'];
  /** Files that are written anew for a client that had an install. */
  rewritten: Map<ClientId, string[]>;
}

/** Approved source that no longer exists: where the definition, or the declarations, came from. */
export type Gone = 'definition' | 'declarations';

/** The name that an approved definition has now, where no client has the server under its own name any more. */
export interface Renamed {
  to: string;
  /** Hooks are installed under that name, too. */
  isInstalled?: true;
  /** It may be another server: values of its environment or headers aren't compared. */
  mayDiffer?: true;
}

/** All changes that a command is about to make, as data: shown, printed as JSON, compared or applied. */
export interface Plan {
  server: string;
  slug: string;
  scope: ScopeName;
  /** Absolute path of the project's root; only for project and local scope. */
  root?: string;
  declarations: Declaration[];
  clients: ClientPlan[];
  options: InstallOptions;
  /** Record of the approved install, if any. */
  previous?: ServerRecord;
  /** The install was disabled and stays disabled. */
  disabled?: true;
  /** Parts that differ from what was approved. */
  changed: ('declarations' | 'definition' | 'options')[];
  /** Where something changed: the client that the install which approves it must name with `--from`. */
  clientToName?: ClientId | undefined;
  /** Remarks on the plan as a whole: sources, clients, how the server is started and kept. */
  notes?: Note[];
  /** Why declarations are left out: beyond our limits, or by `--lenient`. */
  leftOut?: readonly Fault[];
  /** Approved sources that no longer exist; the plan then uses the recorded values. */
  gone: Gone[];
  renamed?: Renamed;
  /** Unused files in mcphooks' folder of a project. */
  leftovers: string[];
  /** File changes in the order in which they are written. Empty: nothing to do. */
  changes: FileChange[];
  /** Folders created by mcphooks that are empty afterwards. */
  emptied: string[];
  /** Record of this install after the change. */
  next: ServerRecord;
  record: RecordDocument;
}

/** Other installs of the same server that act on the same clients. */
export interface Overlap {
  /** Clients on which hooks of the server are already provided. */
  covered: Partial<Record<ClientId, Cover>>;
  /** Notes about the other clients. */
  notes: Partial<Record<ClientId, Note[]>>;
}
