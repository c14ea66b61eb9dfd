import type { Comparison } from './install.ts';
import type { Plan } from './types.ts';

/**
 * How an install on one client differs from the plan. `missing`: an entry or an own file is gone, or the client rejects
 * its hook file; `edited`: somebody altered an entry or an own file; `changed`: the declarations, the server's
 * definition or the inputs of the entries differ from what was approved, or hooks would match tools of added servers.
 */
type Difference = 'missing' | 'edited' | 'changed';

/** Returns the difference that `diff`, `list`, `doctor` and `install` all report; undefined when there is none. */
export function differenceOn(
  client: Comparison['clients'][number],
  comparison: Comparison,
): Difference | undefined {
  const { previous, changed, gone, leftovers } = comparison;
  // A definition that differs concerns the client whose hooks use it.
  const other = [...changed, ...gone].some((what) => what !== 'definition');
  if (client.covered) return undefined;
  const installed = previous?.clients[client.client];
  const wasThere = (event: string, key: string): boolean =>
    installed?.entries.some((e) => e.event === event && e.key === key) ?? false;
  const { drift, missing, fault } = client;
  const entryChanges = changesOn(client);
  const lost = entryChanges.some((e) => e.kind === 'added' && wasThere(e.event, e.key));
  if (fault || missing.length > 0 || lost) return 'missing';
  if (drift.length > 0 || entryChanges.some((e) => e.kind === 'kept-edited')) return 'edited';
  const differs =
    other ||
    client.definition !== undefined ||
    client.matchesMore === true ||
    leftovers.length > 0 ||
    (!installed && client.entries.length > 0) ||
    entryChanges.some((e) => e.kind !== 'unchanged') ||
    client.movedOut.some((place) => place.before !== place.after);
  return differs ? 'changed' : undefined;
}

const changesOn = (client: Comparison['clients'][number]) =>
  [client, ...client.beside].flatMap((place) => place.entryChanges);

/**
 * True when anything approved, or any entry in a client's file, has changed or drifted. Own files that a newer mcphooks
 * would write differently don't count: they need no approval.
 */
export function differs(comparison: Comparison): boolean {
  const { previous, changed, gone, leftovers, clients } = comparison;
  if (!previous) return clients.some((client) => !client.covered);
  const some = clients.some((client) => differenceOn(client, comparison) !== undefined);
  return some || changed.length > 0 || gone.length > 0 || leftovers.length > 0;
}

/** True when entries that were edited by hand stay so. */
export const keepsEdits = ({ clients }: Pick<Comparison, 'clients'>): boolean =>
  clients.some((client) => changesOn(client).some((e) => e.kind === 'kept-edited' || e.stays));

/** Returns the comparison without entries that were edited by hand and stay so, which no install changes. */
export const withoutEdits = (comparison: Comparison): Comparison => ({
  ...comparison,
  clients: comparison.clients.map((client) => ({
    ...client,
    entryChanges: uneditedOf(client),
    beside: client.beside.map((place) => ({ ...place, entryChanges: uneditedOf(place) })),
  })),
});

const uneditedOf = ({ entryChanges }: Pick<Comparison['clients'][number], 'entryChanges'>) =>
  entryChanges.filter((e) => e.kind !== 'kept-edited');

/** Returns a client's file that a plan changes and that the shown plan leaves alone. */
export function unshownFile(plan: Pick<Plan, 'clients'>, shown: Pick<Plan, 'clients'>): string | undefined {
  const seen = editedFiles(shown);
  return editedFiles(plan).find((file) => !seen.includes(file));
}

/** Returns the clients' files that a plan changes. */
const editedFiles = ({ clients }: Pick<Plan, 'clients'>): string[] =>
  clients
    .flatMap((client) => [client, ...client.beside, ...client.movedOut])
    .flatMap(({ file, before, after }) => (file !== undefined && before !== after ? [file] : []));

/**
 * True when a project's lock file contradicts itself, as after a bad merge: what it holds would be made into other files
 * than those that it lists. `--frozen` then fails.
 */
export const hasAlteredLock = ({ clients }: Pick<Comparison, 'clients'>, lock: string): boolean =>
  clients.some(({ drift }) => drift.includes(lock));

/** Returns the plan without approved parts that are gone, which no install restores. */
export const withoutGone = (plan: Plan): Plan => ({
  ...plan,
  gone: [],
  clients: plan.clients.map(({ definition, ...client }) => ({
    ...client,
    ...(definition?.is === 'changed' && { definition }),
  })),
});

/** True when a project's lock file alone is to be written, which `--frozen` doesn't do: it was edited, or entries moved. */
export const changesLockAlone = ({ clients, leftovers }: Comparison, lock: string): boolean =>
  leftovers.length === 0 &&
  clients.every(
    (client) =>
      client.drift.includes(lock) &&
      client.drift.every((path) => path === lock || path === client.file) &&
      changesOn(client).every((e) => e.kind === 'unchanged'),
  );
