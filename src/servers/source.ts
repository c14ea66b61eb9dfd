import type { DefinitionSource } from './types.ts';

/** Whether two sources are the same entry of the same file. */
export function isSamePlace(a: DefinitionSource, b: DefinitionSource): boolean {
  return a.file === b.file && a.pointer?.join('\0') === b.pointer?.join('\0');
}

/** Definitions for one project, which never replace a definition of the user's own files. */
export const isForOneProject = ({ scope }: DefinitionSource): boolean =>
  scope === 'project' || scope === 'local';
