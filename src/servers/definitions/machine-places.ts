import { posix, resolve, sep } from 'node:path';
import { slashed } from '../../base/paths.ts';
import { oneLine } from '../../base/visible.ts';
import type { Definition } from '../types.ts';

/**
 * Returns the parts of a definition that name one of `folders`, begin with `~` or lead out of the folder in which the
 * server starts, as a whole or as the value of `--name=`; also those that begin with `.`, unless that folder is the
 * project's root on every machine (`inProject`).
 */
export function machinePlaces(
  definition: Definition,
  folders: readonly string[],
  { inProject }: { inProject: boolean },
): string[] {
  const parts =
    definition.transport === 'stdio'
      ? [definition.command, ...definition.args, definition.cwd ?? '']
      : [definition.url];
  // Windows takes both slashes, and doesn't tell the case of letters apart.
  const plain = (path: string): string => (sep === '/' ? path : slashed(path).toLowerCase());
  // HOME may end with a slash.
  const named = folders.map((folder) => plain(resolve(folder))).filter((folder) => !folder.endsWith('/'));
  const leadsOut = (path: string): boolean =>
    /^(?:~|\.\.)(?:\/|$)/.test(posix.normalize(path)) || (!inProject && /^\.(?:\/|$)/.test(path));
  const names = (part: string): boolean =>
    leadsOut(plain(part)) ||
    leadsOut(plain(part).replace(/^[\w.-]+=/, '')) ||
    named.some((folder) => containsPath(plain(part), folder));
  return parts.filter(names).map((part) => oneLine(part));
}

/** True when a text contains a path or one below, also in a line of a shell or a list of paths. */
function containsPath(text: string, path: string): boolean {
  const ends = text.split(path).slice(1);
  return ends.some((rest) => !/^[\p{L}\p{N}_.-]/u.test(rest));
}
