import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { programOnPath } from '../../base/program.ts';
import type { Client, ClientId } from '../../clients/client.ts';
import { clientFolder } from '../../clients/index.ts';
import type { PlanInput } from '../../plan/input.ts';
import { findServers } from '../../servers/definitions/resolve.ts';
import { isForOneProject } from '../../servers/source.ts';
import type { Declared, ServerTable } from '../../servers/types.ts';
import type { RecordReading } from '../../store/record.ts';
import { type StartApprovals, startApprovals } from '../approval/approvals.ts';
import type { Context } from '../context.ts';
import type { Request } from '../request.ts';
import type { ServerReference } from '../server/server-reference.ts';
import { type Defaults, readDefaults } from './user-config.ts';

/** Inputs that an install may use: this machine's, or only the inputs that everybody with the project has. */
export interface ScopeInputs {
  /** Servers in the clients' files. */
  table: ServerTable;
  /** Reads the approvals to start definitions here. */
  approvals: () => StartApprovals;
  defaults: (server: string) => Defaults;
  /** Throws a Fault when only this machine's user could use the install. */
  admit: (request: Pick<Request, 'server' | 'given'>, reference: ServerReference) => void;
  /** Returns the declarations of a server in the form to record. */
  declared: (declared: Declared) => Declared;
  /** Returns aliases that matchers may mean on a client. */
  aliases: (client: ClientId, server: string, declared: Declared) => readonly string[];
  /** Returns the aliases among these that the working folder's project alone defines; absent: none. */
  aliasesHere?: (client: ClientId) => readonly string[];
  /** Returns the clients in use, for a command that names no clients. */
  inUse: (clients: readonly Client[]) => readonly Client[];
  /** Returns the values of this machine and moment. */
  here: (approvals: StartApprovals) => Pick<PlanInput, 'tag' | 'approvals' | 'now'>;
}

/** Returns the inputs of an install on this machine alone: user and local scope. */
export function machineInputs(context: Context, { record }: RecordReading): ScopeInputs {
  const { env, cwd, paths, scope, now } = context;
  const table = findServers({ env, cwd: scope.root ?? cwd });
  return {
    table,
    approvals: () => startApprovals(record, context),
    defaults: (server) => readDefaults(paths.config, server),
    admit: () => {},
    declared: (declared) => declared,
    aliases: (client) => table.inUse(client).map(({ alias }) => alias),
    ...(scope.name === 'user' && {
      aliasesHere: (client) =>
        table.inUse(client).flatMap(({ alias, source }) => (isForOneProject(source) ? [alias] : [])),
    }),
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
