import type { ClientId } from '../../clients/client.ts';
import type { OwnDefinition } from '../../plan/input.ts';
import { isOfDefinition } from '../../servers/definitions/earlier-hash.ts';
import { approvalHash, dialectOf, entriesNamed } from '../../servers/definitions/resolve.ts';
import { showDefinition } from '../../servers/masking/mask.ts';
import { inFoundOrder, isForOneProject, isSamePlace } from '../../servers/source.ts';
import type { Absence, DefinitionSource, FoundEntry, ServerEntry, ServerTable } from '../../servers/types.ts';
import { approvedDefinitions } from '../../store/record.ts';
import type { ServerRecord } from '../../store/types.ts';
import { isReachable } from './tool-access.ts';

/** Whether a definition's hash was approved for the server, on any client. */
export function isApproved(
  { definition, source }: Pick<FoundEntry, 'definition' | 'source'>,
  previous: ServerRecord | undefined,
): boolean {
  return approvedDefinitions(previous).some(({ hash }) =>
    isOfDefinition(hash, definition, source, dialectOf(source)),
  );
}

/**
 * Each client's own definition of a server, or the place where it would be. Leaves out clients whose definition no hook
 * can use, because the client alone has access.
 */
export function ownDefinitions(
  alias: string,
  entry: ServerEntry | undefined,
  previous: ServerRecord | undefined,
  table: ServerTable,
): OwnDefinition[] {
  return table.clients.flatMap((client): OwnDefinition[] => {
    const { found, source, absent } = look(client);
    if (found && !isReachable(found.definition)) return [];
    const at = found?.source ?? source;
    if (!at) return [];
    return [
      {
        client,
        source: at,
        dialect: dialectOf(at),
        ...(absent && { absent }),
        ...(found && {
          found: {
            hash: approvalHash({ definition: found.definition, source: at }),
            shown: showDefinition(found.definition, at),
            approved: isApproved(found, previous) && !isMoved(at),
          },
        }),
      },
    ];
  });

  /**
   * Whether a definition stands in place of an approved one that is gone, where a client holds one of them for one project
   * alone: hooks don't look for it there.
   */
  function isMoved(source: DefinitionSource): boolean {
    const before = previous?.definition?.source;
    if (before?.file === undefined || isSamePlace(before, source)) return false;
    // Hooks know the places of all other clients in the user's own files.
    const isNew = source.scope === 'local' || (before.scope === 'local' && before.client === source.client);
    return isNew && typeof table.at(inFoundOrder(before)) === 'string';
  }

  function look(client: ClientId): { found?: FoundEntry; source?: DefinitionSource; absent?: Absence } {
    if (entry?.source.client === client) return { found: entry };
    const { on, off, userPlaces } = table.of(client);
    // An entry that is off itself is no definition, wherever it is looked up.
    const listed = off.filter(({ source }) => typeof table.at(source) !== 'string');
    const places = [
      ...approvedDefinitions(previous).flatMap((one) => (one.source.client === client ? [one.source] : [])),
      ...entriesNamed(alias, on).flatMap(({ source }) => (isForOneProject(source) ? [] : [source])),
      ...userPlaces(alias).filter((source) => !listed.some((one) => isSamePlace(one.source, source))),
    ];
    for (const source of places) {
      const definition = on.find((one) => isSamePlace(one.source, source))?.definition ?? table.at(source);
      if (typeof definition !== 'string') return { found: { alias, definition, source } };
    }
    const [first] = places;
    return first ? { source: first, ...absence(first, table) } : {};
  }
}

/** Why there is no definition at a place. */
export function absence(source: DefinitionSource, table: ServerTable): { absent?: Absence } {
  const found = table.at(source);
  return typeof found === 'string' ? { absent: found } : {};
}
