import { dirname, join, sep } from 'node:path';
import { CLIENTS } from '../../clients/index.ts';
import { isPlaceholder } from '../../clients/mcp-config.ts';
import type { DefinitionSource } from '../types.ts';

/**
 * Returns the folder of the project that an entry is defined for, by the place of its file in the client's table of
 * files; for a lock file, its folder. undefined: the entry is for no project.
 */
export function projectFolder({
  client,
  scope,
  file = '',
  pointer = [],
}: DefinitionSource): string | undefined {
  const places = CLIENTS.find(({ id }) => id === client)?.mcp.files.filter((f) => f.scope === scope) ?? [];
  if (scope === 'local') return places.map(({ at }) => pointer[at.findIndex(isPlaceholder)]).find(Boolean);
  if (scope !== 'project') return undefined;
  const path = places.map((place) => join(sep, place.path)).find((end) => file.endsWith(end));
  return path === undefined ? dirname(file) : file.slice(0, -path.length) || sep;
}
