import { join } from 'node:path';
import * as z from 'zod/mini';
import { isObject } from '../base/json-value.ts';
import { sha256 } from '../base/sha256.ts';
import { isSlug } from '../base/slug.ts';
import { utf8 } from '../base/utf8.ts';
import { VERSION } from '../base/version.ts';
import { Fault } from '../messages/fault.ts';
import type { RecordShapes } from './record-schema.ts';
import type { FileChange, RecordDocument, ServerRecord } from './types.ts';

export const recordFile = (state: string): string => join(state, 'record.json');

export interface RecordReading {
  record: RecordDocument;
  /** What stands in the file, for `recordChanges`. */
  bytes: Uint8Array | null;
  /** The file was there and can't be used; `record` is empty. */
  damaged?: Fault;
  /** A record that this very version wrote, and nobody changed since. */
  untouched?: boolean;
  /** Written by this very version, which would write the same own files again. */
  ownVersion?: boolean;
  /** Of a project's lock file: the version that it says wrote it, and whether it holds what is written and nothing else. */
  version?: string;
  asWritten?: boolean;
}

/** Where installs are remembered. */
export interface RecordStore {
  /** Absolute. */
  file: string;
  /** A folder below which no link is followed to the file. */
  unlinkedIn?: string;
  /** What stands in its bytes; null: there is none. Faults as `parseRecord`. */
  parse: (bytes: Uint8Array | null) => RecordReading;
  /** The files that bring it up to date; last in a change. */
  changes: (reading: RecordReading, record: RecordDocument, now: Date) => FileChange[];
}

/** What tells the installs of one server apart. */
export type ServerKey = Pick<ServerRecord, 'slug' | 'scope' | 'root'>;

export const emptyRecord = (): RecordDocument => ({
  schema: 1,
  servers: [],
  files: {},
  starts: {},
  folders: [],
});

/**
 * The record in a file; an empty one where there is none. Values that this version doesn't know stay in it.
 * @throws Fault `record.newer` (a later schema: nothing may be written)
 */
export function parseRecord(
  bytes: Uint8Array | null,
  file: string,
  shapes: () => RecordShapes,
): RecordReading {
  if (!bytes) return { record: emptyRecord(), bytes };
  const value = parse(bytes);
  const { schema, check: _, ...known } = (value ?? {}) as Partial<RecordDocument>;
  if (Number.isSafeInteger(schema) && Number(schema) > 1)
    throw new Fault('record.newer', { schema: Number(schema) }, { file });
  const record = { ...emptyRecord(), ...known };
  // Anybody can write the check; a slug becomes part of paths.
  if (
    isUntouched(bytes) &&
    Array.isArray(record.servers) &&
    record.servers.every((s) => isSlug(String(s?.slug)))
  )
    return { record, bytes, untouched: true };
  const checked = shapes().file.safeParse(value);
  if (checked.success) return { record, bytes };
  const path = checked.error.issues[0]?.path.join('.');
  return {
    record: emptyRecord(),
    bytes,
    damaged: new Fault('record.damaged', {}, { file, ...(path && { path }) }),
  };
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse((utf8(bytes) ?? '').replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

/** The record, and as its last field a check of all before it: `isUntouched`. */
export function recordBytes(record: RecordDocument): Uint8Array {
  const body = Buffer.from(JSON.stringify(record, null, 2).slice(0, -'\n}'.length));
  return Buffer.concat([body, end(body)]);
}

/** Whether this very version wrote it, and nobody changed it since: its shape needs no look then. */
function isUntouched(bytes: Uint8Array): boolean {
  const at = Math.max(0, bytes.length - (OPEN.length + 64 + CLOSE.length));
  return end(bytes.subarray(0, at)).equals(bytes.subarray(at));
}

function end(body: Uint8Array): Buffer {
  const check = sha256(Buffer.concat([Buffer.from(`${VERSION}\n`), body]));
  return Buffer.from(OPEN + check + CLOSE);
}

const OPEN = ',\n  "check": "';
const CLOSE = '"\n}\n';

/** The copy of a damaged record that must be part of the change which replaces it. */
function keepAside(state: string, { bytes, damaged }: RecordReading, now: Date): FileChange[] {
  if (!damaged) return [];
  const path = join(state, `record.damaged-${now.toISOString().replaceAll(':', '-')}.json`);
  return [{ path, before: null, after: bytes, mode: 0o600 }];
}

/** The files that bring the record up to date: the record itself, and the copy of a damaged one. Last in a change. */
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

/** Whether both are the same server's install at the same scope. */
export const isSame = (a: ServerKey, b: ServerKey): boolean =>
  a.slug === b.slug && a.scope === b.scope && a.root === b.root;

export function findServer(record: RecordDocument, key: ServerKey): ServerRecord | undefined {
  return record.servers.find((s) => isSame(s, key));
}

/** Adds a server or replaces it in its place; what later versions wrote into the replaced one stays. */
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

export function removeServer(record: RecordDocument, key: ServerKey): RecordDocument {
  return { ...record, servers: record.servers.filter((s) => !isSame(s, key)) };
}

/** `next`, plus the fields of `old` that `schema` doesn't know, in objects that both have. */
function withUnknown(schema: z.core.$ZodType, old: unknown, next: unknown): unknown {
  if (schema instanceof z.ZodMiniOptional) return withUnknown(schema.def.innerType, old, next);
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
