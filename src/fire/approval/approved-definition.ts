import { dirname, isAbsolute, join } from 'node:path';
import { valueAt } from '../../base/json-value.ts';
import { type Env, homeFolder } from '../../base/paths.ts';
import { jsonIn } from '../../base/read-file.ts';
import { inMainCheckout, repositoryOf } from '../../base/repository.ts';
import { readEntry } from '../../servers/definitions/definition.ts';
import { definitionHash } from '../../servers/definitions/definition-hash.ts';
import { unsetVariable } from '../../servers/launch/references.ts';
import { boundBy, startFolders } from '../../servers/launch/start-folders.ts';
import type { Definition } from '../../servers/types.ts';
import type { FireServer } from '../format.ts';

type Unusable = 'definition.missing' | 'definition.unset' | 'definition.changed' | 'definition.elsewhere';

type ServerPlace = Pick<FireServer, 'source' | 'dialect' | 'definition' | 'folder'>;

/** `folder`: where the client was started. `env`: what a server gets. `state`: mcphooks' own folder. */
interface FireEnvironment {
  folder: string;
  env: Env;
  state: string;
}

/**
 * Returns the definition of the server that a hook of a client uses, with its place: the client's own definition while
 * its hash is approved; when the client has none, the first other definition with an approved hash. Otherwise returns
 * an incident: all missing, changed since approval, defined for another project, or with a variable that isn't set.
 */
export function approvedDefinition(
  server: FireServer,
  client: string,
  session: FireEnvironment,
): { definition: Definition; at: ServerPlace; folder: string | undefined } | { incident: Unusable } {
  const places = [server, ...(server.others ?? [])];
  const approved = new Set(places.flatMap(({ hash }) => hash ?? []));
  const isOwn = ({ source }: ServerPlace): boolean => source.client === client;
  let incident: Unusable = 'definition.missing';
  for (const at of [...places.filter(isOwn), ...places.filter((place) => !isOwn(place))]) {
    const definition = at.definition ?? readEntry(at.source, at.dialect);
    if (!definition) continue;
    if (unsetVariable(definition, at.dialect, session.env) !== undefined) {
      // A reason from another place is more precise.
      if (incident === 'definition.missing') incident = 'definition.unset';
      continue;
    }
    const hash = definitionHash(definition, at.source, isOfEarlierVersion(at) ? undefined : at.dialect);
    if (approved.has(hash)) {
      const start = startOf(definition, at, hash, session);
      if (start) return { definition, at, ...start };
      incident = 'definition.elsewhere';
    } else {
      incident = 'definition.changed';
      if (isOwn(at)) break;
    }
  }
  return { incident };
}

/**
 * Returns the folder in which the definition starts, undefined for any folder; nothing when it may not start in this
 * session. What the data say was approved with the hook; other approvals are in the machine's record.
 */
function startOf(
  definition: Definition,
  at: ServerPlace,
  hash: string,
  { folder: session, env, state }: FireEnvironment,
): { folder: string | undefined } | undefined {
  if (at.folder === undefined && !boundBy({ ...at, definition }, env, session)) return { folder: undefined };
  const home = homeFolder(env);
  const projects = projectsOf(at, home).map((project) => inMainCheckout(project, home));
  const folder = startFolders(at.folder, session, home).find((one) => {
    const place = inMainCheckout(one, home);
    return projects.includes(place) || isApproved(place, hash, state);
  });
  return folder === undefined ? undefined : { folder };
}

/**
 * Data of earlier versions don't say which folder a project's definition is for: it is the file's folder or the one
 * above, if that is in the same repository.
 */
function projectsOf(at: ServerPlace, home: string): string[] {
  const { scope, file, pointer = [] } = at.source;
  if (at.folder !== undefined) return [at.folder];
  if (scope === 'local') return pointer.filter((key) => isAbsolute(key)).slice(0, 1);
  if (scope !== 'project' || file === undefined) return [];
  const folder = dirname(file);
  const { main } = repositoryOf(folder, home);
  return [folder, dirname(folder)].filter((one) => repositoryOf(one, home).main === main);
}

/** Earlier versions hashed a project's definition without the dialect. The dialect is that of the same file still. */
const isOfEarlierVersion = ({ source, folder }: ServerPlace): boolean =>
  source.scope === 'project' && folder === undefined;

const isApproved = (place: string, hash: string, state: string): boolean =>
  valueAt(jsonIn(join(state, 'record.json')), ['approvals', place, hash]) !== undefined;
