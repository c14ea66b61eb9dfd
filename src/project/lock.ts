import { dirname, isAbsolute, join, relative } from 'node:path';
import * as z from 'zod/mini';
import { readFileState } from '../apply/files.ts';
import { emptyRecord, type RecordReading } from '../apply/record.ts';
import { ClientRecordSchema, Memory, OptionsSchema } from '../apply/record-schema.ts';
import { slugFor } from '../apply/slug.ts';
import type {
  ClientRecord,
  FileChange,
  InstallOptions,
  RecordDocument,
  ServerRecord,
} from '../apply/types.ts';
import { CLIENTS } from '../clients/index.ts';
import { CLIENT_IDS } from '../clients/types.ts';
import { declarationsHash, inReadingOrder, sorted } from '../declarations/canonical.ts';
import { parseJson, position } from '../declarations/file.ts';
import { parseDeclarations } from '../declarations/parse.ts';
import { pathText } from '../declarations/path.ts';
import type { Declaration } from '../declarations/types.ts';
import { Fault } from '../messages.ts';
import { once } from '../once.ts';
import { PROJECT_FOLDER } from '../plan/command.ts';
import { chosenOptions, DEFAULT_OPTIONS } from '../plan/options.ts';
import type { RecordStore } from '../plan/site.ts';
import { VERSION } from '../version.ts';
import { LOCK } from './root.ts';

/** A path of the project: relative to its root, with `/`, never out of it. */
const path = (begin: string) =>
  z.string().check(z.regex(/^(?!\/)(?!(?:.*\/)?\.\.?(?:\/|$))[^\\]+$/), z.startsWith(begin));
const hookFile = once(() => z.enum(CLIENTS.flatMap((c) => c.project.files.map((f) => f.path))));

/** What may be removed with an install: not all that somebody may have put beside it. */
const OWN = /^[^/]+\/(?:(?:hooks|runtime)\/|\.gitattributes$)/;

const LockedClient = once(() =>
  z.extend(z.omit(ClientRecordSchema(), { since: true }), {
    file: hookFile(),
    own: z.record(path(`${PROJECT_FOLDER}/`).check(z.regex(OWN)), z.string()),
  }),
);

const LockedServer = once(() =>
  z.looseObject({
    name: z.string(),
    serverName: z.optional(z.string()),
    from: z.union([
      z.strictObject({ kind: z.literal('server'), era: z.string(), place: z.string() }),
      z.strictObject({ kind: z.literal('file'), file: path('') }),
    ]),
    definition: z.optional(
      z.strictObject({
        shown: z.string(),
        hash: z.string(),
        source: z.union([
          z.strictObject({ scope: z.literal('command-line') }),
          z.strictObject({
            scope: z.literal('project'),
            client: z.enum(CLIENT_IDS),
            file: path(''),
            pointer: z.array(z.string()),
          }),
        ]),
      }),
    ),
    given: z.optional(z.unknown()),
    fromClient: z.optional(z.enum(CLIENT_IDS)),
    documentTools: z.optional(z.array(z.string())),
    options: z.partial(OptionsSchema()),
    declarationsHash: z.string(),
    declarations: z.array(z.unknown()),
    clients: z.partialRecord(z.enum(CLIENT_IDS), LockedClient()),
  }),
);
type LockedServer = z.infer<ReturnType<typeof LockedServer>>;

/** `mcphooks.lock.json`: what a project has installed, for all who have the project. */
export const LockSchema = once(() =>
  z.looseObject({
    lockfileVersion: z.literal(1),
    /** The version that wrote shims and runtime. */
    mcphooks: z.string(),
    servers: z.array(LockedServer()),
    files: z.partialRecord(hookFile(), Memory()),
  }),
);
type Lock = z.infer<ReturnType<typeof LockSchema>>;

/** The lock file of a project as its record. */
export function lockStore(root: string): RecordStore {
  const file = join(root, LOCK);
  return {
    file,
    read: () => readLock(file, root),
    changes: (reading, record): FileChange[] => [
      { path: file, before: reading.bytes, after: Buffer.from(lockText(record, root)), mode: 0o644 },
    ],
  };
}

/** The version of mcphooks that wrote a lock file; undefined: there is none. */
export function lockedVersion(root: string): string | undefined {
  const bytes = readFileState(join(root, LOCK));
  return bytes ? JSON.parse(Buffer.from(bytes).toString('utf8')).mcphooks : undefined;
}

/**
 * Reads a lock file, which may come from a stranger: no path of it leads out of the project. Throws a Fault:
 * `lock.conflict`, `lock.syntax`, `lock.newer`, `lock.damaged`, `lock.edited`, or what is wrong with a declaration.
 */
