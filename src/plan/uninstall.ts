import { join, resolve } from 'node:path';
import { findServer, type RecordReading, removeServer } from '../apply/record.ts';
import type { FileChange, RecordDocument } from '../apply/types.ts';
import { CLIENTS } from '../clients/index.ts';
import type { Client, ClientId } from '../clients/types.ts';
import { readHooks } from '../edit/read.ts';
import { reconcile } from '../edit/reconcile.ts';
import { removeStrings } from '../edit/strings.ts';
import type { EntryChange, HookGroup, HookHandler } from '../edit/types.ts';
import { keptFolder } from '../fire/kept.ts';
import { sessionsFolder } from '../fire/session.ts';
import { Fault } from '../messages.ts';
import { holdsEntries, ownShim } from './command.ts';
import { decode, withoutRest } from './hook-file.ts';
import { filesBelow, serverFolder } from './own-files.ts';
import { type PluginSite, pluginFiles } from './plugin-site.ts';
import { type HookPlace, keyAt, type Site } from './site.ts';
import { isAround, withRecord } from './with-record.ts';

export interface UninstallInput {
  slug: string;
  reading: RecordReading;
  site: Site;
  /** The session's folder: a client may have listed our hooks as switched off in its project's settings. */
  cwd: string;
  now: string;
  /** Entries that were edited by hand leave, too. */
  edited: boolean;
  read: (path: string) => Uint8Array | null;
}

/** A file to look into; `listOnly`: for our names in a list, not for entries. */
type Place = HookPlace & { listOnly?: true };

export interface ClientRemoval {
  client: ClientId;
  file: string;
  before: string;
  after: string | null;
  entryChanges: EntryChange[];
  /** Entries that were edited by hand, and stay; lines from 1, of the file as it is afterwards. */
  kept: { event: string; line?: number }[];
  /** Our entries as they stood, where even edited ones leave. */
  stood: HookGroup[];
  /** Names of ours leave the client's list of hooks that are switched off. */
  unlisted?: true;
  fault?: Fault;
}

export interface Removal {
  slug: string;
  clients: ClientRemoval[];
  /** Shims and their data, to be removed first: then the hooks are dead, whatever comes of the rest. */
  own: FileChange[];
  changes: FileChange[];
  emptied: string[];
  record: RecordDocument;
  /** Own folders that nothing needs any more, to be removed at last: shims, kept text, session markers. */
  folders: string[];
  /** Folders of ours around the record: to be removed when all is gone, and they are empty. */
  around: string[];
}

/**
 * Plans the removal of one server: every entry of its shims in any file of any client, whether a record tells of it
 * or not, and its own files.
 */
