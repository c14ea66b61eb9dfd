import type { Client } from '../clients/client.ts';
import type { Path } from '../declarations/path.ts';
import type { Declaration } from '../declarations/types.ts';
import type { FaultArgs, Where } from '../messages/args.ts';
import type { WarningCode } from '../messages/warnings.ts';
import type { ServerNames } from '../plan/compile/server-tools.ts';
import type { InstallOptions } from '../plan/options.ts';
import type { HookOutcome } from '../plan/types.ts';
import type { ServerTool } from '../servers/types.ts';

/** One client, the names of its servers, and the result of compiling the declarations for it. */
export interface LintClient {
  client: Client;
  servers: ServerNames;
  cells: readonly HookOutcome[];
}

/** All data for the rules. */
export interface Subject {
  declarations: readonly Declaration[];
  /** The list has none even before any are left out. */
  isEmpty?: boolean;
  /** The server declares them at a place that takes no conditions (`when`). */
  takesNoWhen?: boolean;
  options: InstallOptions;
  clients: readonly LintClient[];
  /** Tools that the server lists; undefined when it wasn't asked. */
  tools?: readonly ServerTool[];
  /** The server's own name; undefined when it wasn't asked. */
  serverName?: string;
  /** Host to which tool calls go over the network; undefined when there is none, or it is unknown. */
  remoteHost?: string;
}

/** One occurrence: its keys below the declaration, and the arguments of its sentence. */
export interface Occurrence {
  at: Path;
  args?: FaultArgs;
}

/** Checks one declaration; `i` is its index. */
export interface LintRule {
  code: WarningCode;
  find: (declaration: Declaration, subject: Subject, i: number) => Occurrence[];
}

export interface Warning {
  code: WarningCode;
  /** Number of the declaration, from 1; absent: it applies to the whole list. */
  n?: number;
  args: FaultArgs;
  where: Where;
}
