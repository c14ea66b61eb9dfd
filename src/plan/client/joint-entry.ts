import { mapValues } from '../../base/json-value.ts';
import { remembering } from '../../base/once.ts';
import type { ClientId } from '../../clients/client.ts';
import { isClient } from '../../clients/index.ts';
import { signatureOf } from '../../edit/decide.ts';
import { shimOf } from '../../shims/entry-owner.ts';
import { areAtOneScope } from '../../store/record.ts';
import type { ClientRecord, RecordDocument, ServerRecord } from '../../store/types.ts';
import { type Scope, serversIn } from '../scopes/scope.ts';

type RecordedEntry = ClientRecord['entries'][number];

/** True for an entry that serves all servers of its scope. */
export function isJoint({ group }: Pick<RecordedEntry, 'group'>): boolean {
  const [handler] = group.hooks;
  return handler !== undefined && shimOf(signatureOf(handler) ?? '')?.joint === true;
}

/** A server's install on a client, beside which others are looked for. */
interface InstallHere {
  scope: Scope;
  slug: string;
  client: keyof ServerRecord['clients'];
}

/** Returns the other servers' records of a client. */
const otherRecords = (record: RecordDocument, { scope, slug, client }: InstallHere): ClientRecord[] =>
  serversIn(scope, record).flatMap((server) => (server.slug === slug ? [] : (server.clients[client] ?? [])));

/** Returns the other servers' records of a client that list entries which serve all servers. */
export const jointRecords = (record: RecordDocument, install: InstallHere): ClientRecord[] =>
  otherRecords(record, install).filter(({ entries }) => entries.some(isJoint));

/** Returns the native events of which other servers have entries on a client. */
export const eventsOfOthers = (record: RecordDocument, install: InstallHere): string[] =>
  otherRecords(record, install).flatMap(({ entries }) => entries.map(({ event }) => event));

/** Returns the entries in a client's file that serve all servers and that other servers need, as written. */
export function neededByOthers(
  record: RecordDocument,
  { file, ...install }: InstallHere & { file: string },
): RecordedEntry[] {
  const here = jointRecords(record, install).filter((one) => one.file === file);
  const joint = here.flatMap(({ entries }) => entries.filter(isJoint));
  return [...new Map(joint.map((entry) => [entry.key, entry])).values()];
}

/**
 * Returns the record with equal values for what several servers share: what one install wrote counts as written by all
 * of them. A server with these values already stays the same object, so that nothing compares it again.
 */
export function agreed(record: RecordDocument, next: ServerRecord): RecordDocument {
  // Records of clients that this version doesn't know are as they were.
  const written = Object.entries(next.clients).flatMap(([id, { own }]) => (isClient(id) ? [own] : []));
  // Of a path in several, the first counts.
  const hashes = new Map(written.reverse().flatMap((own) => Object.entries(own)));
  const joint = remembering((id: ClientId) => next.clients[id]?.entries.filter(isJoint) ?? []);
  const servers = record.servers.map((server) => {
    if (!areAtOneScope(server, next) || server.slug === next.slug) return server;
    const clients = mapValues(server.clients, (one, id) => agreedClient(one, joint(id), hashes));
    return Object.entries(clients).every(([id, one]) => one === server.clients[id as ClientId])
      ? server
      : { ...server, clients };
  });
  return { ...record, servers };
}

/** Returns the client's record with these joint entries and hashes of own files, where it has others. */
function agreedClient(
  one: ClientRecord,
  joint: readonly RecordedEntry[],
  hashes: ReadonlyMap<string, string>,
): ClientRecord {
  const agreedEntry = (entry: RecordedEntry): RecordedEntry => {
    const written = joint.find(({ event, key }) => event === entry.event && key === entry.key);
    // The order of keys counts, too: a lock file keeps it.
    const isOther = written && isJoint(entry) && JSON.stringify(written) !== JSON.stringify(entry);
    return isOther ? written : entry;
  };
  const entries = joint.length > 0 ? one.entries.map(agreedEntry) : one.entries;
  const differs = Object.entries(one.own).some(([path, hash]) => (hashes.get(path) ?? hash) !== hash);
  if (!differs && entries.every((entry, i) => entry === one.entries[i])) return one;
  return { ...one, entries, own: mapValues(one.own, (hash, path) => hashes.get(path) ?? hash) };
}
