import { slugFor } from '../base/slug.ts';
import type { Note } from '../messages/notes.ts';
import type { Renamed } from '../plan/types.ts';
import { allServers, isNamed } from '../servers/resolve.ts';
import type { ServerEntry, ServerTable } from '../servers/types.ts';
import { approvedDefinitions } from '../store/record.ts';
import type { ServerRecord } from '../store/types.ts';
import { isApproved } from './own-definitions.ts';
import { goneDefinition } from './server-reference.ts';

/** True when an installed server is gone from its place, and no client has one of that name any more. */
function isLost(server: ServerRecord, table: ServerTable): boolean {
  const { absent } = goneDefinition(server, table);
  if (absent !== 'removed' && absent !== 'no-file') return false;
  const all = [...allServers(table), ...table.clients.flatMap((client) => table.of(client).off)];
  return !all.some(isNamed(server.server));
}

/** Returns the name that the definition of an installed server has now, where the server's own name is lost. */
export function renamedTo(
  previous: ServerRecord | undefined,
  table: ServerTable,
  installed: readonly ServerRecord[],
): Renamed | undefined {
  if (!previous || !isLost(previous, table)) return undefined;
  const to = allServers(table).find((entry) => isApproved(entry, previous))?.alias;
  if (to === undefined) return undefined;
  return { to, ...(installed.some(({ slug }) => slug === slugFor(to)) && { isInstalled: true as const }) };
}

/** Returns remarks on hooks that were installed for a server's definition under names that are lost. */
export function renamedNotes(
  server: string,
  entry: ServerEntry | undefined,
  table: ServerTable,
  installed: readonly ServerRecord[],
): Note[] {
  const has = (other: ServerRecord): boolean =>
    approvedDefinitions(other).some(({ hash }) => hash === entry?.hash);
  return installed
    .filter((other) => other.slug !== slugFor(server) && has(other) && isLost(other, table))
    .map(({ server: name, scope }) => ({ code: 'server.renamed', args: { name, scope } }));
}
