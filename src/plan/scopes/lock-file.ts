import { isAbsolute, join, relative } from 'node:path';
import { mapValues, renamedKeys } from '../../base/json-value.ts';
import { foldersAbove, LOCK, slashed } from '../../base/paths.ts';
import { slugFor } from '../../base/slug.ts';
import { utf8 } from '../../base/utf8.ts';
import { VERSION } from '../../base/version.ts';
import { CLIENT_IDS } from '../../clients/client.ts';
import { isHookPath } from '../../clients/hook-files.ts';
import { CLIENTS, isClient } from '../../clients/index.ts';
import { CLIENT_NAME } from '../../clients/names.ts';
import {
  canonicalJson,
  declarationsHash,
  inReadingOrder,
  sorted,
} from '../../declarations/canonical-json.ts';
import { duplicateKey } from '../../declarations/duplicate-key.ts';
import { invalidPosition, parseJson, position } from '../../declarations/json-text.ts';
import { declarationsAndFaults } from '../../declarations/parse.ts';
import type { Locate, Path } from '../../declarations/path.ts';
import type { Where } from '../../messages/args.ts';
import { Fault } from '../../messages/fault.ts';
import { emptyRecord, ownFilesOf, type RecordReading, type RecordStore } from '../../store/record.ts';
import type { ClientRecord, FileChange, RecordDocument, ServerRecord } from '../../store/types.ts';
import { chosenOptions, DEFAULT_OPTIONS } from '../options.ts';
import { LockSchema } from './lock-schema.ts';

/**
 * Record store of a project: the lock file holds the record with relative paths and without each machine's own values.
 */
export function lockStore(root: string): RecordStore {
  const file = join(root, LOCK);
  return {
    file,
    unlinkedIn: root,
    parse: (bytes) => parseLock(bytes, file, root),
    changes: (reading, record): FileChange[] => [
      { path: file, before: reading.bytes, after: Buffer.from(lockText(record, root)), mode: 0o666 },
    ],
  };
}

interface LockDocument extends Pick<RecordDocument, 'kept'> {
  mcphooks: string;
  /** Servers without the fields that each machine has of its own. */
  servers: ServerRecord[];
  files: RecordDocument['files'];
}

/**
 * Parses a lock file. A stranger may have written the file, so no path in it may lead out of the project. Throws a
 * Fault: `lock.conflict`, `lock.syntax`, `lock.duplicate`, `lock.newer`, `lock.damaged`, `lock.edited`, or a fault of a
 * declaration.
 */
function parseLock(bytes: Uint8Array | null, file: string, root: string): RecordReading {
  if (!bytes) return { record: emptyRecord(), bytes };
  const text = utf8(bytes);
  if (text === undefined) throw new Fault('plan.not-utf8', {}, { file, ...invalidPosition(bytes) });
  const conflict = /^(?:<{7}|={7}|>{7})(?= |$)/m.exec(text);
  if (conflict) throw new Fault('lock.conflict', {}, { file, ...position(text, conflict.index) });
  const { value, locate } = parseJson(text, file, 'lock.syntax');
  const twice = duplicateKey(text, value);
  if (twice) throw new Fault('lock.duplicate', { key: twice.key }, { file, ...position(text, twice.offset) });
  const { lockfileVersion } = (value ?? {}) as { lockfileVersion?: unknown };
  if (typeof lockfileVersion === 'number' && lockfileVersion > 1)
    throw new Fault('lock.newer', { version: lockfileVersion }, { file });
  const lock = checked(withServers(value), locate);
  const absolute = (path: string): string => join(root, path);
  for (const [i, server] of lock.servers.entries())
    checkDeclarations(server, lock.mcphooks, (path) => locate(['servers', i, ...path]));
  const record: RecordDocument = {
    ...emptyRecord(),
    mcphooks: lock.mcphooks,
    servers: lock.servers.map((server) => ({
      ...withPaths(shared(server), absolute, (client) => ({ ...client, since: '' })),
      mcphooks: server.mcphooks ?? lock.mcphooks,
      slug: slugFor(server.server),
      scope: 'project',
      root,
      tag: '',
      since: '',
      options: { ...DEFAULT_OPTIONS, ...server.options },
    })),
    files: renamedKeys(lock.files, absolute),
    ...keptWith(lock, absolute),
    folders: foldersOf(lock).map(absolute),
  };
  return {
    bytes,
    asWritten: canonicalJson(value) === canonicalJson(JSON.parse(lockText(record, root))),
    record,
  };
}

