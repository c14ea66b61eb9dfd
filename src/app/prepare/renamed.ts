import { listed } from '../../base/listed.ts';
import { slugFor } from '../../base/slug.ts';
import type { ClientId } from '../../clients/client.ts';
import { clientById } from '../../clients/index.ts';
import type { Note } from '../../messages/notes.ts';
import type { Renamed } from '../../plan/types.ts';
import { allServers, isNamed } from '../../servers/definitions/resolve.ts';
import type { ClientServers, Definition, ServerEntry, ServerTable } from '../../servers/types.ts';
import { approvedDefinitions } from '../../store/record.ts';
import type { ServerRecord } from '../../store/types.ts';
import { goneDefinition } from '../server/find-entry.ts';
import { isApproved } from '../server/own-definitions.ts';

/** True when an installed server is gone from its place, and no client has one of that name any more. */
function isLost(server: ServerRecord, table: ServerTable): boolean {
  const { absent } = goneDefinition(server, table);
  if (absent !== 'removed' && absent !== 'no-file') return false;
  return !table.clients.some((client) => mayHave(server.server, table.of(client)));
}

/** True when a client has a server of a name, or may have it where its file can't be read. */
const mayHave = (name: string, { on, off, broken, unusable, untrusted }: ClientServers): boolean =>
  broken.length > 0 ||
  [...on, ...off].some(isNamed(name)) ||
  unusable(name).length > 0 ||
  untrusted(name).length > 0;

/** Returns the name that the definition of an installed server has now, where the server's own name is lost. */
export function renamedTo(
  previous: ServerRecord | undefined,
  table: ServerTable,
  installed: readonly ServerRecord[],
): Renamed | undefined {
  if (!previous || !isLost(previous, table)) return undefined;
  const found = allServers(table).find((entry) => isApproved(entry, previous));
  if (!found) return undefined;
  const { alias: to, definition } = found;
  return {
    to,
    ...(installed.some(({ slug }) => slug === slugFor(to)) && { isInstalled: true as const }),
    ...(hasValues(definition) && { mayDiffer: true as const }),
  };
}

/** True when a definition of the user's own files has values that its hash leaves out: two accounts' servers look alike. */
const hasValues = (definition: Definition): boolean =>
  Object.keys(definition.transport === 'stdio' ? definition.env : definition.headers).length > 0;

/**
 * Returns remarks on hooks that were installed for a server's definition under names that are lost, or that some of its
 * `clients` don't have.
 */
export function renamedNotes(
  { server, clients }: { server: string; clients: readonly ClientId[] },
  entry: ServerEntry | undefined,
  table: ServerTable,
  installed: readonly ServerRecord[],
): Note[] {
  const has = (other: ServerRecord): boolean =>
    approvedDefinitions(other).some(({ hash }) => hash === entry?.hash);
  return installed.flatMap((other): Note[] => {
    if (other.slug === slugFor(server) || !has(other)) return [];
    const { server: name, scope } = other;
    if (isLost(other, table)) return [{ code: 'server.renamed', args: { name, scope } }];
    const ids = clients.filter((id) => other.clients[id] && !mayHave(name, table.of(id)));
    if (ids.length === 0) return [];
    const titles = ids.map((id) => clientById(id).title);
    const args = { name, scope, clients: listed(titles), ids: ids.join(','), count: ids.length };
    return [{ code: 'server.renamed-on', args }];
  });
}
