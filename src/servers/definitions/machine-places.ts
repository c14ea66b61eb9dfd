import { sep } from 'node:path';
import { slashed } from '../../base/paths.ts';
import { oneLine } from '../../base/visible.ts';
import type { Definition } from '../types.ts';

/** Returns the parts of a definition that name one of `folders`, or begin with `~`, `.` or `..`. */
export function machinePlaces(definition: Definition, folders: readonly string[]): string[] {
  const parts =
    definition.transport === 'stdio'
      ? [definition.command, ...definition.args, definition.cwd ?? '']
      : [definition.url];
  // Windows takes both slashes, and doesn't tell the case of letters apart.
  const plain = (path: string): string => (sep === '/' ? path : slashed(path).toLowerCase());
  const names = (part: string): boolean =>
    /^(?:~|\.{1,2})(?:\/|$)/.test(plain(part)) ||
    folders.some((folder) => folder.length > 1 && `${plain(part)}/`.includes(`${plain(folder)}/`));
  return parts.filter(names).map((part) => oneLine(part));
}