export function planUninstall(input: UninstallInput): Removal {
  const { slug, site, read } = input;
  const { record } = input.reading;
  const known = findServer(record, keyAt(site, slug));
  const memory = { ...record.files };
  const texts: FileChange[] = [];
  const clients: ClientRemoval[] = [];
  const plugins = CLIENTS.flatMap((client) => {
    const plugin = site.asPlugin?.(client, slug);
    const ours =
      known?.clients[client.id]?.own[plugin?.manifest ?? ''] !== undefined ||
      plugin?.hookFiles(client).some(({ file }) => holdsEntries(read(file), slug));
    return plugin && ours ? [plugin] : [];
  });
  const places = CLIENTS.flatMap((client) => {
    const plugin = site.asPlugin?.(client, slug);
    const files = [...site.hookFiles(client), ...(plugin?.hookFiles(client) ?? [])];
    const recorded = known?.clients[client.id]?.file;
    const [first] = files;
    // The file may lie where an environment variable pointed at install time.
    const moved = recorded !== undefined && !files.some((f) => f.file === recorded) && first;
    const shape = moved && (files.find((f) => recorded.endsWith(`/${f.path}`)) ?? first);
    const other = first && client.offList && resolve(site.root ?? input.cwd, client.offList.project);
    const [listing] =
      other && !files.some((f) => f.file === other) ? [{ ...first, file: other } as Place] : [];
    return [
      ...files,
      ...(shape ? [{ ...shape, file: recorded as string }] : []),
      ...(listing ? [{ ...listing, listOnly: true as const }] : []),
    ].map((place: Place) => ({ client, place }));
  });
  for (const { client, place } of places) {
    const bytes = read(place.file);
    const holds = holdsEntries(bytes, slug) && !place.listOnly;
    const lists = client.offList && !place.own && bytes && Buffer.from(bytes).includes(offName(client, slug));
    // A file that is gone has nothing to get back.
    if (bytes === null) delete memory[place.file];
    if (bytes === null || !(holds || lists)) continue;
    const removal: ClientRemoval = {
      client: client.id,
      file: place.file,
      before: '',
      after: '',
      entryChanges: [],
      kept: [],
      stood: [],
    };
    const ours = (command: string): string | undefined => ownShim(command, slug, client.id, site);
    try {
      removal.before = decode(bytes, place.file);
      const listed = unlisted(client, slug, place, removal.before);
      // Its name may stand there for the project's own hooks.
      if (place.listOnly && listed === removal.before) continue;
      const entries = known?.clients[client.id]?.file === place.file ? known.clients[client.id]?.entries : [];
      const result = place.listOnly
        ? { text: listed, memory: undefined, changes: [] }
        : reconcile({
            file: place.file,
            text: listed,
            format: place.format,
            accepts: place.accepts,
            memory: memory[place.file],
            wanted: [],
            ours,
            evenEdited: input.edited,
            written: (event, key) => entries?.find((e) => e.event === event && e.key === key)?.group,
            tombstones: client.tombstones,
          });
      removal.after = withoutRest(place, result.text);
      if (listed !== removal.before) removal.unlisted = true;
      removal.entryChanges = result.changes;
      if (input.edited && !place.listOnly)
        removal.stood = readHooks({ ...place, text: listed, memory: undefined }, ours).flatMap(
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
      if (result.memory) memory[place.file] = result.memory;
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
  const left = removeServer(record, keyAt(site, slug));
  // What couldn't be taken out of a client's file is remembered, so that the next try knows of it.
  const kept = known && failed.length > 0 ? { ...known, clients: pick(known.clients, failed) } : undefined;
  const servers = kept ? [...left.servers, kept] : left.servers;
  const lastHere = !servers.some((s) => s.scope === site.scope && s.root === site.root);
  const next = withRecord(texts, { ...left, servers, files: memory }, input);
  const recorded = Object.values(known?.clients ?? {}).flatMap((c) => Object.keys(c.own));
  const roots = places.flatMap(({ place }) => (place.own ? [place.file.slice(0, -place.path.length)] : []));
  const own = [
    ...new Set([
      ...filesBelow(serverFolder(site.paths, slug)),
      // The data folder may have been another one at install time.
      ...recorded.filter(
        (path) =>
          (lastHere ||
            path.includes(`mcphooks/hooks/${slug}/`) ||
            roots.some((root) => path.startsWith(root))) &&
          read(path) !== null,
      ),
      ...plugins.flatMap(pluginFiles).filter((path) => read(path) !== null),
      ...(lastHere ? filesBelow(join(site.paths.data, 'runtime')) : []),
    ]),
  ].map((path): FileChange => ({ path, before: read(path), after: null, mode: 0o600 }));
  const { data, state } = site.paths;
  const names = known ? [known.server] : [];
  const folders = [
    serverFolder(site.paths, slug),
    ...plugins.flatMap((plugin) => wholly(plugin, [...own, ...texts])),
    ...CLIENTS.flatMap(({ id }) =>
      names.flatMap((name) => [sessionsFolder(state, id, name), keptFolder(state, id, name)]),
    ),
    ...(lastHere ? ['runtime', 'hooks'].map((name) => join(data, name)) : []),
    ...(servers.length === 0
      ? ['sessions', 'kept', 'calls', 'log', 'log.1'].map((name) => join(state, name))
      : []),
  ];
  for (const path of [...own.map((change) => change.path), ...folders]) site.check(path);
  const around = record.folders.filter((folder) => isAround(folder, state));
  return { slug, clients, own, ...next, folders, around };
}

/** The plugin's folder where nothing else is in it, else that of its shims. */
function wholly({ folder, paths }: PluginSite, changes: readonly FileChange[]): string[] {
  const removed = new Set(changes.filter((c) => c.after === null).map((c) => c.path));
  return filesBelow(folder).every((path) => removed.has(path)) ? [folder] : [paths.data];
}

/** What the names of one server's handlers begin with. */
function offName(client: Client, slug: string): string {
  return String(client.handler(`${slug}:`, '').name);
}

/** A file without our names in its client's list of hooks that are switched off. */
function unlisted(client: Client, slug: string, place: Place, text: string): string {
  if (!client.offList) return text;
  const begin = offName(client, slug);
  const ours = (name: string): boolean =>
    name.startsWith(begin) && /^[A-Za-z]+(-\d+)?$/.test(name.slice(begin.length));
  const source = { file: place.file, text, comments: place.format === 'jsonc' };
  return removeStrings(source, client.offList.path, ours);
}

function pick<T>(all: Partial<Record<ClientId, T>>, ids: readonly ClientId[]): Partial<Record<ClientId, T>> {
  return Object.fromEntries(Object.entries(all).filter(([id]) => ids.includes(id as ClientId)));
}
