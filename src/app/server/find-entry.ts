import type { ClientId } from '../../clients/client.ts';
import { Fault, orFault } from '../../messages/fault.ts';
import { entriesNamed, resolveServer, withHash } from '../../servers/definitions/resolve.ts';
import { inFoundOrder, isForOneProject } from '../../servers/source.ts';
import type { Absence, FoundEntry, ServerEntry, ServerTable } from '../../servers/types.ts';
import type { ServerRecord } from '../../store/types.ts';
import type { Request } from '../request.ts';
import { absence, isApproved } from './own-definitions.ts';
import { definitionWasNotRecorded } from './recordable-definition.ts';
import { type ServerReference, serverReference } from './server-reference.ts';
import { withNear } from './unknown-server.ts';

/** What is known of a server: its install, if any, and the clients' definitions. */
interface KnownServer {
  previous: ServerRecord | undefined;
  table: ServerTable;
}

/**
 * Returns the entry by which to reach the server; undefined when no entry exists and the plan needs none. Faults as
 * `resolveServer`; for a name that no client has configured, the fault suggests a similar name of `installed`.
 */
export function findEntry(
  request: Request,
  { given, fromClient: from, declarationsFile, skipCheck }: ServerReference,
  { installed, ...known }: KnownServer & { installed: readonly ServerRecord[] },
): ServerEntry | undefined {
  const { previous, table } = known;
  if (given) return withHash({ alias: request.server, definition: given, source: { scope: 'command-line' } });
  const asks = request.mode === 'ask';
  // An installed server keeps its approved entry, even if other files now define the same name.
  const approved = asks || request.fromClient ? undefined : approvedEntry(request.server, known);
  // Returned early, so that no other client's files are read.
  if (approved && isApproved(approved, previous)) return approved;
  const found = orFault(() =>
    from ? resolveServer(request.server, table, { from }) : agreedOrChosen(request, known),
  );
  if (!(found instanceof Fault)) return isApproved(found, previous) ? found : (approved ?? found);
  const other = request.fromClient || request.reset ? undefined : replacementEntry(request.server, known);
  if (other ?? approved) return other ?? approved;
  if (found.code === 'server.not-found' || found.code === 'server.off') {
    const compared = request.installedOnly && previous !== undefined;
    const isNeeded = asks && !declarationsFile && !definitionWasNotRecorded(previous) && !compared;
    if (isNeeded) throw withNear(found, installed);
    // Nothing is started here, so one that its client has off can be approved.
    return skipCheck && !from ? approvedEntry(request.server, known) : undefined;
  }
  if (found.code === 'server.disagree' && !asks && previous) return undefined;
  throw found;
}

/** Returns the entry on which the clients agree, else the approved one, or that on which the chosen clients agree. */
function agreedOrChosen({ clients, server, reset }: Request, { previous, table }: KnownServer): ServerEntry {
  const agreed = orFault(() => resolveServer(server, table));
  if (!(agreed instanceof Fault)) return agreed;
  const earlier = previous?.clientsChosen && !reset ? Object.keys(previous.clients) : [];
  const wanted: readonly string[] = clients.length > 0 ? clients : earlier;
  const among = table.clients.filter(
    (id) => wanted.includes(id) && entriesNamed(server, table.of(id).on).length > 0,
  );
  if (among.length === 0 || agreed.code !== 'server.disagree') throw agreed;
  const before = reset ? undefined : approvedEntry(server, { previous, table });
  return before && isApproved(before, previous) ? before : resolveServer(server, table, { among });
}

/**
 * Returns the client that an install of the server must name, since it would find definitions that differ: the client of
 * `entry`.
 */
export function clientToName(
  { server, fromClient: _, ...request }: Request,
  { source }: ServerEntry,
  { previous, table, cwd }: { previous: ServerRecord; table: ServerTable; cwd: string },
): ClientId | undefined {
  const install: Request = { ...request, server, clients: [], mode: 'ask' };
  const reference = serverReference(install, previous, cwd);
  const found = orFault(() => findEntry(install, reference, { previous, table, installed: [] }));
  return found instanceof Fault && found.code === 'server.disagree' ? source.client : undefined;
}

/**
 * Replacement for the entry of an installed server that is gone or unclear: an approved definition of the user's own
 * files, else the one of the client that was used before. None while a project defines the server: the user must choose.
 */
function replacementEntry(alias: string, { previous, table }: KnownServer): ServerEntry | undefined {
  const before = previous?.definition?.source.client;
  const entries = table.clients.flatMap((client) => entriesNamed(alias, table.of(client).on));
  if (!before || entries.some(({ source }) => isForOneProject(source))) return undefined;
  const isBefore = ({ source }: FoundEntry): boolean => source.client === before;
  const approved = entries.filter((entry) => isApproved(entry, previous));
  const found = approved.find(isBefore) ?? approved[0] ?? entries.find(isBefore) ?? entries[0];
  return found && withHash(found);
}

/** Reads the entry that is now at the place of the approved definition. */
function approvedEntry(alias: string, { previous, table }: KnownServer): ServerEntry | undefined {
  const approved = previous?.definition?.source;
  if (approved?.file === undefined) return undefined;
  const source = inFoundOrder(approved);
  const definition = table.at(source);
  return typeof definition === 'string' ? undefined : withHash({ alias, definition, source });
}

/** Returns why the approved definition is no longer at its place; empty when the definition stands there. */
export function goneDefinition(previous: ServerRecord | undefined, table: ServerTable): { absent?: Absence } {
  const source = previous?.definition?.source;
  return source?.file === undefined ? {} : absence(source, table);
}

/** Returns the server's alias in a client's configuration, if any. A plugin's server has a longer alias there. */
export function aliasOn(client: ClientId, server: string, table: ServerTable): string | undefined {
  return entriesNamed(server, table.of(client).on)[0]?.alias;
}
