import { basename, dirname, join } from 'node:path';
import { filesBelow, readOnce } from '../../base/files.ts';
import { isAround } from '../../base/paths.ts';
import type { Client, ClientId } from '../../clients/client.ts';
import { CLIENTS, isClient } from '../../clients/index.ts';
import type { ScopeName } from '../../clients/scopes.ts';
import {
  EARLIER_LOGS,
  keptTextsFolder,
  STATE_FOLDERS,
  sessionsFolder,
  TAG_FILE,
} from '../../fire/own-folders.ts';
import { Fault, unlessFault } from '../../messages/fault.ts';
import { holdsEntries } from '../../shims/entry-owner.ts';
import { jointFile } from '../../shims/joint-script.ts';
import { serverFolder } from '../../shims/own-files.ts';
import { filesOfRecord, findServer, ownFilesOf, removeServer } from '../../store/record.ts';
import type { FileChange, RecordDocument, ServerRecord } from '../../store/types.ts';
import { withAdopted } from '../client/adopted-files.ts';
import type { PlanInput } from '../input.ts';
import { keptEntriesOn } from '../kept-entries.ts';
import { relocated } from '../relocated.ts';
import { linkTo, ownsFolder } from '../scopes/owned.ts';
import { pluginName } from '../scopes/plugin.ts';
import { keyIn, type PluginScope, serversIn, stateOwner } from '../scopes/scope.ts';
import { withRecord } from '../with-record.ts';
import { folderOfServer, holdsOthers, logsIn, ownRemovals } from './own-removals.ts';
import { type RecordAfterInput, recordAfter } from './record-after.ts';
import { removalPlaces } from './removal-places.ts';
import { type ClientRemoval, removeEntries, stillNeeded } from './remove-entries.ts';
import { filesThatGo, isChosenClient, whatStays } from './staying.ts';

interface UninstallInput extends RecordAfterInput, Pick<PlanInput, 'runtime' | 'made'> {
  /** Working folder: the project's settings of a client may list our hooks as switched off. */
  cwd: string;
  now: string;
  /** Leaves the log where nothing else is left. */
  keepLog?: boolean;
}

export interface Removal {
  slug: string;
  /** Nothing is left of a project's install but approvals to start the server, which this machine's record holds. */
  forgets?: true;
  clients: ClientRemoval[];
  /** Hooks of the server stay in this scope: those of clients that weren't chosen, or that can't be edited. */
  isLeft: boolean;
  /**
   * Faults for what stays: entries, scripts and record of clients of later versions, and the server's own files behind
   * links in mcphooks' folders or in folders that may not be read.
   */
  notRemoved: Fault[];
  /** Removals of hook scripts and their data, done first: no hook fires even if a later step fails. */
  own: FileChange[];
  changes: FileChange[];
  emptied: string[];
  record: RecordDocument;
  /** Own folders that nothing uses any more, removed with their contents after the record: kept text, session markers. */
  folders: string[];
  /** Own folders of hook scripts and runtime, removed when empty, inner folders first. */
  hookFolders: string[];
  /** mcphooks' folders of record and scripts, and those around them, removed when empty. */
  around: string[];
}

/**
 * Plans the removal of one server: its own files, and every entry of its shims in any file of any client, recorded or
 * not.
 */
