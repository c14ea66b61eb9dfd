import { join } from 'node:path';
import { toolPrefix } from '../../clients/tools.ts';
import { canonicalHead } from '../../declarations/canonical-name.ts';
import type { FireData } from '../../fire/format.ts';
import type { Compiled } from '../types.ts';
import { matchesOfPrinting, readShim } from './entries-as-written.ts';

/**
 * True when hooks would match tools of servers that were configured since the install, on a client that writes these
 * tools' names in its own way and tells their server by no other field. The entries may stay the same, but the scripts
 * know only the servers of then. `here`: servers that don't count, since only this folder's project has them.
 */
export function matchesAddedServers(
  { shims, client: { tools } }: Pick<Compiled, 'shims' | 'client'>,
  here: readonly string[],
  folder: string,
  read: (path: string) => Uint8Array | null,
): boolean {
  if (tools.payload.server !== undefined) return false;
  const uncounted = new Set(here);
  return shims.some(({ native, data }) => {
    const before = readShim(read(join(folder, `${native}.json`)));
    const added = (before ? addedServers(before, data) : []).filter((alias) => !uncounted.has(alias));
    if (!before || added.length === 0) return false;
    const respelt = added.filter((alias) => toolPrefix(tools.mcp, alias) !== canonicalHead(alias));
    return (
      // Names that the client cuts are tested, too.
      matchesOfPrinting(before) !== matchesOfPrinting(data) ||
      data.hooks.some(({ match }) => respelt.some((alias) => mayMatch(match?.name, canonicalHead(alias))))
    );
  });
}

const addedServers = (before: FireData, now: FireData): string[] => {
  const known = new Set(before.payload.prefixes.map(([, alias]) => alias));
  return now.payload.prefixes.map(([, alias]) => alias).filter((alias) => !known.has(alias));
};

/**
 * True when an anchored regular expression, made by `globSource` or as a union of such, may match a name with this
 * beginning, but not every name: one that begins with a wildcard matches the client's own name of the tool, too.
 */
function mayMatch(source: string | undefined, beginning: string): boolean {
  const names = (source ?? '').replace(/^\^(?:\(\?:)?/, '').split('|');
  return names.some((name) => {
    const fixed = /^[\w-]*/.exec(name)?.[0] ?? '';
    return fixed !== '' && (fixed.startsWith(beginning) || beginning.startsWith(fixed));
  });
}
