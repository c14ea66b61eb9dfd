import { near, nearArg } from '../base/near.ts';
import { slugFor } from '../base/slug.ts';
import { CLIENT_IDS, type ClientId } from '../clients/client.ts';
import { clientById, titlesOf } from '../clients/index.ts';
import type { ScopeName } from '../clients/scopes.ts';
import { activeScopes, damagedLocks, type ScopeState } from '../inspect/scopes.ts';
import { Fault } from '../messages/fault.ts';
import { serversIn } from '../plan/scopes/scope.ts';
import { allServers, findServers } from '../servers/definitions/resolve.ts';
import type { ServerRecord } from '../store/types.ts';
import type { Context } from './context.ts';
import { openRecord, recordedServer } from './open-record.ts';

/** Returns the server with this name at the command's scope. Throws a Fault, `notInstalled`. */
export async function installedServer(context: Context, name: string): Promise<ServerRecord> {
  const found = recordedServer(slugFor(name), context);
  if (found) return found;
  throw await notInstalled(name, context);
}

/**
 * Returns the Fault `plan.not-installed`, with the other scopes at which the server is installed, or a similar name; or
 * the Fault of this project's lock file, where that can't tell. `command`: the command to suggest for such a scope;
 * `emptied`: the server is recorded at the command's scope, and has hooks on no client.
 */
export async function notInstalled(
  name: string,
  context: Context,
  { here, command, emptied }: { here?: ScopeState[]; command?: string; emptied?: true } = {},
): Promise<Fault> {
  const states = here ?? (await activeScopes(context));
  const other = elsewhere(name, context, states);
  const [damaged] = damagedLocks(states);
  if (damaged && !other.elsewhere) return damaged;
  return new Fault('plan.not-installed', {
    name,
    scope: context.scope.name,
    ...(command !== undefined && { command }),
    ...(emptied && { emptied: 1 as const }),
    ...other,
  });
}

/** Returns the Fault for clients of which none has an install of the server, whose record names others. */
export function notOnClients(
  clients: readonly ClientId[],
  { server: name, scope, clients: installed }: ServerRecord,
): Fault {
  const having = titlesOf(CLIENT_IDS.filter((id) => installed[id]));
  const ids = clients.filter((id) => scope === 'user' || clientById(id).hooks[scope].length > 0);
  return new Fault('plan.not-on-clients', { clients: titlesOf(clients), having, ids, name, scope });
}

/**
 * Returns the other scopes at which a server is installed here; else a similar name, one of a server that could be
 * installed, and all names that are installed here.
 */
function elsewhere(
  name: string,
  context: Context,
  here: readonly ScopeState[],
): { elsewhere?: ScopeName[]; near?: string; toInstall?: string; known: string[] } {
  const slug = slugFor(name);
  const others = here.filter(({ scope }) => scope.name !== context.scope.name);
  const having = others.filter(({ servers }) => servers.some((s) => s.slug === slug));
  const own = serversIn(context.scope, openRecord(context).record);
  const known = [...new Set([...own, ...others.flatMap(({ servers }) => servers)].map((s) => s.server))];
  const configured = allServers(findServers(context)).map(({ alias }) => alias);
  const toInstall = configured.includes(name) ? name : near(name, configured);
  return {
    ...(having.length > 0 && { elsewhere: having.map(({ scope }) => scope.name) }),
    ...nearArg(name, known),
    ...(toInstall !== undefined && { toInstall }),
    known,
  };
}