export function planUninstall(uncached: UninstallInput): Removal {
  const input = { ...uncached, files: readOnce(uncached.files) };
  const { slug, scope, files } = input;
  const { real } = files;
  const { data, state } = scope.paths;
  const { record } = input.reading;
  const known = findServer(record, keyIn(scope, slug));
  const chosen = CLIENTS.filter(({ id }) => isChosenClient(id, input));
  const plugins = ownPlugins(chosen, known, input);
  const removed = removeFromFiles(chosen, known, input);
  const staying = whatStays(known, removed.clients, input);
  const { hooksStay, server: stayingServer } = staying;
  const withoutServer = removeServer(record, keyIn(scope, slug));
  const servers = stayingServer
    ? record.servers.map((one) => (one === known ? stayingServer : one))
    : withoutServer.servers;
  const serversHere = serversIn(scope, { servers });
  const isLastInDataFolder =
    serversHere.length === 0 && staying.scripts.length === 0 && !holdsOthers(slug, scope, files);
  const isLast = servers.length === 0 && isLastInDataFolder;
  const pluginFolders = foldersOfPlugins(removed.places, slug);
  const recorded = ownFilesOf(known?.clients);
  // Scripts that a lock file has lost need what it lists for all servers.
  const areLost = scope.shared && serversHere.length === 0 && !isLastInDataFolder;
  const forAll = (path: string): boolean =>
    !['hooks', 'joint'].some((name) => isAround(join(data, name), path));
  const filesToRemove = ownRemovals({
    slug,
    scope,
    files,
    recorded,
    needed: new Set(serversHere.flatMap(({ clients }) => ownFilesOf(clients))),
    theirs: new Set([...staying.files, ...(areLost ? recorded.filter(forAll) : [])]),
    plugins,
    pluginFolders,
    isLeft: hooksStay,
    last: isLastInDataFolder,
    runtime: input.runtime,
  });
  const next = withRecord(
    removed.texts,
    recordAfter({ ...withoutServer, servers }, known, removed, staying, input),
    input,
    { before: filesToRemove },
  );
  const hookFolders = [
    serverFolder(scope.paths, slug),
    join(data, 'joint'),
    ...plugins.map(({ folder }) => folder),
    ...pluginFolders.flatMap(({ folder, isRecorded }) => (isRecorded ? [folder] : [])),
    ...(isLastInDataFolder ? ['runtime', 'hooks'].map((name) => join(data, name)) : []),
  ];
  const folders = scope.shared
    ? []
    : stateFolders(chosen, known, { others: withoutServer.servers, isLast }, input);
  for (const { path } of filesToRemove) scope.check(path, real);
  // A folder that is a symbolic link isn't mcphooks' own.
  const owned = (all: string[]): string[] =>
    scope.shared ? all : all.filter((folder) => ownsFolder(folder, scope, real));
  if (scope.shared) for (const folder of hookFolders) scope.check(folder, real);
  const going = scope.shared ? [] : filesThatGo(known, staying, input);
  return {
    slug,
    clients: removed.clients,
    isLeft: hooksStay,
    notRemoved: [...unknownFaults(known, input), ...linkFaults(going, input), ...closedFaults(going, input)],
    own: filesToRemove,
    ...next,
    folders: owned(folders),
    hookFolders: owned(hookFolders),
    // An early build that wrote the record may have left out folders that it didn't know, so these are empty only now.
    around: record.folders.filter((folder) => [state, data].some((own) => isAround(folder, own))),
  };
}

/** Returns the folders of the server's plugins. A record may name any folder, and only one of this name is ours. */
function foldersOfPlugins(places: ReturnType<typeof removeFromFiles>['places'], slug: string) {
  return places
    .filter(({ place }) => place.inPlugin)
    .map(({ client, place, recorded }) => ({
      client,
      folder: place.file.slice(0, -1 - place.path.length),
      isRecorded: filesOfRecord(recorded).some(({ file }) => file === place.file),
    }))
    .filter(({ folder }) => basename(folder) === pluginName(slug));
}

