import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute } from 'node:path';
import { readEntry } from '../servers/definition.ts';
import { definitionHash } from '../servers/definition-hash.ts';
import type { Definition, DefinitionSource } from '../servers/types.ts';
import type { FireServer, ServerDefinedAt } from './format.ts';

type Unusable = 'definition.missing' | 'definition.changed' | 'definition.elsewhere';

/**
 * The first definition that stands where the data say and that was approved, with its place (contract, "At fire
 * time"); else whether there is none any more, or only others.
 */
export function approvedDefinition(
  server: FireServer,
  startFolder: string,
): { definition: Definition; at: ServerDefinedAt } | { incident: Unusable } {
  const places = [server, ...(server.others ?? [])];
  const approved = new Set(places.map(({ hash }) => hash));
  let incident: Unusable = 'definition.missing';
  for (const at of places) {
    const definition = at.definition ?? readEntry(at.source, at.dialect);
    if (!definition) continue;
    if (!approved.has(definitionHash(definition, at.source))) incident = 'definition.changed';
    else if (!isOfProject(at.source, startFolder)) incident = 'definition.elsewhere';
    else return { definition, at };
  }
  return { incident };
}

/** What is defined for one project no client starts in another, whose files relative paths would then mean. */
function isOfProject({ scope, file = '', pointer = [] }: DefinitionSource, startFolder: string): boolean {
  const folder = dirname(file);
  const project =
    scope === 'project'
      ? basename(folder).startsWith('.')
        ? dirname(folder)
        : folder
      : scope === 'local' && pointer.find((key) => isAbsolute(key));
  if (!project) return true;
  return `${real(startFolder)}/`.startsWith(`${real(project)}/`.replace(/\/+$/, '/'));
}

function real(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
