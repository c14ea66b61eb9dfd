import type { Client } from '../clients/client.ts';
import type { Path } from '../declarations/path.ts';
import type { Declaration } from '../declarations/types.ts';
import type { FaultArgs, Where } from '../messages/args.ts';
import type { WarningCode } from '../messages/warnings.ts';
import type { ServerNames } from '../plan/compile/matcher.ts';
import type { InstallOptions } from '../plan/options.ts';
import type { HookOutcome } from '../plan/types.ts';
import type { ServerTool } from '../servers/types.ts';

/** One client, the names of servers there, and how the declarations come out on it. */
export interface LintClient {
  client: Client;
  servers: ServerNames;
  cells: readonly HookOutcome[];
}

/** All that a rule may look at. */
export interface Subject {
  declarations: readonly Declaration[];
  options: InstallOptions;
  clients: readonly LintClient[];
  /** What the server lists; undefined: it was not asked. */
  tools?: readonly ServerTool[];
  /** The server's own name; undefined: it was not asked. */
  serverName?: string;
  /** Host to which tool calls go over the network; undefined: none, or not known. */
  remoteHost?: string;
}

/** One occurrence: keys below the declaration, and what the sentence says of it. */
export interface Found {
  at: Path;
  args?: FaultArgs;
}

/** Looks at one declaration; `i` is its index. */
export interface Rule {
  code: WarningCode;
  find: (declaration: Declaration, subject: Subject, i: number) => Found[];
}

export interface Warning {
  code: WarningCode;
  /** Number of the declaration, from 1. */
  n: number;
  args: FaultArgs;
  where: Where;
}
