import type { ClientId } from '../clients/client.ts';
import type { ScopeName } from '../clients/scopes.ts';
import type { Declaration } from '../declarations/types.ts';
import type { FileMemory, WantedEntry } from '../edit/types.ts';
import type { Declared, DefinitionSource } from '../servers/types.ts';

/** One file of an all-or-nothing change by a command. */
export interface FileChange {
  /** Absolute path as configured; a symlink is written through. */
  path: string;
  /** Bytes when the change was planned; null: no file. A file that differs at write time makes the plan stale. */
  before: Uint8Array | null;
  /** Bytes to write; null: remove the file. */
  after: Uint8Array | null;
  /**
   * Mode for a new file, less the umask if it isn't private: 0o600 own data, 0o700 shims, 0o644 a user's file of a client;
   * 0o666 and 0o777 what is shared, since a group may work in one checkout. An existing file gets only a private one.
   */
  mode: number;
}

/** True when only the owner may read or run a file of this mode. */
export const isPrivateMode = (mode: number): boolean => (mode & 0o077) === 0;

/** Record of one server's install in one scope. */
export interface ServerRecord {
  /** Name of the server, as the user gave it to `install`. */
  server: string;
  /** The name as part of paths (`slugFor`). */
  slug: string;
  scope: ScopeName;
  /** Absolute path of the project's root; only for project and local scope. */
  root?: string;
  /** Random value of the install (`FireData.tag`). */
  tag: string;
  /** Time of the first install, ISO 8601. */
  since: string;
  declarations: Declaration[];
  declarationsHash: string;
  /** The name that the server gives itself. */
  serverName?: string;
  from: Declared['from'];
  /** The definition by which the server is asked, and that hooks use on clients without one of their own. */
  definition?: ApprovedDefinition;
  /** Definitions in the user's own files on other clients. */
  otherDefinitions?: ApprovedDefinition[] | undefined;
  /** Definition given on the command line, for reaching the server again; holds no secret. */
  given?: unknown;
  /** Client whose definition of the server is used (`--from`). */
  fromClient?: string | undefined;
  /** Names of tools whose output schema has a `hookSpecificOutput` field. */
  documentTools?: string[];
  /** Names of the server's tools, where a client names tools without their server. */
  ownTools?: string[];
  /** Options of `install` by name (`InstallOptions`), including options of other versions. */
  options: Readonly<Record<string, unknown>>;
  /** Names of options that no command line set: these follow the user's defaults. */
  defaulted?: string[];
  clients: Partial<Record<ClientId, ClientRecord>>;
  /** The user chose the clients: later installs without `--client` add none. */
  clientsChosen?: true | undefined;
  disabled?: boolean;
  /** Only in a project: the version of mcphooks that wrote the hook scripts. */
  mcphooks?: string;
  [future: string]: unknown;
}

/** An approved definition. `shown`: the definition in one line, secrets masked. */
export interface ApprovedDefinition {
  source: DefinitionSource;
  hash: string;
  shown: string;
}

/** An entry that the user edited, as last written, which stays although no declaration has it any more. */
export interface EditedEntry extends WantedEntry {
  /** File that holds it; absent: any file of the client. */
  file?: string;
}

/** An entry that the user edited, as last written, which stays after its server's uninstall. */
export interface KeptEntry extends WantedEntry {
  file: string;
}

export interface ClientRecord {
  /** Digest of declarations, options and client; part of the shims' path. */
  digest: string;
  since: string;
  /** Hash of the other inputs of the entries (`compileInputsHash`); absent in a project's lock file. */
  basis?: string;
  /** Fidelity of each declaration, in order. */
  fidelity?: string[];
  /** The client's file that holds the entries. */
  file: string;
  /** Files of other folders of the client with entries, as last written: a variable named those folders at an install. */
  otherFiles?: { file: string; entries: WantedEntry[] }[];
  entries: WantedEntry[];
  edited?: EditedEntry[];
  /** Hash of the program around the entries, where `file` is a module. */
  program?: string;
  /** Absolute path of an own file (shim, its data, runtime) -> sha256 of the text that was written. */
  own: Record<string, string>;
  [future: string]: unknown;
}

/** Approval to start one definition in one repository. */
interface Approval {
  /** Alias of the server at the time of the approval. */
  server: string;
  /** Time of the approval, ISO 8601. */
  since: string;
}

/** Real path of a repository's main checkout -> hash of a definition -> its approval. */
export type Approvals = Record<string, Record<string, Approval>>;

/** Contents of the only record file, `<state>/record.json`. Unknown fields of a later version are kept. */
export interface RecordDocument {
  schema: 1;
  /** Only of a project: the version of mcphooks that wrote the files that all servers use. */
  mcphooks?: string;
  servers: ServerRecord[];
  /** Absolute path of a client's file -> what the last removal of entries must restore. */
  files: Record<string, FileMemory>;
  kept?: KeptEntry[];
  /** Start approvals of earlier versions, for any repository: kept for earlier versions, but no longer read. */
  starts: Record<string, string>;
  /** Start approvals, by repository. */
  approvals?: Approvals;
  /** Slug -> roots of the projects whose shared hooks were disabled on this machine. */
  disabledIn?: Record<string, string[]>;
  /** Absolute paths of folders that mcphooks created and removes when they are empty. */
  folders: string[];
  [future: string]: unknown;
}
