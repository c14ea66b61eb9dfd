import { basename, join, sep } from 'node:path';
import { filesBelow, readOnce } from '../base/files.ts';
import { isAround } from '../base/paths.ts';
import type { Client, ClientId } from '../clients/client.ts';
import { CLIENTS, isClient } from '../clients/index.ts';
import { EARLIER_LOGS, keptFolder, STATE_FOLDERS, sessionsFolder, TAG_FILE } from '../fire/own-folders.ts';
import { Fault, unlessFault } from '../messages/fault.ts';
import { holdsEntries } from '../shims/entry-owner.ts';
import { jointFile } from '../shims/joint.ts';
import { serverFolder } from '../shims/own-files.ts';
import { withoutApprovals } from '../store/approvals.ts';
import { disabledOnlyIn } from '../store/disabled-in.ts';
import { findServer, removeServer } from '../store/record.ts';
import type { FileChange, RecordDocument, ServerRecord } from '../store/types.ts';
import { folderOfServer, holdsOthers, logsIn, ownRemovals, scriptsOfOthers } from './own-removals.ts';
import { holds, relocated } from './relocated.ts';
import { removalPlaces } from './removal-places.ts';
import { type ClientRemoval, type RemovalInput, removeEntries } from './remove-entries.ts';
import { linkTo, ownsFolder } from './scopes/owned.ts';
import { pluginName } from './scopes/plugin.ts';
import { keyIn, type PluginScope } from './scopes/scope.ts';
import { withRecord } from './with-record.ts';

interface UninstallInput extends RemovalInput {
  /** The clients to remove the hooks from; undefined: all. */
  clients?: readonly ClientId[];
  /** Working folder: the project's settings of a client may list our hooks as switched off. */
  cwd: string;
  /** Repository whose start approvals are removed; undefined: every repository. */
  repository?: string;
  now: string;
  /** Repositories in which other installs of the server need its start approvals. */
  approvedFor?: readonly string[];
  /** Leaves the log where nothing else is left. */
  keepLog?: boolean;
  /**
   * Set when hooks of projects (these roots) or an export are disabled by the same marker as the server in this scope.
   */
  markerStays?: readonly string[];
}

