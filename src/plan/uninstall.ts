import { basename, join, sep } from 'node:path';
import type { Files } from '../base/files.ts';
import { isAround } from '../base/paths.ts';
import type { Client, ClientId } from '../clients/client.ts';
import type { HookGroup, HookHandler } from '../clients/hook-config.ts';
import { CLIENTS, isClient } from '../clients/index.ts';
import { removeStrings } from '../edit/json-strings.ts';
import { readHooks } from '../edit/read.ts';
import { reconcile } from '../edit/reconcile.ts';
import type { EntryChange } from '../edit/types.ts';
import { keptFolder, sessionsFolder } from '../fire/own-folders.ts';
import { Fault } from '../messages/fault.ts';
import { holdsEntries, holdsJoint, ownShim } from '../shims/command.ts';
import { isAlone, jointFolder } from '../shims/joint.ts';
import { serverFolder } from '../shims/own-files.ts';
import { withoutApprovals } from '../store/approvals.ts';
import { findServer, type RecordReading, removeServer, writtenGroup } from '../store/record.ts';
import type { FileChange, RecordDocument } from '../store/types.ts';
import { decode, memoryOf, withoutRest, writtenForPlace } from './hook-file.ts';
import { neededByOthers } from './joint.ts';
import { holdsOthers, logsIn, ownRemovals, scriptsOfOthers } from './own-removals.ts';
import { holds, relocated } from './relocated.ts';
import { type RemovalPlace, removalPlaces } from './removal-places.ts';
import { ownsFolder } from './scopes/owned.ts';
import { pluginName } from './scopes/plugin.ts';
import { keyIn, type Scope } from './scopes/scope.ts';
import { withRecord } from './with-record.ts';

export interface UninstallInput {
  slug: string;
  /** The clients to remove the hooks from; undefined: all. */
  clients?: readonly ClientId[];
  reading: RecordReading;
  scope: Scope;
  /** Working folder: the project's settings of a client may list our hooks as switched off. */
  cwd: string;
  /** Repository whose start approvals are removed; undefined: every repository. */
  repository?: string;
  now: string;
  /** Entries that were edited by hand are removed, too. */
  edited: boolean;
  /** Leaves the log where nothing else is left. */
  keepLog?: boolean;
  /** A project's hooks or an export of the server use the marker that disables the server in this scope, too. */
  markerStays?: boolean;
  files: Files;
}

export interface ClientRemoval {
  client: ClientId;
  file: string;
  before: string;
  after: string | null;
  entryChanges: EntryChange[];
  /** Entries that were edited by hand and stay; lines from 1 in the file afterwards. */
  kept: { event: string; line?: number }[];
  /** Our entries before their removal, when entries edited by hand are removed, too. */
  removedGroups: HookGroup[];
  /** The client's list of switched-off hooks loses our names. */
  unlisted?: true;
  fault?: Fault;
}

export interface Removal {
  slug: string;
  clients: ClientRemoval[];
  /** Faults for clients of later versions: their entries, scripts and record stay. */
  unknownClients: Fault[];
  /** Removals of shims and their data, done first: the hooks are dead even if a later step fails. */
  own: FileChange[];
  changes: FileChange[];
  emptied: string[];
  record: RecordDocument;
  /** Own folders that nothing uses any more, removed last with their contents: kept text, session markers. */
  folders: string[];
  /** Own folders of hook scripts and runtime, removed when empty, inner folders first. */
  hookFolders: string[];
  /** mcphooks' folders around the record, removed when empty. */
  around: string[];
}

/**
 * Plans the removal of one server: its own files, and every entry of its shims in any file of any client, recorded or
 * not.
 */
