import type { Files } from '../base/files.ts';
import type { Env } from '../base/paths.ts';
import type { Client, ClientId } from '../clients/client.ts';
import type { FireServer } from '../fire/format.ts';
import type { Fault } from '../messages/fault.ts';
import type { Note } from '../messages/notes.ts';
import type { Absence, Declared } from '../servers/types.ts';
import type { Runtime } from '../shims/own-files.ts';
import type { RecordReading } from '../store/record.ts';
import type { Approvals } from '../store/types.ts';
import type { InstallOptions } from './options.ts';
import type { Scope } from './scopes/scope.ts';
import type { Gone, Overlap, Renamed } from './types.ts';

/**
 * How a shim reaches the server, or a note why no shim can. `shown`: the definition in one line, secrets masked;
 * `earlierHash`: hash by which an earlier version recorded this definition; `notes`: remarks on how the server is
 * started.
 */
export type ToolAccess =
  | {
      at: Omit<FireServer, 'callMs'>;
      shown: string;
      earlierHash?: string | undefined;
      notes?: Note[];
      /** Hooks reach the server by its URL, and start nothing. */
      remote?: true;
    }
  | { note: Note };

/** A client's own definition of the server: where it is, or would be. */
export interface OwnDefinition extends Pick<FireServer, 'source' | 'dialect'> {
  client: ClientId;
  /** Absent: the server is not defined there. `approved`: its hash was approved, for this client or another. */
  found?: { hash: string; shown: string; approved: boolean };
  /** Why there is none. */
  absent?: Absence;
}

/** All inputs of a plan. Equal inputs result in equal plans. */
export interface PlanInput {
  server: string;
  slug: string;
  tag: string;
  declared: Declared;
  options: InstallOptions;
  /**
   * Names of options that the user didn't set for this server: later installs, too, take them from the user's defaults.
   */
  defaulted?: readonly (keyof InstallOptions)[];
  clients: readonly ClientId[];
  /** The user chose them, now or at an earlier install. */
  clientsChosen?: true;
  /** Alias of the server in each client that has the server configured. */
  aliasOn: Partial<Record<ClientId, string | undefined>>;
  /** Aliases of all servers in each client's configuration; matchers may name them. */
  aliases: Partial<Record<ClientId, readonly string[]>>;
  /** Those that the working folder's project alone defines: an install for all projects isn't out of date without them. */
  aliasesHere?: Partial<Record<ClientId, readonly string[]>>;
  toolAccess: ToolAccess;
  /** Definitions of all clients; absent where all hooks use the definition of `toolAccess` (project, command line). */
  ownDefinitions?: readonly OwnDefinition[];
  /** Approved sources that no longer exist. */
  gone?: readonly Gone[];
  /** Why the approved definition is gone. */
  absent?: Absence;
  renamed?: Renamed;
  /** Looks up the versions of the clients that are installed on this machine. */
  versions: () => Partial<Record<ClientId, string>>;
  /** Looks up settings of this machine that stop all hooks of a client. */
  hooksOff: (client: Client) => readonly Note[];
  /** Names of tools whose output schema has a `hookSpecificOutput` field. */
  documentTools: readonly string[];
  /** Names of the server's tools, for clients that name tools without their server; absent when unknown. */
  ownTools?: readonly string[];
  /** Names of the tools that the server listed for this plan; absent when it wasn't asked. */
  listedTools?: readonly string[];
  /** Definition given on the command line, recorded so that `diff` can reach the server again. */
  given?: unknown;
  /** Client whose definition of the server is used (`--from`). */
  fromClient?: string;
  /** Looks up the client that an install must name with `--from`, since the clients' definitions differ. */
  clientToName?: () => ClientId | undefined;
  /** Remarks on what the declarations come from and which clients are planned, for `Plan.notes`. */
  notes?: readonly Note[];
  /** Why declarations are left out: beyond our limits, or by `--lenient`. */
  leftOut?: readonly Fault[];
  reading: RecordReading;
  /** Approvals to start servers that this command added. */
  approvals: Approvals;
  /** Folders that were created for the process lock. */
  made?: readonly string[];
  scope: Scope;
  /**
   * The lock file says what is installed (`--frozen`), and stays as it is. Entries that were edited by hand are rewritten,
   * too.
   */
  fromLock?: true;
  /**
   * Other installs and plugins that provide hooks of the server already; only for clients without an install of this
   * plan.
   */
  overlap?: Overlap;
  env: Env;
  /** Reads the runtime that shims start. */
  runtime: () => Runtime;
  /** Time of the plan, ISO 8601. */
  now: string;
  files: Files;
}