/** Returns a fault for each client of the server that this version doesn't know. */
const unknownFaults = (known: ServerRecord | undefined, input: UninstallInput): Fault[] =>
  Object.entries(known?.clients ?? {})
    .filter(([id]) => !isClient(id) && isChosenClient(id, input))
    .map(
      ([client, { file }]) =>
        new Fault('record.client-unknown', { name: known?.server ?? '', client }, { file }),
    );

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
  let kept = input.reading.record.kept ?? [];
  const places = chosen.flatMap((client) => {
    const here = [scope, scope.asPlugin?.(client, slug)].flatMap((one) => one?.hookFiles(client, slug) ?? []);
    const { record: recorded, memories: now } = relocated(known?.clients[client.id], memories, here, input);
    memories = withAdopted(now, recorded, here, client.id, input);
    return removalPlaces(client, here, recorded, input).map((place) => ({ client, place, recorded }));
  });
  for (const at of places) {
    const { file } = at.place;
    const ofServer = keptEntriesOn(at.client, input);
    kept = kept.filter((entry) => entry.file !== file || !ofServer.includes(entry));
    const done = removeEntries(at, memories[file], input);
    const found = typeof done === 'object' ? done : undefined;
    const remembered = done === 'none' ? stillNeeded(at, memories[file], input) : found?.remembered;
    if (remembered) memories[file] = remembered;
    else delete memories[file];
    if (!found) continue;
    clients.push(found.removal);
    kept = [...kept, ...found.kept];
    if (found.change) texts.push(found.change);
  }
  return { places, clients, texts, memories, kept };
}

/**
 * Returns the state folders that nothing uses any more. State of a project's hooks stays: exported plugins and other
 * projects have the same folders, and it expires.
 */
function stateFolders(
  chosen: readonly Client[],
  known: ServerRecord | undefined,
  { others, isLast }: { others: readonly ServerRecord[]; isLast: boolean },
  { scope, files, keepLog }: UninstallInput,
): string[] {
  const { state } = scope.paths;
  // Installs for other projects have the same folders.
  const isUsed = (id: ClientId, at: ScopeName): boolean =>
    others.some((one) => one.scope === at && one.server === known?.server && one.clients[id]);
  // A tag that can't be read is one.
  const hasTag = unlessFault(() => files.read(join(state, TAG_FILE)) !== null, true);
  // Earlier versions kept it with the state of the user's own hooks, and of projects that have a tag.
  const earlier = scope.name === 'local' && !hasTag;
  const ofServer = chosen.flatMap(({ id }) =>
    known === undefined || isUsed(id, scope.name)
      ? []
      : [stateOwner(scope), ...(earlier && !isUsed(id, 'user') ? [undefined] : [])].flatMap((owner) =>
          [sessionsFolder, keptTextsFolder].map((folder) => folder(state, id, known.server, owner)),
        ),
  );
  if (!isLast) return ofServer;
  const ofAll = [
    // The rest stays where hooks of a project or an export have a tag, and expires.
    ...(hasTag ? ['handed'] : STATE_FOLDERS),
    ...(keepLog ? [] : [...EARLIER_LOGS, ...logsIn(state, files)]),
  ];
  return [...ofServer, ...ofAll.map((name) => join(state, name))];
}

/** Returns a fault for each link in mcphooks' folders behind which own files of the server stay. */
function linkFaults(going: readonly string[], { slug, scope, files }: UninstallInput): Fault[] {
  const { real } = files;
  const found = new Map<string, string>();
  for (const path of going) {
    // The folder, or for an entry of several servers the file, that is this server's alone.
    const own = jointFile(path)?.slug === slug ? path : folderOfServer(path, slug);
    const link =
      own !== undefined && unlessFault(() => files.read(path), null) !== null && linkTo(path, scope, real);
    if (own !== undefined && link) found.set(link, real(isAround(link, own) ? own : link));
  }
  return [...found].map(([file, to]) => new Fault('own.linked', { to }, { file }));
}

/** Returns a fault for each folder with own files that may not be read, and so stay: root may have made it. */
function closedFaults(going: readonly string[], { files }: UninstallInput): Fault[] {
  const found = new Map<string, Fault>();
  for (const path of going)
    try {
      files.read(path);
    } catch (error) {
      if (error instanceof Fault && error.code === 'apply.denied')
        found.set(
          dirname(path),
          new Fault('plan.unreadable', { reason: String(error.args.code) }, error.where),
        );
    }
  return [...found.values()];
}
