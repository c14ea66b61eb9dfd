import { listed } from '../../base/listed.ts';
import type { Client, ClientId } from '../../clients/client.ts';
import { ANY_SLUG } from '../../clients/hook-files.ts';
import { CLIENTS } from '../../clients/index.ts';
import { Fault } from '../../messages/fault.ts';
import { faultText } from '../../messages/faults.ts';
import type { Note } from '../../messages/notes.ts';
import type { Scope } from '../../plan/scopes/scope.ts';
import type { ServerTable } from '../../servers/types.ts';
import type { ServerRecord } from '../../store/types.ts';
import type { Request } from '../request.ts';
import type { ScopeInputs } from './machine-inputs.ts';

/** True when a client has hooks in this scope. */
const isAble = (client: Client, scope: Scope): boolean => scope.hookFiles(client, ANY_SLUG).length > 0;

interface ClientChoice {
  request: Pick<Request, 'clients' | 'installedOnly' | 'mode' | 'reset'>;
  previous: ServerRecord | undefined;
  /** True for a client that has the server in its configuration. */
  isKnownTo: (client: ClientId) => boolean;
  /** The user's default. */
  byDefault: readonly ClientId[] | undefined;
}

/**
 * Returns the clients to install for: the requested clients, else those that the user chose before, else the user's
 * default, else clients with the server in their configuration, else all clients in use here; plus clients of an
 * earlier install. Throws a Fault, `plan.no-client`, `plan.client-unknown`, `plan.known-elsewhere`.
 */
export function chooseClients(
  { request, previous, isKnownTo, byDefault }: ClientChoice,
  scope: Scope,
  { inUse }: Pick<ScopeInputs, 'inUse'>,
): ClientId[] {
  const installed = Object.keys(previous?.clients ?? {});
  const chosen = (): readonly string[] => {
    if (request.clients.length > 0) return request.clients;
    const addsNone = request.installedOnly || request.mode === 'lock' || areChosen(request, previous);
    if (addsNone && installed.length > 0) return [];
    if (byDefault) return byDefault;
    const knowing = CLIENTS.filter((c) => isKnownTo(c.id));
    const able = knowing.filter((c) => isAble(c, scope));
    if (able.length > 0) return able.map((c) => c.id);
    if (installed.length > 0) return [];
    // The clients in use here don't run this server.
    if (knowing.length > 0)
      throw new Fault('plan.known-elsewhere', { scope: scope.name, clients: knowing.map((c) => c.title) });
    return inUse(CLIENTS.filter((c) => isAble(c, scope))).map((c) => c.id);
  };
  const ids = new Set([...chosen(), ...installed]);
  const clients = CLIENTS.map((c) => c.id).filter((id) => ids.has(id));
  // What was installed can have no client that this version knows, and none at all when no hook is chosen.
  if (clients.length > 0 || (request.installedOnly && previous)) return clients;
  const known = CLIENTS.map((c) => c.id);
  if (previous && installed.length > 0)
    throw new Fault('plan.client-unknown', { name: previous.server, clients: installed, known });
  throw new Fault('plan.no-client', { known });
}

/**
 * True when the user chose the clients: by a `--client` that adds some, now or before, or by an uninstall from some of
 * them.
 */
export const areChosen = (
  { clients, reset }: Pick<Request, 'clients' | 'reset'>,
  previous: ServerRecord | undefined,
): boolean =>
  clients.some((id) => !previous || !Object.hasOwn(previous.clients, id)) ||
  (previous?.clientsChosen === true && !reset);

/** Returns a remark on clients that have the server, but get no hooks because the user chose others before. */
export function unchosenClients(
  { request, previous, isKnownTo }: Omit<ClientChoice, 'byDefault'>,
  clients: readonly ClientId[],
  scope: Scope,
): Note[] {
  const { installedOnly, mode, clients: named } = request;
  if (installedOnly || mode === 'lock' || named.length > 0 || !areChosen(request, previous)) return [];
  const others = CLIENTS.filter((c) => !clients.includes(c.id) && isKnownTo(c.id) && isAble(c, scope));
  if (others.length === 0) return [];
  const args = {
    clients: listed(others.map((c) => c.title)),
    ids: others.map((c) => c.id).join(','),
    count: others.length,
  };
  return [{ code: 'client.unchosen', args }];
}

/**
 * Returns a remark for each client of which a file couldn't be read that may have the server: of clients that weren't
 * chosen, unless the request names clients, and of the chosen ones.
 */
export function unreadClients(
  { installedOnly, mode, clients }: Pick<Request, 'installedOnly' | 'mode' | 'clients'>,
  chosen: readonly ClientId[],
  scope: Scope,
  table: ServerTable,
): Note[] {
  if (installedOnly || mode === 'lock') return [];
  const meant = CLIENTS.filter((c) => chosen.includes(c.id) || (clients.length === 0 && isAble(c, scope)));
  return meant.flatMap(({ id, title }): Note[] => {
    const { broken, looked } = table.of(id);
    // Other files only switch servers on and off.
    const fault = broken.find(({ where }) => looked().includes(where.file ?? ''));
    const problem = fault && faultText(fault).split('\n')[0];
    if (problem === undefined) return [];
    const code = chosen.includes(id) ? 'client.unread-chosen' : 'client.unread';
    return [{ code, args: { client: title, problem } }];
  });
}
