import { filesBelow } from '../base/files.ts';
import { ifText, jsonOrUndefined, valueAt } from '../base/json-value.ts';
import { slugFor } from '../base/slug.ts';
import { CLIENT_IDS, type ClientId } from '../clients/client.ts';
import { ANY_SLUG, existingFiles } from '../clients/hook-files.ts';
import { CLIENTS } from '../clients/index.ts';
import { isDisabledByVariable } from '../fire/disabled-by-variable.ts';
import { Fault, unlessFault } from '../messages/fault.ts';
import { isJoint } from '../plan/client/joint-entry.ts';
import { shimsIn } from '../plan/client/shims-in.ts';
import type { Comparison } from '../plan/install.ts';
import { keptEntriesOn } from '../plan/kept-entries.ts';
import { pluginPlaces } from '../plan/scopes/plugin.ts';
import type { Scope } from '../plan/scopes/scope.ts';
import { filesIn } from '../plan/scopes/within.ts';
import { hasScripts } from '../plan/uninstall/own-removals.ts';
import type { Answers } from '../servers/types.ts';
import { serverFolder } from '../shims/own-files.ts';
import type { ServerRecord } from '../store/types.ts';
import { disabledFilesOf, isDisabledBy } from './disabled-files.ts';
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
  /** The server's name; the slug, where nothing shows the name any more. */
  server: string;
  client: ClientId;
  file: string;
  /** The entry served all servers, and serves none now; `slug` is then no server's. */
  servesNone?: true;
  /** An uninstall left an entry there, because it was edited, and it has no script any more. */
  left?: true;
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
      const { scope } = at;
      const clients = CLIENT_IDS.filter((id) => server.clients[id]).map((id) =>
        inspect(server, id, at, view),
      );
      const disabled = isDisabledBy(disabledFilesOf(server, scope), view);
      const silenced = isDisabledByVariable(view.env, server.server);
      surveyed.push({ scope, record: server, clients, disabled, silenced, ...(await compare(server, at)) });
    }
  return surveyed;
}

/** Returns our entries in the client files of a scope that no record lists. */
export function unknownEntries({ scope, reading, servers }: ScopeState, view: MachineView): Unknown[] {
  if (scope.shared && reading.damaged) return [];
  return CLIENTS.flatMap((client) =>
    [
      ...scope.hookFiles(client, ANY_SLUG).flatMap((place) => existingFiles(place, view)),
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
        .map(({ shared: _, ...shim }) => {
          const { slug } = shim;
          const server = shim.servesNone ? slug : nameOf(slug, { scope, servers }, view);
          const kept = keptEntriesOn(client, { reading, scope, slug });
          const left = kept.some(({ file }) => file === place.file) &&
            !hasScripts(slug, client.id, scope, view) && { left: true as const };
          return { ...shim, server, scope, client: client.id, file: place.file, ...left };
        });
    }),
  );
}

/** Returns the name of the server with a slug, from its install on another client or else from its hook scripts. */
function nameOf(
  slug: string,
  { scope, servers }: Pick<ScopeState, 'scope' | 'servers'>,
  view: MachineView,
): string {
  const recorded = servers.find((one) => one.slug === slug)?.server;
  if (recorded !== undefined || slugFor(slug) === slug) return recorded ?? slug;
  const { read } = filesIn(scope, view);
  const data = filesBelow(serverFolder(scope.paths, slug), view).filter((path) => path.endsWith('.json'));
  for (const path of data) {
    const name = unlessFault(() => serverIn(read(path)), undefined);
    // The slug of no other name is equal, so a file that was altered can't show another server's name.
    if (name !== undefined && slugFor(name) === slug) return name;
  }
  return slug;
}

/** Returns the name of the server in the data of a hook script. */
const serverIn = (bytes: Uint8Array | null): string | undefined =>
  ifText(valueAt(jsonOrUndefined(Buffer.from(bytes ?? []).toString()), ['server']));

/** Returns the Fault of an entry that the record, or the project's lock file, doesn't list. */
export function unlistedFault({ scope, server: name, client, file, servesNone, left }: Unknown): Fault {
  const more = { ...(servesNone && ({ servesNone: 1 } as const)), ...(left && ({ left: 1 } as const)) };
  const args = { name, client, scope: scope.name, ...more };
  if (scope.shared && !servesNone && !left) return new Fault('lock.unlisted', { name, client }, { file });
  return new Fault('record.unlisted', args, { file });
}
