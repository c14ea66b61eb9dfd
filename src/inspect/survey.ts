import { join } from 'node:path';
import { endsWithSteps } from '../base/paths.ts';
import { CLIENT_IDS, type ClientId } from '../clients/client.ts';
import type { HookFile } from '../clients/hook-config.ts';
import { existingFiles, SLUG } from '../clients/hook-files.ts';
import { CLIENTS, clientById } from '../clients/index.ts';
import { readKeys } from '../edit/read.ts';
import { isSilenced } from '../fire/silenced.ts';
import { Fault, unlessFault } from '../messages/fault.ts';
import { decode } from '../plan/hook-file.ts';
import type { Comparison } from '../plan/install.ts';
import { isJoint } from '../plan/joint.ts';
import { pluginPlaces } from '../plan/scopes/plugin.ts';
import type { Scope } from '../plan/scopes/scope.ts';
import { filesIn } from '../plan/scopes/within.ts';
import type { Answers } from '../servers/types.ts';
import { holdsEntries, holdsJoint, SHARED_JOINT, shimOf, shimPath } from '../shims/entry-owner.ts';
import { jointFile, membersOf } from '../shims/joint.ts';
import type { ServerRecord } from '../store/types.ts';
import { markerFiles } from './marker-files.ts';
import type { ScopeState } from './scopes.ts';
import type { MachineView } from './settings.ts';
import { type ClientStatus, inspect } from './status.ts';

/** State of one server that is installed at a scope. */
export interface Surveyed {
  scope: Scope;
  record: ServerRecord;
  clients: ClientStatus[];
  /** True when the server's hooks were disabled by `mcphooks disable`. */
  disabled: boolean;
  /** True when `MCPHOOKS_DISABLE` disables the hooks in this environment. */
  silenced: boolean;
  /** Comparison with what was approved; undefined when `faults` prevent a comparison. */
  comparison?: Comparison;
  faults: readonly Fault[];
  /** Absent when the server was not asked. */
  answers?: Answers;
}

/** Compares one installed server with what was approved. */
export type Compare = (
  server: ServerRecord,
  at: ScopeState,
) => Promise<Pick<Surveyed, 'comparison' | 'faults' | 'answers'>>;

/** Unrecorded entries of ours in one file. */
export interface Unknown {
  scope: Scope;
  slug: string;
  client: ClientId;
  file: string;
  /** The entry served all servers, and serves none now; `slug` is then no server's. */
  servesNone?: true;
}

/** Inspects every install at some scopes. Reads files, and runs `compare` for one server after the other. */
export async function survey(
  scopes: readonly ScopeState[],
  view: MachineView,
  compare: Compare,
): Promise<Surveyed[]> {
  const surveyed: Surveyed[] = [];
  for (const at of scopes)
    for (const server of at.servers) {
      const { scope, reading } = at;
      const clients = CLIENT_IDS.filter((id) => server.clients[id]).map((id) =>
        inspect(server, id, scope, reading.record.files, view),
      );
      const disabled = markerFiles(server, scope).some(
        (path) => unlessFault(() => view.read(path), null) !== null,
      );
      const silenced = isSilenced(view.env, server.server);
      surveyed.push({ scope, record: server, clients, disabled, silenced, ...(await compare(server, at)) });
    }
  return surveyed;
}

/** Returns our entries in the client files of a scope that no record lists. */
export function unknownEntries({ scope, reading, servers }: ScopeState, view: MachineView): Unknown[] {
  if (scope.shared && reading.damaged) return [];
  return CLIENTS.flatMap((client) =>
    [
      ...scope.hookFiles(client, SLUG).flatMap((place) => existingFiles(place, view)),
      ...(scope.asPlugin ? pluginPlaces(client, view.env, view) : []),
    ].flatMap((place) => {
      const known = servers.filter((s) => s.clients[client.id]).map((s) => s.slug);
      // Of a recorded server whose scripts are lost, which is said elsewhere.
      const isLost = servers.some((s) => s.clients[client.id]?.entries.some(isJoint));
      return shimsIn(place, client.id, filesIn(scope, view), true)
        .filter(
          ({ slug, shared, servesNone }) =>
            shared === scope.shared && !known.includes(slug) && !(servesNone && isLost),
        )
        .map(({ shared: _, ...shim }) => ({ ...shim, scope, client: client.id, file: place.file }));
    }),
  );
}

/** Name for an entry that serves all servers where there are none. */
const NO_SERVER = 'joint';

/** Returns the servers that an entry for all servers serves. */
function jointSlugs(
  signature: string,
  { file }: HookFile & { file: string },
  id: ClientId,
  view: MachineView,
): string[] {
  const project = clientById(id).hooks.project.find((place) => endsWithSteps(file, place.path));
  const root = file.slice(0, -1 - (project?.path.length ?? 0));
  const started = shimPath(signature) ?? join(root, SHARED_JOINT.exec(signature)?.[0] ?? '');
  // On Windows the file that is started has an ending, the folder of the servers has none.
  return membersOf(jointFile(started)?.script ?? started, view);
}

/** A server with entries in a file. */
interface Shim extends Pick<Unknown, 'slug' | 'servesNone'> {
  shared: boolean;
}

/**
 * Returns the servers whose entries a file holds, each once; `evenHidden`: also entries that the client doesn't read. An
 * unreadable file counts as empty.
 */
export function shimsIn(
  place: HookFile & { file: string },
  client: ClientId,
  view: MachineView,
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
  try {
    const bytes = view.read(file);
    if (bytes === null || !(holdsEntries(bytes) || holdsJoint(bytes))) return [];
    readKeys({ ...place, text: decode(bytes, file), memory: undefined }, ours, evenHidden);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
  return [...found.values()];
}
