import { canonicalJson } from '../declarations/canonical-json.ts';
import type { RecordDocument, ServerRecord } from '../store/types.ts';
import type { PlanInput } from './input.ts';
import { otherVersion } from './lock-version.ts';
import type { ClientComparison, ClientPlan, ClientPlans } from './types.ts';

/**
 * Returns the clients' plans with the drift of a shared scope: own files and the lock file where they differ from what
 * this version writes. Hashes in the lock file don't show that, since whoever edits an own file can edit its hash, too.
 * Called only when nothing changed that needs an approval. `next`: the server's record after the install.
 */
export function withLockDrift(
  { clients, memories, rewritten }: Pick<ClientPlans, 'clients' | 'memories' | 'rewritten'>,
  next: ServerRecord,
  previous: ServerRecord | undefined,
  { scope, reading }: PlanInput,
): ClientPlan[] {
  if (otherVersion(reading.record, previous) !== undefined) return clients;
  // A client without an install so far is no difference.
  const joining = clients.filter((c) => !previous?.clients[c.client]);
  const joined = joining.map((c) => c.client);
  // `FileMemory` is made from the file as it is now. Where the install changes a file, somebody has edited it, and its
  // memory may differ although nobody edited the lock file.
  const changing = clients.flatMap(filesOf).filter(({ before, after }) => before !== after);
  const files = [...joining.flatMap(filesOf), ...changing].map(({ file }) => file);
  const comparable = (server: ServerRecord, of: RecordDocument['files']): string =>
    canonicalJson([
      { ...server, ...uncomparedFields(server), clients: without(server.clients, joined) },
      without(of, files),
    ]);
  const altered =
    previous && comparable(previous, reading.record.files) !== comparable(next, memories)
      ? [scope.store.file]
      : [];
  return clients.map((c) => ({
    ...c,
    drift: [...new Set([...c.drift, ...(rewritten.get(c.client) ?? []), ...altered])],
  }));
}

/**
 * Returns the input with the server's name and tools as they are recorded; the same input where they haven't changed. When
 * the server lacks a recorded tool, the listed tools stay: the recorded one may be another server's, whose data a hook
 * would send.
 */
export function inputAsRecorded(input: PlanInput, previous: ServerRecord | undefined): PlanInput {
  if (!previous) return input;
  const { serverName, documentTools = [] } = previous;
  const { ownTools: listed, declared, ...rest } = input;
  const listsAll = (previous.ownTools ?? []).every((tool) => listed?.includes(tool));
  const ownTools = listsAll ? previous.ownTools : listed;
  const said = [declared.serverName, listed, input.documentTools];
  if (canonicalJson(said) === canonicalJson([serverName, ownTools, documentTools])) return input;
  const { serverName: _, ...hooks } = declared;
  return {
    ...rest,
    declared: { ...hooks, ...(serverName !== undefined && { serverName }) },
    ...(ownTools && { ownTools }),
    documentTools,
  };
}

/** Fields that may differ though nobody edited the lock file: where the same hooks are declared, and what was chosen. */
const uncomparedFields = ({ from }: ServerRecord): object => ({
  from: 'hash' in from ? from.hash : undefined,
  fromClient: undefined,
  clientsChosen: undefined,
});

const filesOf = (client: ClientPlan): Pick<ClientPlan, 'file' | 'before' | 'after'>[] => [
  client,
  ...client.beside,
];

const without = (all: object, keys: readonly unknown[]): object =>
  Object.fromEntries(Object.entries(all).filter(([key]) => !keys.includes(key)));

/** Returns the client's file when its program changes and no entry does (OpenCode). */
export function fileWithNewProgram({ file, before, after, entryChanges }: ClientComparison): string[] {
  const same = before === after || entryChanges.some(({ kind }) => kind !== 'unchanged');
  return same || file === undefined ? [] : [file];
}