/** Returns the fields of a record that everybody with the project shares, in reading order. */
function shared(record: ServerRecord): ServerRecord {
  const { server, mcphooks, serverName, from, definition, given, fromClient } = record;
  const { documentTools, ownTools, options, declarationsHash, declarations, clientsChosen, clients } = record;
  const first = { server, mcphooks, serverName, from, definition, given, fromClient };
  const then = { documentTools, ownTools, options, declarationsHash, declarations, clientsChosen, clients };
  const all = { ...first, ...then };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as ServerRecord;
}

/** Renames the `name` of each server, which earlier versions wrote, to `server`. */
function withServers(value: unknown): unknown {
  const { servers } = (value ?? {}) as { servers?: unknown };
  if (!Array.isArray(servers)) return value;
  const renamed = servers.map((one) => {
    const { name, ...rest } = Object(one) as Record<string, unknown>;
    return name === undefined || Object.hasOwn(rest, 'server') ? one : { server: name, ...rest };
  });
  return { ...(value as object), servers: renamed };
}

/** Returns the Fault of a place in a lock file. `version`: of mcphooks, as the file says. */
function damagedAt(where: Where, version: unknown): Fault {
  const other = typeof version === 'string' && version !== VERSION && { version, ours: VERSION };
  return new Fault('lock.damaged', { path: where.path ?? '', ...other }, where);
}

/** Returns the value itself after the checks: a copy by the parser would reorder its keys. Throws `lock.damaged`. */
function checked(value: unknown, locate: Locate): LockDocument {
  const { mcphooks: version } = (value ?? {}) as { mcphooks?: unknown };
  const damaged = (path: Path): Fault => damagedAt(locate(path), version);
  const [issue] = LockSchema().safeParse(value).error?.issues ?? [];
  if (issue) throw damaged(issue.path as Path);
  const lock = value as LockDocument;
  for (const [i, { clients }] of lock.servers.entries()) {
    for (const { id, hooks } of CLIENTS) {
      const file = clients[id]?.file;
      if (file !== undefined && !hooks.project.some((f) => isHookPath(file, f)))
        throw damaged(['servers', i, 'clients', id, 'file']);
    }
    // Nothing compares these files: one beside a script of another client could give its text.
    for (const [id, { own }] of Object.entries(clients).filter(([one]) => !isClient(one))) {
      const other = Object.keys(own).find((path) => !isOwnOf(id, path));
      if (other !== undefined) throw damaged(['servers', i, 'clients', id, 'own', other]);
    }
  }
  // Hook files of clients of later versions, too.
  const recorded = lock.servers.flatMap(({ clients }) => Object.values(clients).map(({ file }) => file));
  const stray = Object.keys(lock.files).find((file) => !recorded.includes(file) && !isProjectHookFile(file));
  if (stray !== undefined) throw damaged(['files', stray]);
  const slugs = lock.servers.map(({ server }) => slugFor(server));
  const again = slugs.findIndex((slug, i) => slugs.indexOf(slug) < i);
  if (again >= 0) throw damaged(['servers', again, 'server']);
  return lock;
}

function checkDeclarations(
  { server, declarations, declarationsHash: hash, options, from, mcphooks }: ServerRecord,
  version: string,
  at: Locate,
) {
  const { allowInvisible } = { ...DEFAULT_OPTIONS, ...options };
  const [refusal] = declarationsAndFaults(
    { declarations },
    { allowInvisible, anyLength: true, lenient: false, when: true, locate: at },
  ).refusals;
  const by = mcphooks ?? version;
  if (refusal) throw by === VERSION ? refusal : damagedAt(refusal.where, by);
  if (declarationsHash(declarations) !== hash)
    throw new Fault('lock.edited', { name: server }, at(['declarationsHash']));
  // Else any texts could pass for those of a reviewed entry.
  if ('hash' in from && from.hash !== hash)
    throw new Fault('lock.edited', { name: server }, at(['from', 'hash']));
}

