import { join } from 'node:path';
import * as z from 'zod/mini';
import { isObject, jsonOrUndefined } from '../base/json-value.ts';
import { sha256 } from '../base/sha256.ts';
import { isSlug } from '../base/slug.ts';
import { utf8 } from '../base/utf8.ts';
import { VERSION } from '../base/version.ts';
import { canonicalJson } from '../declarations/canonical-json.ts';
import { type Path, pathText } from '../declarations/path.ts';
import type { WantedEntry } from '../edit/types.ts';
import { Fault } from '../messages/fault.ts';
import type { RecordShapes } from './record-schema.ts';
import type { Today } from './respelled.ts';
import type { ApprovedDefinition, ClientRecord, FileChange, RecordDocument, ServerRecord } from './types.ts';

export const recordFile = (state: string): string => join(state, 'record.json');

export interface RecordReading {
  record: RecordDocument;
  /** Bytes of the file, for `recordChanges`. */
  bytes: Uint8Array | null;
  /** Set when the file exists and can't be used; `record` is then empty. */
  damaged?: Fault;
  /** True when this very version wrote the record, and nobody has changed the file since. */
  untouched?: boolean;
  /** Only for a project's lock file: true when the file holds exactly the values that mcphooks writes. */
  asWritten?: boolean;
}

/** Where installs are recorded: the record file of this machine, or a project's lock file. */
export interface RecordStore {
  /** Absolute path. */
  file: string;
  /** Folder below which the path to the file may contain no link. */
  unlinkedIn?: string;
  /** The folders whose names today replace other names of them in the record. */
  today?: Today;
  /** Parses the bytes of the file; null: there is no file. Faults as `parseRecord`. */
  parse: (bytes: Uint8Array | null) => RecordReading;
  /** Returns the file changes that save a record; they come last in a transaction. */
  changes: (reading: RecordReading, record: RecordDocument, now: Date) => FileChange[];
}

/** Key of an install: a server in a scope, and the scope's project. */
export type ServerKey = Pick<ServerRecord, 'slug' | 'scope' | 'root'>;

type ScopeKey = Omit<ServerKey, 'slug'>;

/** What was written into the files of a client. */
export type WrittenEntries = Pick<ClientRecord, 'entries' | 'edited'>;

/** Returns our entries as last written, also those that stay in a file only because the user edited them. */
export function writtenEntries(record: WrittenEntries | undefined, file: string): WantedEntry[] {
  const edited = record?.edited?.filter((entry) => entry.file === undefined || entry.file === file) ?? [];
  return [...(record?.entries ?? []), ...edited];
}

/** Returns the files of a client with entries, as last written: the one that the record names, and its others. */
export const filesOfRecord = (record: ClientRecord | undefined): Pick<ClientRecord, 'file' | 'entries'>[] =>
  record ? [record, ...(record.otherFiles ?? [])] : [];

/** Returns what was last written into one file of a client. */
export const writtenToFile = (file: string, record: ClientRecord | undefined): WrittenEntries | undefined =>
  record && {
    entries: filesOfRecord(record).find((one) => one.file === file)?.entries ?? [],
    ...(record.edited && { edited: record.edited }),
  };

/** Returns a client's record with the file that is among these of its folder today, if any, and its entries. */
export const recordAmong = (record: ClientRecord, files: readonly string[]): ClientRecord => {
  const here = filesOfRecord(record).find(({ file }) => files.includes(file));
  return here ? { ...record, file: here.file, entries: here.entries } : record;
};

/** The definitions of a server that were approved, the one by which it was asked first. */
export function approvedDefinitions(
  server: Pick<ServerRecord, 'definition' | 'otherDefinitions'> | undefined,
): ApprovedDefinition[] {
  return [...(server?.definition ? [server.definition] : []), ...(server?.otherDefinitions ?? [])];
}

/** Returns the paths of own files that records of clients list. */
export const ownFilesOf = (clients: ServerRecord['clients'] = {}): string[] =>
  Object.values(clients).flatMap(({ own }) => Object.keys(own));

export const emptyRecord = (): RecordDocument => ({
  schema: 1,
  servers: [],
  files: {},
  starts: {},
  folders: [],
});

/**
 * Parses a record file; the record is empty when there is no file. Fields that this version doesn't know are kept.
 * Faults: `record.newer` (a later schema: nothing may be written).
 * @internal Its type names zod, which users of the library need not have.
 */
export function parseRecord(
  bytes: Uint8Array | null,
  file: string,
  shapes: () => RecordShapes,
): RecordReading {
  if (!bytes) return { record: emptyRecord(), bytes };
  const value = jsonOrUndefined((utf8(bytes) ?? '').replace(/^\uFEFF/, ''));
  const { schema, check: _, ...known } = (value ?? {}) as Partial<RecordDocument>;
  if (Number.isSafeInteger(schema) && Number(schema) > 1)
    throw new Fault('record.newer', { schema: Number(schema) }, { file });
  const record = { ...emptyRecord(), ...known };
  // Slugs are checked all the same: anybody can compute the check, and a slug becomes part of paths.
  if (
    isUntouched(bytes) &&
    Array.isArray(record.servers) &&
    record.servers.every((s) => isSlug(String(s?.slug)))
  )
    return { record, bytes, untouched: true };
  const checked = shapes().file.safeParse(value);
  if (checked.success) return { record, bytes };
  const path = pathText((checked.error.issues[0]?.path ?? []) as Path);
  return {
    record: emptyRecord(),
    bytes,
    damaged: new Fault('record.damaged', {}, { file, ...(path && { path }) }),
  };
}

