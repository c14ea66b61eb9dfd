import type { Files } from '../base/files.ts';
import type { Env } from '../base/paths.ts';
import type { ClientId } from '../clients/client.ts';
import type { FireServer } from '../fire/format.ts';
import type { Note } from '../messages/notes.ts';
import type { Declared } from '../servers/types.ts';
import type { Runtime } from '../shims/own-files.ts';
import type { RecordReading } from '../store/record.ts';
import type { Approvals } from '../store/types.ts';
import type { InstallOptions } from './options.ts';
import type { Scope } from './scopes/scope.ts';
import type { Gone, Overlap } from './types.ts';

/**
 * How a shim reaches the server, or why it can't. `shown` is the definition in one line, secrets masked; `earlierHash`
 * the hash that an earlier version remembered of the same definition; `notes`: what else to know of how it is started.
 */
type ToolAccess =
  | { at: Omit<FireServer, 'callMs'>; shown: string; earlierHash?: string | undefined; notes?: Note[] }
  | { note: Note };

/** All that a plan follows from. The same input gives the same plan. */
export interface PlanInput {
  server: string;
  slug: string;
  tag: string;
  declared: Declared;
  options: InstallOptions;
  /** Names of the options that are no choice for this server, and follow the user's defaults later too. */
  defaulted?: readonly (keyof InstallOptions)[];
  clients: readonly ClientId[];
  /** The name by which each client knows the server, where it does. */
  aliasOn: Partial<Record<ClientId, string | undefined>>;
  /** Aliases of all servers in each client's configuration, for matchers. */
  aliases: Partial<Record<ClientId, readonly string[]>>;
  toolAccess: ToolAccess;
  /** What was approved and is no longer where it was. */
  gone?: readonly Gone[];
  /** Looks up the versions of the clients that are found here. */
  versions: () => Partial<Record<ClientId, string>>;
  /** Tools whose author says that they return a `hookSpecificOutput` document. */
  documentTools: readonly string[];
  /** What `diff` needs to reach the server again, when the command line said how. */
  given?: unknown;
  /** Whose definition of the server to use, when it was said. */
  fromClient?: string;
  reading: RecordReading;
  /** What came to be approved to start, by this very command. */
  approvals: Approvals;
  /** Folders that were created for the lock. */
  made?: readonly string[];
  scope: Scope;
  /** Entries that were edited by hand are written anew, too. */
  evenEdited?: true;
  /** How it stands to what gives the same hooks already; for those clients that have none of this install's. */
  overlap?: Overlap;
  env: Env;
  /** Reads the runtime of the shims. */
  runtime: () => Runtime;
  /** ISO 8601. */
  now: string;
  files: Files;
}