/** Serializes a record. Equal records result in equal bytes, wherever the project is and whoever writes the file. */
function lockText(record: RecordDocument, root: string): string {
  const short = (path: string): string => (isAbsolute(path) ? slashed(relative(root, path)) : path);
  const { mcphooks = VERSION } = record;
  const servers = [...record.servers].sort((a, b) => (a.server < b.server ? -1 : 1));
  const lock = {
    lockfileVersion: 1,
    mcphooks,
    servers: servers
      .map((server) => lockedServer(withPaths(shared(server), short, lockedClient)))
      .map((server) => (server.mcphooks === mcphooks ? { ...server, mcphooks: undefined } : server)),
    files: sorted(renamedKeys(record.files, short)),
    ...keptWith(record, short),
  };
  return `${JSON.stringify(lock, null, 2)}\n`;
}

/** Sorts the keys of a server's record, so that every writer produces the same bytes. */
function lockedServer(server: ServerRecord): ServerRecord {
  const { from, definition, given, options, declarations, clients } = server;
  return {
    ...server,
    from: sorted(from),
    ...(definition && {
      definition: { shown: definition.shown, hash: definition.hash, source: sorted(definition.source) },
    }),
    ...(given !== undefined && { given: sorted(given) }),
    options: sorted(chosenOptions(options)),
    declarations: declarations.map(inReadingOrder),
    clients: ordered(clients),
  };
}

/** Sorts records by the order of our clients; clients of later versions come last. */
function ordered(clients: ServerRecord['clients']): ServerRecord['clients'] {
  const place = (id: string): number => (isClient(id) ? CLIENT_IDS.indexOf(id) : CLIENT_IDS.length);
  const entries = Object.entries(clients).sort(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1));
  return Object.fromEntries(entries);
}

function lockedClient({
  since: _,
  digest,
  fidelity,
  file,
  entries,
  own,
  ...rest
}: ClientRecord): ClientRecord {
  return { file, digest, fidelity, ...rest, entries, own: sorted(own) } as ClientRecord;
}

/** Returns a server's record with `map` applied to every path, and `mapClient` to every client. */
function withPaths(
  server: ServerRecord,
  map: (path: string) => string,
  mapClient: (client: ClientRecord) => ClientRecord,
): ServerRecord {
  const { from, definition, clients } = server;
  const source = definition?.source;
  return {
    ...server,
    from: from.kind === 'file' ? { ...from, file: map(from.file) } : from,
    ...(definition &&
      source?.file !== undefined && {
        definition: { ...definition, source: { ...source, file: map(source.file) } },
      }),
    clients: mapValues(clients, (client) =>
      mapClient({ ...client, file: map(client.file), own: renamedKeys(client.own, map) }),
    ),
  };
}

/** Returns folders that may be removed when empty. Git keeps no empty folders, so none is part of the project. */
function foldersOf({ servers, files }: LockDocument): string[] {
  const own = servers.flatMap(({ clients }) => ownFilesOf(clients));
  const made = Object.entries(files).flatMap(([file, memory]) =>
    memory.created && isProjectHookFile(file) ? [file] : [],
  );
  return [...new Set([...own, ...made].flatMap(foldersAbove))];
}

const keptWith = ({ kept }: Pick<RecordDocument, 'kept'>, map: (path: string) => string) =>
  kept && { kept: kept.map(({ file, event, key, group }) => ({ file: map(file), event, key, group })) };

/** True for an own file that only hooks of this client use, or that hooks of all clients do. */
const isOwnOf = (client: string, path: string): boolean =>
  new RegExp(`^${CLIENT_NAME}$`).test(client) &&
  new RegExp(
    `^[^/]+/(?:hooks/[^/]+/[^/]+/${client}/|joint/${client}/|runtime/[a-z-]+\\.[a-z]+$|\\.gitattributes$)`,
  ).test(path);

function isProjectHookFile(path: string): boolean {
  return CLIENTS.some(({ hooks }) => hooks.project.some((place) => isHookPath(path, place)));
}