/** Serializes the record, with a check of all bytes before as its last field (`isUntouched`). */
function recordBytes(record: RecordDocument): Uint8Array {
  const body = Buffer.from(JSON.stringify(record, null, 2).slice(0, -'\n}'.length));
  return Buffer.concat([body, checkOf(body)]);
}

/** True when this very version wrote the file and nobody has changed it since: the schema then needn't be checked. */
function isUntouched(bytes: Uint8Array): boolean {
  const at = Math.max(0, bytes.length - (OPEN.length + 64 + CLOSE.length));
  return checkOf(bytes.subarray(0, at)).equals(bytes.subarray(at));
}

/** Returns the last bytes of a record file: its field `check`, over all bytes before and this version of mcphooks. */
function checkOf(body: Uint8Array): Buffer {
  const check = sha256(Buffer.concat([Buffer.from(`${VERSION}\n`), body]));
  return Buffer.from(OPEN + check + CLOSE);
}

const OPEN = ',\n  "check": "';
const CLOSE = '"\n}\n';

/** Returns the copy of a damaged record, which must be part of the change that replaces the record. */
function keepAside(state: string, { bytes, damaged }: RecordReading, now: Date): FileChange[] {
  if (!damaged) return [];
  const path = join(state, `record.damaged-${now.toISOString().replaceAll(':', '-')}.json`);
  return [{ path, before: null, after: bytes, mode: 0o600 }];
}

/**
 * Returns the changes that save a record: the record file, and the copy of a damaged record. They come last in a
 * transaction.
 */
export function recordChanges(
  state: string,
  reading: RecordReading,
  record: RecordDocument,
  now = new Date(),
): FileChange[] {
  return [
    ...keepAside(state, reading, now),
    { path: recordFile(state), before: reading.bytes, after: recordBytes(record), mode: 0o600 },
  ];
}

/** True when both installs are at one scope: the user's, or that of one project. */
export const areAtOneScope = (a: ScopeKey, b: ScopeKey): boolean => a.scope === b.scope && a.root === b.root;

/** True when both keys mean one server's install at one scope. */
export const isSameServer = (a: ServerKey, b: ServerKey): boolean => a.slug === b.slug && areAtOneScope(a, b);

/** Returns a server's install at one scope, if it is recorded. */
export function findServer(record: RecordDocument, key: ServerKey): ServerRecord | undefined {
  return record.servers.find((s) => isSameServer(s, key));
}

/**
 * Adds a server's record, or replaces it in its place; fields of later versions in the replaced record are kept.
 * @internal As `parseRecord`.
 */
export function putServer(
  record: RecordDocument,
  server: ServerRecord,
  shapes: () => RecordShapes,
): RecordDocument {
  const old = findServer(record, server);
  if (!old) return { ...record, servers: [...record.servers, server] };
  const merged = withUnknown(shapes().server, old, server) as ServerRecord;
  return { ...record, servers: record.servers.map((s) => (s === old ? merged : s)) };
}

/** Returns the record without a server's install at one scope; memories of files stay. */
export function removeServer(record: RecordDocument, key: ServerKey): RecordDocument {
  return { ...record, servers: record.servers.filter((s) => !isSameServer(s, key)) };
}

/**
 * Returns `next` with the fields of `old` that `schema` doesn't know, in objects that both contain. An item of a
 * list keeps these fields while its known fields stay equal.
 */
function withUnknown(schema: z.core.$ZodType, old: unknown, next: unknown): unknown {
  if (schema instanceof z.ZodMiniOptional) return withUnknown(schema.def.innerType, old, next);
  if (schema instanceof z.ZodMiniArray && Array.isArray(old) && Array.isArray(next))
    return next.map((item) => withUnknownOfItem(schema.def.element, old, item));
  const holds = schema instanceof z.ZodMiniObject || schema instanceof z.ZodMiniRecord;
  if (!holds || !isObject(old) || !isObject(next)) return next;
  const known = (key: string): z.core.$ZodType | undefined => {
    if (schema instanceof z.ZodMiniRecord) return schema.def.valueType;
    return schema instanceof z.ZodMiniObject && Object.hasOwn(schema.shape, key)
      ? schema.shape[key]
      : undefined;
  };
  const unknown = Object.entries(old).filter(([key]) => !known(key));
  const merged = Object.entries(next).map(([key, value]) => {
    const part = known(key);
    return [key, part && Object.hasOwn(old, key) ? withUnknown(part, old[key], value) : value];
  });
  return Object.fromEntries([...unknown, ...merged]);
}

function withUnknownOfItem(schema: z.core.$ZodType, old: readonly unknown[], next: unknown): unknown {
  if (!(schema instanceof z.ZodMiniObject) || !isObject(next)) return next;
  const known = Object.keys(schema.shape);
  // Where the schema doesn't name all fields of an item, a field that the new item leaves out would stay.
  if (Object.keys(next).some((key) => !known.includes(key))) return next;
  const text = (item: Readonly<Record<string, unknown>>): string =>
    canonicalJson(known.map((key) => item[key] ?? null));
  const same = old.find((item) => isObject(item) && text(item) === text(next));
  const unknown = Object.entries(same ?? {}).filter(([key]) => !known.includes(key));
  return { ...Object.fromEntries(unknown), ...next };
}
