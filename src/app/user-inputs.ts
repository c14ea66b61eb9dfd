import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Client, ClientId } from '../clients/client.ts';
import { clientFolder } from '../clients/index.ts';
import { programOnPath } from '../clients/installed-version.ts';
import type { PlanInput } from '../plan/input.ts';
import { findServers } from '../servers/resolve.ts';
import type { Declared, ServerTable } from '../servers/types.ts';
import type { RecordReading } from '../store/record.ts';
import { type StartApprovals, startApprovals } from './approvals.ts';
import type { Context } from './context.ts';
import type { ServerReference } from './server-reference.ts';
import { type Defaults, readDefaults } from './user-config.ts';

/** What an install may know of: this machine, or only what everybody has who has the project. */
export interface ScopeInputs {
  /** What the clients' files say of servers. */
  table: ServerTable;
  /** What this machine's user lets start here. */
  approvals: () => StartApprovals;
  defaults: (server: string) => Defaults;
  /** Throws a Fault where others than this machine's user would have no use of it. */
  admit: (server: string, reference: ServerReference) => void;
  /** The declarations of a server, as they are to be written down. */
  declared: (declared: Declared) => Declared;
  /** Aliases that matchers may mean on a client. */
  aliases: (client: ClientId, server: string, declared: Declared) => readonly string[];
  /** Of clients that nobody named, those that are in use. */
  inUse: (clients: readonly Client[]) => readonly Client[];
  /** What is this machine's and this moment's alone. */
  here: (approvals: StartApprovals) => Pick<PlanInput, 'tag' | 'approvals' | 'now'>;
}

export function machineInputs(context: Context, { record }: RecordReading): ScopeInputs {
  const { env, cwd, paths, scope, now } = context;
  const table = findServers({ env, cwd: scope.root ?? cwd });
  return {
    table,
    approvals: () => startApprovals(record, context),
    defaults: (server) => readDefaults(paths.config, server),
    admit: () => {},
    declared: (declared) => declared,
    aliases: (client) => table.of(client).on.map((entry) => entry.alias),
    inUse: (clients) =>
      clients.filter(
        (client) =>
          existsSync(clientFolder(client, env)) || programOnPath(client.program.binary, env) !== undefined,
      ),
    here: (approvals) => ({
      tag: randomBytes(4).toString('hex'),
      approvals: approvals.added(),
      now: now(),
    }),
  };
}
