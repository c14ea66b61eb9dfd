import { join, resolve } from 'node:path';
import { type Files, filesBelow } from '../base/files.ts';
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
import { holdsEntries, ownShim } from '../shims/command.ts';
import { serverFolder } from '../shims/own-files.ts';
import { withoutApprovals } from '../store/approvals.ts';
import { findServer, type RecordReading, removeServer } from '../store/record.ts';
import type { FileChange, RecordDocument } from '../store/types.ts';
import { decode, withoutRest } from './hook-file.ts';
import { ownership, ownsFolder } from './scopes/owned.ts';
import { pluginFiles } from './scopes/plugin-scope.ts';
import { type HookFilePath, keyIn, type Scope } from './scopes/scope.ts';
import { withRecord } from './with-record.ts';

export interface UninstallInput {
  slug: string;
  reading: RecordReading;
  scope: Scope;
  /** The session's folder: a client may have listed our hooks as switched off in its project's settings. */
  cwd: string;
  /** Where what was approved to start is forgotten; undefined: everywhere. */
  repository?: string;
  now: string;
  /** Entries that were edited by hand leave, too. */
  edited: boolean;
  files: Files;
}

/** A file to look into; `listOnly`: for our names in a list, not for entries. */
type Place = HookFilePath & { listOnly?: true };

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
  /** Clients that a later version installed for: their entries, scripts and record stay. */
  strangers: Fault[];
  /** Shims and their data, to be removed first: then the hooks are dead, whatever comes of the rest. */
  own: FileChange[];
  changes: FileChange[];
  emptied: string[];
  record: RecordDocument;
  /** Own folders that nothing needs any more, to be removed at last with all that is in them: kept text, session markers. */
  folders: string[];
  /** Own folders that go where they are empty, after those in them: of hook scripts. */
  hollow: string[];
  /** Folders of ours around the record: to be removed when all is gone, and they are empty. */
  around: string[];
}

/**
 * Plans the removal of one server: every entry of its shims in any file of any client, whether a record tells of it
 * or not, and its own files.
 */
