import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute } from 'node:path';
import { readEntry } from '../servers/definition.ts';
import { definitionHash } from '../servers/definition-hash.ts';
import type { Definition, DefinitionSource } from '../servers/types.ts';
import type { FireServer } from './format.ts';

type Unusable = 'definition.missing' | 'definition.changed' | 'definition.elsewhere';

type Place = Pick<FireServer, 'source' | 'dialect' | 'definition'>;

/**
 * Returns the definition of the server that a hook of a client uses, with its place (contract, "At fire time"): the
 * client's own definition while its hash is approved; when the client has none, the first other definition with an
 * approved hash. Otherwise returns an incident: all missing, changed since approval, or defined for another project.
 */
export function approvedDefinition(
  server: FireServer,
  client: string,
  startFolder: string,
): { definition: Definition; at: Place } | { incident: Unusable } {
  const places = [server, ...(server.others ?? [])];
  const approved = new Set(places.flatMap(({ hash }) => hash ?? []));
  const isOwn = ({ source }: Place): boolean => source.client === client;
  let incident: Unusable = 'definition.missing';
  for (const at of [...places.filter(isOwn), ...places.filter((place) => !isOwn(place))]) {
    const definition = at.definition ?? readEntry(at.source, at.dialect);
    if (!definition) continue;
    if (approved.has(definitionHash(definition, at.source, at.dialect))) {
      if (isOfProject(at.source, startFolder)) return { definition, at };
      incident = 'definition.elsewhere';
    } else {
      incident = 'definition.changed';
      if (isOwn(at)) break;
    }
  }
  return { incident };
}

/**
 * True when the definition applies in the start folder's project. A client never starts a definition of one project in
 * another project, where relative paths would name other files.
 */
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