export interface Removal {
  slug: string;
  clients: ClientRemoval[];
  /** Hooks of the server stay in this scope: those of clients that weren't chosen, or that can't be edited. */
  isLeft: boolean;
  /**
   * Faults for what stays: entries, scripts and record of clients of later versions, and the server's own files behind
   * links in mcphooks' folders.
   */
  notRemoved: Fault[];
  /** Removals of hook scripts and their data, done first: no hook fires even if a later step fails. */
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
export function planUninstall(asked: UninstallInput): Removal {
  const input = { ...asked, files: readOnce(asked.files) };
  const { slug, scope, files } = input;
  const { read, real } = files;
  const { record } = input.reading;
  const known = findServer(record, keyIn(scope, slug));
  const isChosen = (id: string): boolean => input.clients?.includes(id as ClientId) ?? true;
  const chosen = CLIENTS.filter(({ id }) => isChosen(id));
  const plugins = ownPlugins(chosen, known, input);
  const { places, clients, texts, memories } = removeFromFiles(chosen, known, input);
  const failed = clients.flatMap((c) => (c.fault ? [c.client] : []));
  const others = Object.entries(known?.clients ?? {}).filter(([id]) => !isClient(id) || !isChosen(id));
  const unknownClients = others.filter(([id]) => isChosen(id));
  const without = removeServer(record, keyIn(scope, slug));
  const left = others.some(([id]) => !isChosen(id))
    ? without
    : withoutApprovals(without, slug, input.repository, input.approvedFor ?? []);
  // A client whose file couldn't be edited keeps its record, so that the next try finds its entries.
  const staying = [...failed, ...others.map(([id]) => id)];
  const chose = input.clients && { clientsChosen: true as const };
  const kept =
    known && staying.length > 0 ? { ...known, clients: pick(known.clients, staying), ...chose } : undefined;
  const servers = kept ? record.servers.map((s) => (s === known ? kept : s)) : left.servers;
  const here = servers.filter((s) => s.scope === scope.name && s.root === scope.root);
  // Without a record, whose a script is can be read from its path. Running sessions use superseded ones.
  const ofOthers = !input.clients || (known && !kept) ? [] : scriptsOfOthers(slug, scope, files, isChosen);
  // What is left of the server stays disabled.
  const isLeft = kept !== undefined || ofOthers.length > 0;
  const theirs = [
    ...others.flatMap(([, client]) => Object.keys(client.own)),
    ...ofOthers,
    ...(isLeft || input.markerStays ? [scope.marker(slug)] : []),
  ];
  const going = [
    ...Object.entries(known?.clients ?? {})
      .filter(([id]) => !staying.includes(id))
      .flatMap(([, client]) => Object.keys(client.own)),
    ...(isLeft ? [] : filesBelow(serverFolder(scope.paths, slug), files)),
  ].filter((path) => !theirs.includes(path));
  const lastHere = here.length === 0 && ofOthers.length === 0 && !holdsOthers(slug, scope, files);
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
  const recorded = Object.values(known?.clients ?? {}).flatMap((c) => Object.keys(c.own));
  const own = ownRemovals({
    slug,
    scope,
    files,
    recorded,
    needed: new Set(here.flatMap((s) => Object.values(s.clients).flatMap((c) => Object.keys(c?.own ?? {})))),
    theirs: new Set(theirs),
    roots: inPlugins.map(({ folder }) => `${folder}${sep}`),
    otherPlugins: otherPlugins.map(({ client, folder }) => ({ folder, manifest: client.plugin?.manifest })),
    plugins,
    isLeft,
    last: lastHere,
  });
  // Without any install, only files that keep entries of ours can need it.
  const bytesAfter = (path: string): Uint8Array | null =>
    (texts.find((t) => t.path === path) ?? { after: read(path) }).after;
  const remembered = Object.entries(memories).filter(
    ([file]) => servers.length > 0 || holds(file, undefined, { read: bytesAfter }),
  );
  const staysDisabled =
    isLeft || scope.name !== 'user' ? left : disabledOnlyIn(left, slug, input.markerStays ?? []);
  // What is remembered of a file that is gone goes with the next change.
  const forgets = known !== undefined || texts.length > 0 || servers.length === 0;
  const after = { ...staysDisabled, servers, files: forgets ? Object.fromEntries(remembered) : record.files };
  const next = withRecord(texts, after, input, { before: own });
  const { data, state } = scope.paths;
  const hookFolders = [
    serverFolder(scope.paths, slug),
    join(data, 'joint'),
    ...plugins.map(({ folder }) => folder),
    ...otherPlugins.map(({ folder }) => folder),
    ...(lastHere ? ['runtime', 'hooks'].map((name) => join(data, name)) : []),
  ];
  const isLast = servers.length === 0 && lastHere;
  const folders = scope.shared ? [] : stateFolders(chosen, known, isLast, input);
  for (const { path } of own) scope.check(path, real);
  // A folder that is a symbolic link isn't mcphooks' own.
  const owned = (all: string[]): string[] =>
    scope.shared ? all : all.filter((folder) => ownsFolder(folder, scope, real));
  if (scope.shared) for (const folder of hookFolders) scope.check(folder, real);
  const around = record.folders.filter((folder) => isAround(folder, state));
  const unknownFaults = unknownClients.map(
    ([client, { file }]) =>
      new Fault('record.client-unknown', { name: known?.server ?? slug, client }, { file }),
  );
  return {
    slug,
    clients,
    isLeft,
    notRemoved: [...unknownFaults, ...(scope.shared ? [] : linkFaults(going, input))],
    own,
    ...next,
    folders: owned(folders),
    hookFolders: owned(hookFolders),
    around,
  };
}

/** Returns the plugins that the clients load by themselves and that hold hooks of the server. */
function ownPlugins(
  chosen: readonly Client[],
  known: ServerRecord | undefined,
  { slug, scope, files }: UninstallInput,
): PluginScope[] {
  return chosen.flatMap((client) => {
    const plugin = scope.asPlugin?.(client, slug);
    const ours =
      known?.clients[client.id]?.own[plugin?.manifest ?? ''] !== undefined ||
      plugin
        ?.hookFiles(client, slug)
        .some(({ file }) => unlessFault(() => holdsEntries(files.read(file), slug), false)) ||
      // An update has left a client without hooks.
      (plugin && filesBelow(serverFolder(plugin.paths, slug), files).length > 0);
    return plugin && ours ? [plugin] : [];
  });
}

/** Removes the server's entries from the clients' files, in memory. */
function removeFromFiles(chosen: readonly Client[], known: ServerRecord | undefined, input: UninstallInput) {
  const { slug, scope } = input;
  let memories = { ...input.reading.record.files };
  const texts: FileChange[] = [];
  const clients: ClientRemoval[] = [];
  const places = chosen.flatMap((client) => {
    const here = [scope, scope.asPlugin?.(client, slug)].flatMap((one) => one?.hookFiles(client, slug) ?? []);
    const { record: recorded, memories: now } = relocated(known?.clients[client.id], memories, here, input);
    memories = now;
    return removalPlaces(client, recorded, input).map((place) => ({ client, place, recorded }));
  });
  for (const at of places) {
    const { file } = at.place;
    const removed = removeEntries(at, memories[file], input);
    if (removed === 'gone') delete memories[file];
    if (removed === 'gone' || removed === 'none') continue;
    const { removal, change, remembered } = removed;
    clients.push(removal);
    if (change) texts.push(change);
    if (remembered) memories[file] = remembered;
    else delete memories[file];
  }
  return { places, clients, texts, memories };
}

/**
 * Returns the state folders that nothing uses any more. State of a project's hooks stays: it shares folders with state of
 * the user's own hooks, and expires.
 */
function stateFolders(
  chosen: readonly Client[],
  known: ServerRecord | undefined,
  isLast: boolean,
  { scope, files, keepLog }: UninstallInput,
): string[] {
  const { state } = scope.paths;
  const names = known ? [known.server] : [];
  const ofServer = chosen.flatMap(({ id }) =>
    names.flatMap((name) => [sessionsFolder(state, id, name), keptFolder(state, id, name)]),
  );
  if (!isLast) return ofServer;
  const ofAll = [
    // The rest stays where hooks of a project or an export have a tag, and expires.
    ...(files.read(join(state, TAG_FILE)) ? ['handed'] : STATE_FOLDERS),
    ...(keepLog ? [] : [...EARLIER_LOGS, ...logsIn(state, files)]),
  ];
  return [...ofServer, ...ofAll.map((name) => join(state, name))];
}

function pick<T>(all: Partial<Record<ClientId, T>>, ids: readonly string[]): Partial<Record<ClientId, T>> {
  return Object.fromEntries(Object.entries(all).filter(([id]) => ids.includes(id)));
}

/** Returns a fault for each link in mcphooks' folders behind which own files of the server stay. */
function linkFaults(going: readonly string[], { slug, scope, files }: UninstallInput): Fault[] {
  const { real } = files;
  const found = new Map<string, string>();
  for (const path of going) {
    const own = serverPath(path, slug);
    const link =
      own !== undefined && unlessFault(() => files.read(path), null) !== null && linkTo(path, scope, real);
    if (own !== undefined && link) found.set(link, real(isAround(link, own) ? own : link));
  }
  return [...found].map(([file, to]) => new Fault('own.linked', { to }, { file }));
}

/** Returns the folder, or for an entry of several servers the file, that is one server's alone. */
function serverPath(path: string, slug: string): string | undefined {
  return jointFile(path)?.slug === slug ? path : folderOfServer(path, slug);
}