function readLock(file: string, root: string): RecordReading {
  const bytes = readFileState(file);
  if (!bytes) return { record: emptyRecord(), bytes };
  const text = Buffer.from(bytes).toString('utf8');
  const conflict = /^(?:<{7}|={7}|>{7})(?= |$)/m.exec(text);
  if (conflict) throw new Fault('lock.conflict', {}, { file, ...position(text, conflict.index) });
  const { value, locate } = parseJson(text, file, 'lock.syntax');
  const { lockfileVersion } = (value ?? {}) as { lockfileVersion?: unknown };
  if (typeof lockfileVersion === 'number' && lockfileVersion > 1)
    throw new Fault('lock.newer', { version: lockfileVersion }, { file });
  const checked = LockSchema().safeParse(value);
  const [issue] = checked.error?.issues ?? [];
  if (issue)
    throw new Fault(
      'lock.damaged',
      { path: pathText(issue.path as string[]) },
      locate(issue.path as string[]),
    );
  const misplaced = checked.data?.servers.flatMap((server, i) =>
    CLIENTS.flatMap(({ id, project }) => {
      const file = server.clients[id]?.file;
      const known = file === undefined || project.files.some((f) => f.path === file);
      return known ? [] : [['servers', i, 'clients', id, 'file']];
    }),
  )[0];
  if (misplaced) throw new Fault('lock.damaged', { path: pathText(misplaced) }, locate(misplaced));
  // The value as it stands: a parser's copy has its keys in another order.
  const lock = value as Lock;
  const absolute = (path: string): string => join(root, path);
  const servers = lock.servers.map((server, i): ServerRecord => {
    const at = ['servers', i];
    const options = { ...DEFAULT_OPTIONS, ...server.options } as InstallOptions;
    parseDeclarations(
      { declarations: server.declarations },
      { ...options, lenient: false, locate: (path) => locate([...at, ...path]) },
    );
    if (declarationsHash(server.declarations) !== server.declarationsHash)
      throw new Fault('lock.edited', { name: server.name }, locate([...at, 'declarationsHash']));
    return recordOf(server, options, root, absolute);
  });
  return {
    bytes,
    ownVersion: lock.mcphooks === VERSION,
    record: {
      ...emptyRecord(),
      servers,
      files: mapKeys(lock.files, absolute) as unknown as RecordDocument['files'],
      folders: foldersOf(lock).map(absolute),
    },
  };
}

function recordOf(
  server: LockedServer,
  options: ServerRecord['options'],
  root: string,
  absolute: (path: string) => string,
): ServerRecord {
  const { name, serverName, from, definition, given, fromClient, documentTools, clients } = server;
  const source = definition?.source;
  return {
    server: name,
    slug: slugFor(name),
    scope: 'project',
    root,
    tag: '',
    since: '',
    declarations: server.declarations as Declaration[],
    declarationsHash: server.declarationsHash,
    ...(serverName !== undefined && { serverName }),
    from: from.kind === 'file' ? { ...from, file: absolute(from.file) } : from,
    ...(definition &&
      source && {
        definition: {
          ...definition,
          source: source.scope === 'project' ? { ...source, file: absolute(source.file) } : source,
        },
      }),
    ...(given !== undefined && { given }),
    ...(fromClient && { fromClient }),
    ...(documentTools && { documentTools }),
    options,
    clients: Object.fromEntries(
      Object.entries(clients).map(([id, client]) => [
        id,
        { ...client, since: '', file: absolute(client.file), own: mapKeys(client.own, absolute) },
      ]),
    ) as ServerRecord['clients'],
  };
}

/** The same record gives the same bytes, wherever the project lies and whoever writes it. */
function lockText(record: RecordDocument, root: string): string {
  const short = (path: string): string =>
    isAbsolute(path) ? relative(root, path).replaceAll('\\', '/') : path;
  const servers = [...record.servers].sort((a, b) => (a.server < b.server ? -1 : 1));
  const lock = {
    lockfileVersion: 1,
    mcphooks: VERSION,
    servers: servers.map((server) => lockedServer(server, short)),
    files: sorted(mapKeys(record.files, short)),
  };
  return `${JSON.stringify(lock, null, 2)}\n`;
}

function lockedServer(server: ServerRecord, short: (path: string) => string): Record<string, unknown> {
  const { serverName, from, definition, given, fromClient, documentTools, options, clients } = server;
  const { file } = definition?.source ?? {};
  return {
    name: server.server,
    serverName,
    from: sorted(from.kind === 'file' ? { ...from, file: short(from.file) } : from),
    definition: definition && {
      shown: definition.shown,
      hash: definition.hash,
      source: sorted({ ...definition.source, ...(file !== undefined && { file: short(file) }) }),
    },
    given: sorted(given),
    fromClient,
    documentTools,
    options: sorted(chosenOptions(options)),
    declarationsHash: server.declarationsHash,
    declarations: server.declarations.map(inReadingOrder),
    clients: Object.fromEntries(
      CLIENT_IDS.flatMap((id) => {
        const client = clients[id];
        return client ? [[id, lockedClient(client, short)]] : [];
      }),
    ),
  };
}

function lockedClient(client: ClientRecord, short: (path: string) => string): Record<string, unknown> {
  const { since: _here, digest, fidelity, file, entries, own, ...rest } = client;
  return { file: short(file), digest, fidelity, ...rest, entries, own: sorted(mapKeys(own, short)) };
}

/** What may be removed when it is empty: git keeps no empty folders, so nobody's is among them. */
function foldersOf({ servers, files }: Lock): string[] {
  const own = servers.flatMap((server) =>
    Object.values(server.clients).flatMap((c) => Object.keys(c?.own ?? {})),
  );
  const made = Object.entries(files).flatMap(([file, memory]) => (memory?.created ? [file] : []));
  return [...new Set([...own, ...made].flatMap(above))];
}

/** The folders above a relative path. */
function above(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...above(folder)];
}

function mapKeys<T>(all: Readonly<Record<string, T>>, key: (name: string) => string): Record<string, T> {
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [key(name), value]));
}