export function planUninstall(input: UninstallInput): Removal {
  const { slug, scope, files: disk } = input;
  const { read } = disk;
  const { record } = input.reading;
  const known = findServer(record, keyIn(scope, slug));
  const isChosen = (id: string): boolean => input.clients?.includes(id as ClientId) ?? true;
  const chosen = CLIENTS.filter(({ id }) => isChosen(id));
  let memory = { ...record.files };
  const texts: FileChange[] = [];
  const clients: ClientRemoval[] = [];
  const plugins = chosen.flatMap((client) => {
    const plugin = scope.asPlugin?.(client, slug);
    const ours =
      known?.clients[client.id]?.own[plugin?.manifest ?? ''] !== undefined ||
      plugin?.hookFiles(client, slug).some(({ file }) => holdsEntries(read(file), slug));
    return plugin && ours ? [plugin] : [];
  });
  const places = chosen.flatMap((client) => {
    const here = [scope, scope.asPlugin?.(client, slug)].flatMap((one) => one?.hookFiles(client, slug) ?? []);
    const { record: recorded, memories } = relocated(known?.clients[client.id], memory, here, input);
    memory = memories;
    return removalPlaces(client, recorded, input).map((place) => ({ client, place, recorded }));
  });
  for (const { client, place, recorded } of places) {
    const bytes = read(place.file);
    const named = holdsEntries(bytes, slug) && !place.listOnly;
    const holdsSome = named || (holdsJoint(bytes) && !place.listOnly);
    const lists =
      client.gates.offList && !place.own && bytes && Buffer.from(bytes).includes(offName(client, slug));
    // Nothing can be restored in a file that is gone.
    if (bytes === null) delete memory[place.file];
    if (bytes === null || !(holdsSome || lists)) continue;
    const removal: ClientRemoval = {
      client: client.id,
      file: place.file,
      before: '',
      after: '',
      entryChanges: [],
      kept: [],
      removedGroups: [],
    };
    const alone = isAlone(slug, jointFolder(scope.paths, client.id), disk);
    const ours = (command: string): string | undefined => ownShim(command, slug, client.id, scope, alone);
    try {
      removal.before = decode(bytes, place.file);
      const listed = unlisted(client, slug, place, removal.before);
      // The project's own hooks may have our name in this list.
      if (place.listOnly && listed === removal.before) continue;
      const all = (command: string): string | undefined =>
        ownShim(command, slug, client.id, scope, () => true);
      // What other servers need, and the file still has, is put back as it was written.
      const there = input.edited ? readHooks({ ...place, text: listed, memory: undefined }, all) : [];
      const shared = neededByOthers(record, scope, slug, client.id, place.file).filter(({ event, key }) =>
        there.some((group) => group.event === event && group.ours.some((one) => one.key === key)),
      );
      const needed = (native: string): boolean => alone(native) || shared.some(({ key }) => key === native);
      const written = writtenForPlace(client, place.file, recorded);
      const result = place.listOnly
        ? { text: listed, memory: undefined, changes: [] }
        : reconcile({
            ...place,
            text: listed,
            memory: memoryOf(client, input, place, memory[place.file]),
            wanted: shared,
            ours: (command) => ownShim(command, slug, client.id, scope, needed),
            evenEdited: input.edited,
            written: (event, key) => writtenGroup(written, place.file, event, key),
            tombstones: client.hooks.tombstones === true,
          });
      removal.after =
        result.text === removal.before ? result.text : withoutRest(place, result.text, memory[place.file]);
      // What other servers need stays.
      const idle = result.changes.every(({ kind }) => kind === 'unchanged');
      if (!named && idle && listed === removal.before) continue;
      if (listed !== removal.before) removal.unlisted = true;
      removal.entryChanges = result.changes;
      if (input.edited && !place.listOnly)
        removal.removedGroups = readHooks({ ...place, text: listed, memory: undefined }, ours).flatMap(
          ({ group: { matcher, hooks }, ours }) =>
            ours.map(({ handler }) => ({
              ...(matcher !== undefined && { matcher }),
              hooks: [hooks[handler] as HookHandler],
            })),
        );
      if (result.changes.some((c) => c.kind === 'kept-edited'))
        removal.kept = readHooks({ ...place, text: result.text, memory: undefined }, ours)
          .filter((group) => group.ours.length > 0)
          .map(({ event, line }) => ({ event, ...(line && { line }) }));
      // What is remembered of an unchanged file stays.
      const remembered = result.text === listed ? memory[place.file] : result.memory;
      if (remembered) memory[place.file] = remembered;
      else delete memory[place.file];
      if (removal.after !== removal.before)
        texts.push({
          path: place.file,
          before: bytes,
          after: removal.after === null ? null : Buffer.from(removal.after, 'utf8'),
          mode: 0o644,
        });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      removal.fault = error;
    }
    clients.push(removal);
  }

  const failed = clients.flatMap((c) => (c.fault ? [c.client] : []));
  const others = Object.entries(known?.clients ?? {}).filter(([id]) => !isClient(id) || !isChosen(id));
  const unknownClients = others.filter(([id]) => isChosen(id));
  const without = removeServer(record, keyIn(scope, slug));
  const left = others.some(([id]) => !isChosen(id))
    ? without
    : withoutApprovals(without, slug, input.repository);
  // A client whose file couldn't be edited keeps its record, so that the next try finds its entries.
  const staying = [...failed, ...others.map(([id]) => id)];
  const kept = known && staying.length > 0 ? { ...known, clients: pick(known.clients, staying) } : undefined;
  const servers = kept ? record.servers.map((s) => (s === known ? kept : s)) : left.servers;
  const here = servers.filter((s) => s.scope === scope.name && s.root === scope.root);
  // Without a record, whose a script is can be read from its path.
  const ofOthers = known || !input.clients ? [] : scriptsOfOthers(slug, scope, disk, isChosen);
  // What is left of the server stays disabled.
  const isLeft = kept !== undefined || ofOthers.length > 0 || input.markerStays;
  const theirs = [
    ...others.flatMap(([, client]) => Object.keys(client.own)),
    ...ofOthers,
    ...(isLeft ? [scope.marker(slug)] : []),
  ];
  const lastHere = here.length === 0 && ofOthers.length === 0 && !holdsOthers(slug, scope, disk);
  // A record may name any folder, and only one of this name is a plugin of ours.
  const inPlugins = places
    .filter(({ place }) => place.inPlugin)
    .map(({ client, place, recorded }) => ({
      client,
      folder: place.file.slice(0, -1 - place.path.length),
      isRecorded:
        recorded && [recorded, ...(recorded.otherFiles ?? [])].some(({ file }) => file === place.file),
    }))
    .filter(({ folder }) => basename(folder) === pluginName(slug));
  const otherPlugins = inPlugins.filter(({ isRecorded }) => isRecorded);
  const own = ownRemovals({
    slug,
    scope,
    files: disk,
    recorded: Object.values(known?.clients ?? {}).flatMap((c) => Object.keys(c.own)),
    needed: new Set(here.flatMap((s) => Object.values(s.clients).flatMap((c) => Object.keys(c?.own ?? {})))),
    theirs: new Set(theirs),
    roots: inPlugins.map(({ folder }) => `${folder}${sep}`),
    otherPlugins: otherPlugins.map(({ client, folder }) => ({ folder, manifest: client.plugin?.manifest })),
    plugins,
    last: lastHere,
  });
  // Without any install, only files that keep entries of ours can need it.
  const after = (path: string): Uint8Array | null =>
    (texts.find((t) => t.path === path) ?? { after: read(path) }).after;
  const remembered = Object.entries(memory).filter(
    ([file]) => servers.length > 0 || holds(file, undefined, { read: after }),
  );
  const next = withRecord(texts, { ...left, servers, files: Object.fromEntries(remembered) }, input, own);
  const { data, state } = scope.paths;
  // State of a project's hooks stays: it shares folders with state of the user's own hooks, and expires.
  const names = known && !scope.shared ? [known.server] : [];
  const hookFolders = [
    serverFolder(scope.paths, slug),
    join(data, 'joint'),
    ...plugins.map(({ folder }) => folder),
    ...otherPlugins.map(({ folder }) => folder),
    ...(lastHere ? ['runtime', 'hooks'].map((name) => join(data, name)) : []),
  ];
  const folders = [
    ...chosen.flatMap(({ id }) =>
      names.flatMap((name) => [sessionsFolder(state, id, name), keptFolder(state, id, name)]),
    ),
    ...(servers.length === 0 && lastHere && !scope.shared
      ? [...STATE, ...(input.keepLog ? [] : logsIn(state, disk))].map((name) => join(state, name))
      : []),
  ];
  for (const path of [...own.map((change) => change.path), ...folders]) scope.check(path, disk.real);
  // A folder that is a symbolic link isn't mcphooks' own.
  const owned = scope.shared
    ? hookFolders
    : hookFolders.filter((folder) => ownsFolder(folder, scope, disk.real));
  if (scope.shared) for (const folder of hookFolders) scope.check(folder, disk.real);
  const around = record.folders.filter((folder) => isAround(folder, state));
  const unknownFaults = unknownClients.map(
    ([client, { file }]) =>
      new Fault('record.client-unknown', { name: known?.server ?? slug, client }, { file }),
  );
  return { slug, clients, unknownClients: unknownFaults, own, ...next, folders, hookFolders: owned, around };
}

/** What hooks write into the state folder; `log`, `log.1`: in earlier versions. */
const STATE = ['sessions', 'kept', 'calls', 'tools', 'installing', 'warm', 'log', 'log.1'];

/** Prefix of the names of one server's handlers. */
function offName(client: Client, slug: string): string {
  return String(client.hooks.fields?.(`${slug}:`, '').name);
}

/** Returns the text without our names in the client's list of switched-off hooks. */
function unlisted(client: Client, slug: string, place: RemovalPlace, text: string): string {
  if (!client.gates.offList) return text;
  const begin = offName(client, slug);
  // Names may end in `-2` and so on: earlier versions split long texts over several entries.
  const ours = (name: string): boolean =>
    name.startsWith(begin) && /^[A-Za-z]+(-\d+)?$/.test(name.slice(begin.length));
  const source = { file: place.file, text, comments: place.format === 'jsonc' };
  return removeStrings(source, client.gates.offList.path, ours);
}

function pick<T>(all: Partial<Record<ClientId, T>>, ids: readonly string[]): Partial<Record<ClientId, T>> {
  return Object.fromEntries(Object.entries(all).filter(([id]) => ids.includes(id)));
}
