import type { DefinitionSource } from './types.ts';

/** True when two sources are the same entry of the same file. */
export function isSamePlace(a: DefinitionSource, b: DefinitionSource): boolean {
  return a.file === b.file && a.pointer?.join('\0') === b.pointer?.join('\0');
}

/** True for definitions for one project, which never replace a definition in the user's own files. */
export const isForOneProject = ({ scope }: DefinitionSource): boolean =>
  scope === 'project' || scope === 'local';

/** True for definitions in a project's files, which may come from a stranger. */
export function needsApproval(source: DefinitionSource): boolean {
  return source.scope === 'project';
}

/**
 * Returns the source with its keys in the order in which servers are found. Hook scripts contain this object, and a lock
 * file sorts its keys.
 */
export function inFoundOrder({ client, scope, file, pointer, root }: DefinitionSource): DefinitionSource {
  return {
    ...(client && { client }),
    scope,
    ...(file !== undefined && { file }),
    ...(pointer && { pointer }),
    ...(root !== undefined && { root }),
  };
}