export function planUninstall(input: UninstallInput): Removal {
  const { slug, scope, files: disk } = input;
  const { read } = disk;
  const { record } = input.reading;
  const known = findServer(record, keyIn(scope, slug));
  const memory = { ...record.files };
  // Whatever stands in the record, or in a folder of ours. What a project shares, `check` says.
  const isOwn = (path: string): boolean => scope.shared || ownership(path, scope, disk.real) === 'own';
  const mayHold = (path: string): boolean => scope.shared || ownership(path, scope, disk.real) !== undefined;
  const texts: FileChange[] = [];
  const clients: ClientRemoval[] = [];
  const plugins = CLIENTS.flatMap((client) => {
    const plugin = scope.asPlugin?.(client, slug);
    const ours =
      known?.clients[client.id]?.own[plugin?.manifest ?? ''] !== undefined ||
      plugin?.hookFiles(client, slug).some(({ file }) => holdsEntries(read(file), slug));
    return plugin && ours ? [plugin] : [];
  });
  const places = CLIENTS.flatMap((client) => {
    const plugin = scope.asPlugin?.(client, slug);
    const files = [...scope.hookFiles(client, slug), ...(plugin?.hookFiles(client, slug) ?? [])];
    const wrote = known?.clients[client.id]?.file;
    const recorded = wrote !== undefined && mayHold(wrote) ? wrote : undefined;
    const [first] = files;
    // The file may lie where an environment variable pointed at install time.
    const moved = recorded !== undefined && !files.some((f) => f.file === recorded) && first;
    const shape = moved && (files.find((f) => recorded.endsWith(`/${f.path}`)) ?? first);
    const other =
      first && client.gates.offList && resolve(scope.root ?? input.cwd, client.gates.offList.project);
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
    const lists =
      client.gates.offList && !place.own && bytes && Buffer.from(bytes).includes(offName(client, slug));
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
    const ours = (command: string): string | undefined => ownShim(command, slug, client.id, scope);
    try {
      removal.before = decode(bytes, place.file);
      const listed = unlisted(client, slug, place, removal.before);
      // Its name may stand there for the project's own hooks.
      if (place.listOnly && listed === removal.before) continue;
      const entries = known?.clients[client.id]?.file === place.file ? known.clients[client.id]?.entries : [];
      const result = place.listOnly
        ? { text: listed, memory: undefined, changes: [] }
        : reconcile({
            ...place,
            text: listed,
            memory: memory[place.file],
            wanted: [],
            ours,
            evenEdited: input.edited,
            written: (event, key) => entries?.find((e) => e.event === event && e.key === key)?.group,
            tombstones: client.hooks.tombstones === true,
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
  const strangers = Object.entries(known?.clients ?? {}).filter(([id]) => !isClient(id));
  const theirs = new Set(strangers.flatMap(([, client]) => Object.keys(client.own)));
  const left = withoutApprovals(removeServer(record, keyIn(scope, slug)), slug, input.repository);
  // What couldn't be taken out of a client's file is remembered, so that the next try knows of it.
  const staying = [...failed, ...strangers.map(([id]) => id)];
  const kept = known && staying.length > 0 ? { ...known, clients: pick(known.clients, staying) } : undefined;
  const servers = kept ? [...left.servers, kept] : left.servers;
  const lastHere = !servers.some((s) => s.scope === scope.name && s.root === scope.root);
  const recorded = Object.values(known?.clients ?? {}).flatMap((c) => Object.keys(c.own));
  const roots = places.flatMap(({ place }) =>
    place.inPlugin ? [place.file.slice(0, -place.path.length)] : [],
  );
  const own = [
    ...new Set([
      ...filesBelow(serverFolder(scope.paths, slug), disk),
      // The data folder may have been another one at install time.
      ...recorded.filter(
        (path) =>
          (lastHere ||
            path.includes(`mcphooks/hooks/${slug}/`) ||
            roots.some((root) => path.startsWith(root))) &&
          isOwn(path) &&
          read(path) !== null,
      ),
      ...plugins.flatMap((plugin) => pluginFiles(plugin, disk)).filter((path) => read(path) !== null),
      ...(lastHere ? filesBelow(join(scope.paths.data, 'runtime'), disk) : []),
    ]),
  ]
    .filter((path) => !theirs.has(path) && isOwn(path))
    .map((path): FileChange => ({ path, before: read(path), after: null, mode: 0o600 }));
  const next = withRecord(texts, { ...left, servers, files: memory }, input, own);
  const { data, state } = scope.paths;
  // What a project's hooks remember stands beside what the user's own do, and expires.
  const names = known && !scope.shared ? [known.server] : [];
  const hollow = [
    serverFolder(scope.paths, slug),
    ...plugins.map(({ folder }) => folder),
    ...(lastHere ? ['runtime', 'hooks'].map((name) => join(data, name)) : []),
  ];
  const folders = [
    ...CLIENTS.flatMap(({ id }) =>
      names.flatMap((name) => [sessionsFolder(state, id, name), keptFolder(state, id, name)]),
    ),
    ...(servers.length === 0 && !scope.shared
      ? ['sessions', 'kept', 'calls', 'tools', 'installing', 'log', 'log.1'].map((name) => join(state, name))
      : []),
  ];
  for (const path of [...own.map((change) => change.path), ...folders]) scope.check(path, disk.real);
  // A folder that is a link isn't ours.
  const owned = scope.shared ? hollow : hollow.filter((folder) => ownsFolder(folder, scope, disk.real));
  if (scope.shared) for (const folder of hollow) scope.check(folder, disk.real);
  const around = record.folders.filter((folder) => isAround(folder, state));
  const unknown = strangers.map(
    ([client, { file }]) =>
      new Fault('record.client-unknown', { name: known?.server ?? slug, client }, { file }),
  );
  return { slug, clients, strangers: unknown, own, ...next, folders, hollow: owned, around };
}

/** What the names of one server's handlers begin with. */
function offName(client: Client, slug: string): string {
  return String(client.hooks.fields?.(`${slug}:`, '').name);
}

/** A file without our names in its client's list of hooks that are switched off. */
function unlisted(client: Client, slug: string, place: Place, text: string): string {
  if (!client.gates.offList) return text;
  const begin = offName(client, slug);
  // `-2` and so on: earlier versions split long texts over several entries.
  const ours = (name: string): boolean =>
    name.startsWith(begin) && /^[A-Za-z]+(-\d+)?$/.test(name.slice(begin.length));
  const source = { file: place.file, text, comments: place.format === 'jsonc' };
  return removeStrings(source, client.gates.offList.path, ours);
}

function pick<T>(all: Partial<Record<ClientId, T>>, ids: readonly string[]): Partial<Record<ClientId, T>> {
  return Object.fromEntries(Object.entries(all).filter(([id]) => ids.includes(id)));
}
