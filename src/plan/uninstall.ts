import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findServer, type RecordReading, removeServer } from '../apply/record.ts';
import type { FileChange, RecordDocument } from '../apply/types.ts';
import { CLIENTS, clientFolder } from '../clients/index.ts';
import type { ClientId } from '../clients/types.ts';
import { reconcile } from '../edit/reconcile.ts';
import type { EntryChange } from '../edit/types.ts';
import { keptFolder } from '../fire/kept.ts';
import { sessionsFolder } from '../fire/session.ts';
import { Fault } from '../messages.ts';
import type { Env, OwnPaths } from '../paths.ts';
import { ownShim, serverFolder } from './own-files.ts';
import { decode, withRecord } from './plan.ts';

export interface UninstallInput {
  slug: string;
  reading: RecordReading;
  paths: OwnPaths;
  env: Env;
  now: string;
  read: (path: string) => Uint8Array | null;
}

export interface ClientRemoval {
  client: ClientId;
  file: string;
  before: string;
  after: string | null;
  entryChanges: EntryChange[];
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
}

/**
 * Plans the removal of one server: every entry of its shims in any file of any client, whether a record tells of it
 * or not, and its own files.
 */
export function planUninstall(input: UninstallInput): Removal {
  const { slug, env, read } = input;
  const { record } = input.reading;
  const known = findServer(record, { slug, scope: 'user' });
  const memory = { ...record.files };
  const texts: FileChange[] = [];
  const clients: ClientRemoval[] = [];
  const places = CLIENTS.flatMap((client) => {
    const files = client.hookFiles.map((f) => ({ ...f, file: join(clientFolder(client, env), f.path) }));
    const recorded = known?.clients[client.id]?.file;
    const [first] = files;
    // The file may lie where an environment variable pointed at install time.
    const moved = recorded !== undefined && !files.some((f) => f.file === recorded) && first;
    const shape = moved && (files.find((f) => recorded.endsWith(f.path)) ?? first);
    return [...files, ...(shape ? [{ ...shape, file: recorded as string }] : [])].map((place) => ({
      client,
      place,
    }));
  });
  for (const { client, place } of places) {
    const bytes = read(place.file);
    if (bytes === null || !Buffer.from(bytes).includes(`/mcphooks/hooks/${slug}/`)) continue;
    const removal: ClientRemoval = {
      client: client.id,
      file: place.file,
      before: '',
      after: '',
      entryChanges: [],
    };
    clients.push(removal);
    try {
      removal.before = decode(bytes, place.file);
      const result = reconcile({
        file: place.file,
        text: removal.before,
        format: place.format,
        accepts: place.accepts,
        memory: memory[place.file],
        wanted: [],
        ours: (command) => ownShim(command, slug, client.id),
        written: (event, key) =>
          known?.clients[client.id]?.entries.find((e) => e.event === event && e.key === key)?.group,
        tombstones: client.tombstones,
      });
      removal.after = result.text;
      removal.entryChanges = result.changes;
      if (result.memory) memory[place.file] = result.memory;
      else delete memory[place.file];
      if (result.text !== removal.before)
        texts.push({
          path: place.file,
          before: bytes,
          after: result.text === null ? null : Buffer.from(result.text, 'utf8'),
          mode: 0o644,
        });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      removal.fault = error;
    }
  }

  const failed = clients.flatMap((c) => (c.fault ? [c.client] : []));
  const left = removeServer(record, { slug, scope: 'user' });
  // What couldn't be taken out of a client's file is remembered, so that the next try knows of it.
  const kept = known && failed.length > 0 ? { ...known, clients: pick(known.clients, failed) } : undefined;
  const servers = kept ? [...left.servers, kept] : left.servers;
  const next = withRecord(texts, { ...left, servers, files: memory }, input);
  const own = [
    ...filesBelow(serverFolder(input.paths, slug)),
    ...(servers.length === 0 ? filesBelow(join(input.paths.data, 'runtime')) : []),
  ].map((path): FileChange => ({ path, before: read(path), after: null, mode: 0o600 }));
  const { data, state } = input.paths;
  const names = known ? [known.server] : [];
  const folders = [
    serverFolder(input.paths, slug),
    ...CLIENTS.flatMap(({ id }) =>
      names.flatMap((name) => [sessionsFolder(state, id, name), keptFolder(state, id, name)]),
    ),
    ...(servers.length === 0 ? ['runtime', 'hooks'].map((name) => join(data, name)) : []),
    ...(servers.length === 0 ? ['sessions', 'kept', 'calls'].map((name) => join(state, name)) : []),
  ];
  return { slug, clients, own, ...next, folders };
}

function pick<T>(all: Partial<Record<ClientId, T>>, ids: readonly ClientId[]): Partial<Record<ClientId, T>> {
  return Object.fromEntries(Object.entries(all).filter(([id]) => ids.includes(id as ClientId)));
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((e) => !e.isDirectory())
      .map((e) => join(e.parentPath, e.name));
  } catch {
    return [];
  }
}
