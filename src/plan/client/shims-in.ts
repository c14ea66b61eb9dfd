import { join } from 'node:path';
import type { Files } from '../../base/files.ts';
import { endsWithSteps } from '../../base/paths.ts';
import type { ClientId } from '../../clients/client.ts';
import type { HookFile } from '../../clients/hook-config.ts';
import { existingFiles } from '../../clients/hook-files.ts';
import { CLIENTS, clientById } from '../../clients/index.ts';
import { readKeys } from '../../edit/read.ts';
import { unlessFault } from '../../messages/fault.ts';
import { holdsEntries, holdsJoint, SHARED_JOINT, shimOf, shimPath } from '../../shims/entry-owner.ts';
import { jointFile, membersOf } from '../../shims/joint-script.ts';
import type { ServerRecord } from '../../store/types.ts';
import type { Scope } from '../scopes/scope.ts';
import { filesIn } from '../scopes/within.ts';
import { decode } from './hook-file.ts';

type View = Pick<Files, 'read' | 'list'>;

/** Name for an entry that serves all servers where there are none. */
const NO_SERVER = 'joint';

/** Returns the servers that an entry for all servers serves. */
function jointSlugs(
  signature: string,
  { file }: HookFile & { file: string },
  id: ClientId,
  view: View,
): string[] {
  const project = clientById(id).hooks.project.find((place) => endsWithSteps(file, place.path));
  const root = file.slice(0, -1 - (project?.path.length ?? 0));
  const started = shimPath(signature) ?? join(root, SHARED_JOINT.exec(signature)?.[0] ?? '');
  // On Windows the file that is started has an ending, the folder of the servers has none.
  return membersOf(jointFile(started)?.script ?? started, view);
}

/** A server with entries in a file. */
interface Shim {
  slug: string;
  shared: boolean;
  /** The entry served all servers, and serves none now; `slug` is then no server's. */
  servesNone?: true;
}

/**
 * Returns the servers whose entries a file holds, each once; `evenHidden`: also entries that the client doesn't read. An
 * unreadable file counts as empty.
 */
export function shimsIn(
  place: HookFile & { file: string },
  client: ClientId,
  view: View,
  evenHidden = false,
): Shim[] {
  const { file } = place;
  const found = new Map<string, Shim>();
  const ours = (signature: string): string | undefined => {
    const shim = shimOf(signature);
    if (shim?.client !== client) return undefined;
    const { shared } = shim;
    const slugs = shim.joint ? jointSlugs(signature, place, client, view) : [shim.slug];
    for (const slug of slugs) found.set(`${shared} ${slug}`, { slug, shared });
    if (slugs.length === 0) found.set(`${shared} `, { slug: NO_SERVER, shared, servesNone: true });
    return undefined;
  };
  unlessFault(() => {
    const bytes = view.read(file);
    if (bytes !== null && (holdsEntries(bytes) || holdsJoint(bytes)))
      readKeys({ ...place, text: decode(bytes, file) }, ours, evenHidden);
  }, undefined);
  return [...found.values()];
}

/** Returns the clients whose files hold entries of a server that none of these records of it lists. */
export function lostClients(
  slug: string,
  records: readonly (ServerRecord['clients'] | undefined)[],
  scope: Scope,
  files: Files,
): ClientId[] {
  const view = filesIn(scope, files);
  const isLost = (id: ClientId): boolean =>
    scope
      .hookFiles(clientById(id), slug)
      .flatMap((place) => existingFiles(place, files))
      .flatMap((place) => shimsIn(place, id, view, true))
      .some((shim) => shim.slug === slug && shim.shared === scope.shared);
  return CLIENTS.map(({ id }) => id).filter((id) => !records.some((record) => record?.[id]) && isLost(id));
}
