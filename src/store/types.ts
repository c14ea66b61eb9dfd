import type { ClientId } from '../clients/client.ts';
import type { HookGroup } from '../clients/hook-config.ts';
import type { ScopeName } from '../clients/scopes.ts';
import type { Declaration } from '../declarations/types.ts';
import type { FileMemory } from '../edit/types.ts';
import type { DefinitionSource } from '../servers/types.ts';

/** One file of a command's all-or-nothing change. */
export interface FileChange {
  /** Absolute path as configured; a symlink is written through. */
  path: string;
  /** What was there when the change was planned; null: no file. A file that differs at write time makes the plan stale. */
  before: Uint8Array | null;
  /** null: remove the file. */
  after: Uint8Array | null;
  /** Mode for a new file (0o600 own data, 0o700 shims, 0o644 a client's file); an existing file keeps its mode. */
  mode: number;
}

/** Nobody but the owner may read or run a file of this mode. */
export const isPrivate = (mode: number): boolean => (mode & 0o077) === 0;

/** What is remembered of one server in one scope. */
export interface ServerRecord {
  server: string;
  slug: string;
  scope: ScopeName;
  /** Project root; only for project and local scope. */
  root?: string;
  tag: string;
  /** ISO 8601. */
  since: string;
  declarations: Declaration[];
  declarationsHash: string;
  serverName?: string;
  from: { kind: 'server'; era: string; place: string } | { kind: 'file'; file: string; unchecked?: true };
  definition?: { source: DefinitionSource; hash: string; shown: string };
  /** How to reach it again, when it was given on the command line: no secret in it. */
  given?: unknown;
  /** Whose definition to use, when it was said. */
  fromClient?: string | undefined;
  /** Tools whose author says that they return a `hookSpecificOutput` document. */
  documentTools?: string[];
  /** Options of `install`, by their names (`InstallOptions`); those of other versions may be among them. */
  options: Readonly<Record<string, unknown>>;
  /** Names of those options that no command line gave: they follow the user's defaults. */
  defaulted?: string[];
  clients: Partial<Record<ClientId, ClientRecord>>;
  disabled?: boolean;
  [future: string]: unknown;
}

export interface ClientRecord {
  /** Digest in the path of the shims: declarations, options, client. */
  digest: string;
  since: string;
  /** Hash of what else the entries follow from (`basisOf`); absent where a project's lock file remembers them. */
  basis?: string;
  /** How each declaration comes out, in their order. */
  fidelity?: string[];
  /** The client's file that holds the entries. */
  file: string;
  entries: { event: string; key: string; group: HookGroup }[];
  /** Absolute path -> sha256 of what was written: shims, their data, the runtime. */
  own: Record<string, string>;
  [future: string]: unknown;
}

/** One definition that may be started in one repository. */
export interface Approval {
  /** Its alias when it was approved. */
  server: string;
  /** ISO 8601. */
  since: string;
}

/** Real path of a repository's main checkout -> hash of a definition -> what was approved. */
export type Approvals = Record<string, Record<string, Approval>>;

/** The one record file, `<state>/record.json`. Unknown fields of a later version are kept as they are. */
export interface RecordDocument {
  schema: 1;
  servers: ServerRecord[];
  /** Absolute path of a client's file -> what its last removal must give back. */
  files: Record<string, FileMemory>;
  /** What earlier versions let start, in whatever repository: no longer read, and kept for them. */
  starts: Record<string, string>;
  /** What may be started, by repository. */
  approvals?: Approvals;
  /** Absolute paths of folders that mcphooks created: removed again when they are empty. */
  folders: string[];
  [future: string]: unknown;
}
