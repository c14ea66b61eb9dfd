import { join } from 'node:path';
import { filesBelow } from '../base/files.ts';
import { canonicalJson } from '../declarations/canonical-json.ts';
import { serverFolder } from '../shims/own-files.ts';
import type { RecordDocument, ServerRecord } from '../store/types.ts';
import { lostClients } from './client/shims-in.ts';
import type { PlanInput } from './input.ts';
import { otherVersion } from './lock-version.ts';
import { serversIn } from './scopes/scope.ts';
import type { ClientComparison, ClientPlan, ClientPlans } from './types.ts';
import { scriptsOfOthers, spareRuntime } from './uninstall/own-removals.ts';

/**
 * Returns the clients' plans with further drift of a shared scope, in which nothing changed that needs an approval. A
 * person who edits an own file of the project can also edit its hash in the lock file. Comparing the file with what this
 * version would write finds both edits.
 */
export function withAlterations(
  { clients, memories, rewritten }: Pick<ClientPlans, 'clients' | 'memories' | 'rewritten'>,
  next: ServerRecord,
  previous: ServerRecord | undefined,
  { scope, reading }: PlanInput,
): ClientPlan[] {
  if (otherVersion(reading.record, previous) !== undefined) return clients;
  // Clients that join alter nothing.
  const joining = clients.filter((c) => !previous?.clients[c.client]);
  const joined = joining.map((c) => c.client);
  // What would be remembered of a file follows from the containers it has now, and somebody changed these.
  const changing = clients.flatMap(filesOf).filter(({ before, after }) => before !== after);
  const files = [...joining.flatMap(filesOf), ...changing].map(({ file }) => file);
  const recorded = (server: ServerRecord, of: RecordDocument['files']): string =>
    canonicalJson([
      { ...server, ...leftAside(server), clients: without(server.clients, joined) },
      without(of, files),
    ]);
  const altered =
    previous && recorded(previous, reading.record.files) !== recorded(next, memories)
      ? [scope.store.file]
      : [];
  return clients.map((c) => ({
    ...c,
    drift: [...new Set([...c.drift, ...(rewritten.get(c.client) ?? []), ...altered])],
  }));
}

/**
 * Returns the input with the server's name and tools as they are recorded; the same input where the server still says
 * them. A recorded tool that the server doesn't list isn't taken: it may be another server's, whose data a hook would
 * send.
 */
export function asServerWas(input: PlanInput, previous: ServerRecord | undefined): PlanInput {
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

/** Fields that may differ though nobody altered the lock file: where the same hooks are declared, and what was chosen. */
const leftAside = ({ from }: ServerRecord): object => ({
  from: 'hash' in from ? from.hash : undefined,
  fromClient: undefined,
  clientsChosen: undefined,
});

const filesOf = (client: ClientPlan): Pick<ClientPlan, 'file' | 'before' | 'after'>[] => [
  client,
  ...(client.beside ?? []),
];

const without = (all: object, keys: readonly unknown[]): object =>
  Object.fromEntries(Object.entries(all).filter(([key]) => !keys.includes(key)));

/** Returns the file of which only mcphooks' own program changes. */
export function renewed({ file, before, after, entryChanges }: ClientComparison): string[] {
  const same = before === after || entryChanges.some(({ kind }) => kind !== 'unchanged');
  return same || file === undefined ? [] : [file];
}

/**
 * Returns files of the server that no client's record lists. A project's folder is shared and holds exactly what its lock
 * file lists, so an install removes all others, except those of clients that the lock file has lost, perhaps in a merge,
 * while their entries are there. With the last server, files for all servers go, too, but only those that the lock file
 * listed, and with any write the programs that no server needs (`spareRuntime`).
 */
export function unwanted(
  input: PlanInput,
  previous: ServerRecord | undefined,
  clients: ServerRecord['clients'],
): string[] {
  const { scope, slug, files, reading } = input;
  const listed = (records: readonly ServerRecord['clients'][]): string[] =>
    records.flatMap((of) => Object.values(of).flatMap((client) => Object.keys(client.own)));
  const folder = serverFolder(scope.paths, slug);
  const others = serversIn(scope, reading.record).filter((server) => server.slug !== slug);
  const wanted = new Set(listed([clients, ...others.map((server) => server.clients)]));
  const before = listed(previous ? [previous.clients] : []);
  const lost = lostClients(slug, [previous?.clients, clients], scope, files);
  const othersScripts = scriptsOfOthers(slug, scope, files, (id) => !lost.some((client) => client === id));
  const below = filesBelow(folder, files).filter((path) => !othersScripts.includes(path));
  const { data } = scope.paths;
  // Scripts that the lock file has lost need them, too.
  const scripts = ['hooks', 'joint'].flatMap((name) => filesBelow(join(data, name), files));
  const isLast = wanted.size === 0 && scripts.every((path) => [...below, ...before].includes(path));
  const forAll = isLast ? before.filter((path) => files.read(path) !== null) : [];
  const spare = spareRuntime(wanted, [...below, ...before], input);
  return [...new Set([...below, ...forAll, ...spare])].filter((path) => !wanted.has(path));
}
