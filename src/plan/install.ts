import { readOnce } from '../base/files.ts';
import { ranges } from '../base/ranges.ts';
import type { ClientId } from '../clients/client.ts';
import { clientById } from '../clients/index.ts';
import { declarationsHash } from '../declarations/canonical-json.ts';
import { Fault, orFault } from '../messages/fault.ts';
import type { Note } from '../messages/notes.ts';
import { ownChange } from '../shims/own-files.ts';
import { withApprovals } from '../store/approvals.ts';
import { findServer, ownFilesOf, putServer } from '../store/record.ts';
import type { FileChange, ServerRecord } from '../store/types.ts';
import { renumberedOptions } from './chosen-hooks.ts';
import { lazyClientPlan, unchangedOn } from './client/client-plan.ts';
import { agreed } from './client/joint-entry.ts';
import { definitionChanged, otherDefinitions } from './definitions.ts';
import type { PlanInput } from './input.ts';
import { withoutKeptEntries } from './kept-entries.ts';
import { leftoverFiles } from './leftovers.ts';
import { fileWithNewProgram, inputAsRecorded, withLockDrift } from './lock-drift.ts';
import { writer } from './lock-version.ts';
import { fullRecordShapes } from './option-shapes.ts';
import { sameOptions } from './options.ts';
import { leavesItsName } from './own-name.ts';
import { notesOf } from './plan-notes.ts';
import { sameFileCheck } from './same-file.ts';
import { recordedScope } from './scopes/plugin-scope.ts';
import { keyIn, serversIn } from './scopes/scope.ts';
import type { ClientComparison, ClientPlan, ClientPlans, Cover, Gone, Plan } from './types.ts';
import { removalsElsewhere } from './uninstall/own-removals.ts';
import { withRecord } from './with-record.ts';

type SinceApproval = Pick<Plan, 'previous' | 'disabled' | 'changed' | 'clientToName' | 'gone' | 'renamed'>;

/** Differences between an install and the files, without what only a write needs. */
export interface Comparison extends SinceApproval, Pick<Plan, 'leftovers'> {
  clients: (ClientComparison & Pick<ClientPlan, 'covered'>)[];
}

/**
 * Compares what is to be installed with what is installed; `planInstall` on equal input finds equal differences. Not
 * for a shared scope, whose leftover files are known only after a whole plan.
 */
export function compareInstall(uncached: PlanInput): Comparison {
  const input = { ...uncached, files: readOnce(uncached.files) };
  const previous = findServer(input.reading.record, keyIn(input.scope, input.slug));
  let memories = input.reading.record.files;
  const clients = input.clients.map((id) => {
    const served = servedOn(id, previous, input);
    if (served) return served;
    const lazy = lazyClientPlan(clientById(id), input, previous?.clients[id], memories);
    memories = lazy.memories;
    return lazy.comparison;
  });
  return { clients, ...sinceApproval(input, previous, clients), leftovers: [] };
}

/** Returns how the install, apart from files, stands to the one that was approved. */
function sinceApproval(
  input: PlanInput,
  previous: ServerRecord | undefined,
  clients: readonly ClientComparison[],
): SinceApproval {
  const changed = changedSince(previous, input);
  return {
    ...(previous && { previous }),
    ...(isDisabled(input, previous) && { disabled: true }),
    changed,
    ...(changed.length > 0 && { clientToName: input.clientToName?.() }),
    gone: goneFrom(input, clients),
    ...(input.renamed && { renamed: input.renamed }),
  };
}

/** Plans the install or update of one server. */
export function planInstall(uncached: PlanInput): Plan {
  const input = { ...uncached, files: readOnce(uncached.files) };
  const { server, slug, declared, options, scope } = input;
  const { record } = input.reading;
  const key = keyIn(scope, slug);
  const previous = findServer(record, key);
  const planned = planClients(input, previous);
  const { own } = planned;
  // What a lock file remembers of files is what is restored, though other containers may be missing or new today.
  const memories = input.fromLock ? record.files : planned.memories;
  const since = sinceApproval(input, previous, planned.clients);
  const leftovers = scope.shared ? leftoverFiles(input, previous, planned.records) : [];
  const next = nextRecord(input, previous, planned.records);
  for (const change of [
    ...(since.disabled ? disabledFileChanges(planned, input) : []),
    ...leftovers.map((path) => ({ path, before: input.files.read(path), after: null, mode: 0o644 })),
    ...(scope.shared ? [] : outOfUseOf(previous, next, input)),
  ])
    own.set(change.path, change);
  const others = withoutKeptEntries(record, next, input);
  const clients =
    scope.shared && since.changed.length === 0
      ? comparedWithLock(input, previous, { ...planned, memories })
      : planned.clients;
  const {
    changes,
    emptied,
    record: after,
  } = withRecord(
    [...own.values(), ...planned.texts.values()],
    clients.every((c) => c.covered)
      ? record
      : withApprovals(
          { ...agreed(putServer(others, next, fullRecordShapes), next), ...writer(input), files: memories },
          input.approvals,
        ),
    input,
    { renew: input.fromLock !== true },
  );
  return {
    server,
    ...key,
    declarations: declared.declarations,
    clients,
    options,
    ...since,
    ...notesOf(input),
    ...(input.leftOut && { leftOut: input.leftOut }),
    leftovers,
    changes,
    emptied,
    next,
    record: after,
  };
}

/**
 * Returns the clients' plans with the drift of a shared scope (`withLockDrift`). What the server says of itself since is
 * none: for the comparison, it is planned with the recorded name and tools.
 */
function comparedWithLock(
  input: PlanInput,
  previous: ServerRecord | undefined,
  planned: ClientPlans,
): ClientPlan[] {
  const recorded = inputAsRecorded(input, previous);
  const { rewritten, records } = recorded === input ? planned : planClients(recorded, previous);
  const next = nextRecord(recorded, previous, records);
  return withLockDrift({ ...planned, rewritten }, next, previous, input);
}

/** Returns the files that keep hooks of a disabled server silent, in the scopes in which its clients have hooks. */
function disabledFileChanges(planned: ClientPlans, { clients, scope, slug, files }: PlanInput): FileChange[] {
  if (scope.shared || !planned.clients.some((c) => !c.fault && !c.covered)) return [];
  const standing = clients.map((id) => recordedScope(scope, clientById(id), slug, planned.records[id]));
  return [scope, ...standing].flatMap(({ disabledFile }) =>
    ownChange({ path: disabledFile(slug), text: '', mode: 0o600 }, files),
  );
}

/** Returns the removal of what the install before had elsewhere, and no server needs now. */
function outOfUseOf(previous: ServerRecord | undefined, next: ServerRecord, input: PlanInput): FileChange[] {
  const others = input.reading.record.servers.filter((server) => server !== previous);
  const needed = [...others, next].flatMap(({ clients }) => ownFilesOf(clients));
  return removalsElsewhere(previous, new Set(needed), input);
}

/** Plans the install on each client. A client that can't be changed, or that another install serves, changes nothing. */
function planClients(input: PlanInput, previous: ServerRecord | undefined): ClientPlans {
  const { scope, reading } = input;
  const own = new Map<string, FileChange>();
  const texts = new Map<string, FileChange>();
  let memories = { ...reading.record.files };
  const records: ServerRecord['clients'] = { ...previous?.clients };
  const rewritten = new Map<ClientId, string[]>();
  const sharedFile = sameFileCheck(serversIn(scope, reading.record), input.files);
  const clients = input.clients.map((id): ClientPlan => {
    const served = servedOn(id, previous, input);
    if (served) return served;
    const lazy = lazyClientPlan(clientById(id), input, previous?.clients[id], memories);
    const plan = (): ClientPlan => {
      const { cells, shims } = lazy.compiled();
      return { ...lazy.comparison, cells, shims, notes: lazy.notes() };
    };
    if (lazy.comparison.fault) return plan();
    const shared = sharedFile(id, lazy.comparison.file);
    if (shared) return { ...plan(), fault: shared };
    const written = orFault(lazy.write);
    if (written instanceof Fault) return { ...plan(), fault: written };
    for (const change of written.own) own.set(change.path, change);
    if (previous?.clients[id])
      rewritten.set(id, [...written.own.map(({ path }) => path), ...fileWithNewProgram(lazy.comparison)]);
    for (const change of lazy.changes) texts.set(change.path, change);
    memories = lazy.memories;
    if (written.record) records[id] = written.record;
    else delete records[id];
    return plan();
  });
  return { clients, own, texts, memories, records, rewritten };
}

/** Returns the plan of a client without an install of this plan that another install or plugin serves. */
function servedOn(
  id: ClientId,
  previous: ServerRecord | undefined,
  { overlap }: PlanInput,
): ClientPlan | undefined {
  const covered = previous?.clients[id] ? undefined : overlap?.covered[id];
  return covered && { ...unchangedOn(id), covered, cells: [], shims: [], notes: [coverNote(covered)] };
}

export const coverNote = ({ by, where, lacks, otherDeclarations, disabled }: Cover): Note => ({
  code: 'across.covered',
  args: {
    by,
    where,
    ...(lacks && { hooks: ranges(lacks), n: lacks.length }),
    ...(otherDeclarations && { otherDeclarations: 1 }),
    ...(disabled && { disabled: 1 }),
  },
});

/** Returns the server's record after the install. */
function nextRecord(
  input: PlanInput,
  previous: ServerRecord | undefined,
  clients: ServerRecord['clients'],
): ServerRecord {
  const { server, slug, declared, toolAccess, options, scope } = input;
  const disabled = isDisabled(input, previous);
  const next: ServerRecord = {
    ...previous,
    server,
    ...keyIn(scope, slug),
    tag: input.tag,
    since: previous?.since ?? input.now,
    declarations: declared.declarations,
    declarationsHash: declarationsHash(declared.declarations),
    ...(declared.serverName !== undefined && { serverName: declared.serverName }),
    from: declared.from,
    // A server that can't be reached now keeps its approved definition.
    ...('at' in toolAccess && {
      definition: { source: toolAccess.at.source, hash: toolAccess.at.hash, shown: toolAccess.shown },
    }),
    otherDefinitions: otherDefinitions(input),
    given: input.given,
    fromClient: input.fromClient,
    ...(input.documentTools.length > 0 && { documentTools: [...input.documentTools] }),
    ...(input.ownTools && { ownTools: [...input.ownTools] }),
    options,
    ...(input.defaulted && { defaulted: [...input.defaulted] }),
    clients,
    ...writer(input),
    clientsChosen: input.clientsChosen,
    ...(disabled && !scope.shared && { disabled }),
  };
  // `previous` may have them. The scripts and their digests are made without them.
  if (declared.serverName === undefined) delete next.serverName;
  if (input.documentTools.length === 0) delete next.documentTools;
  return next;
}

function isDisabled({ scope, slug, files }: PlanInput, previous: ServerRecord | undefined): boolean {
  return previous?.disabled ?? files.read(scope.disabledFile(slug)) !== null;
}

function changedSince(previous: ServerRecord | undefined, input: PlanInput): Plan['changed'] {
  if (!previous) return [];
  const changed: Plan['changed'] = [];
  const { server, declared, options } = input;
  const isOther = previous.declarationsHash !== declarationsHash(declared.declarations);
  if (isOther || leavesItsName(previous, { server, ...declared })) changed.push('declarations');
  if (definitionChanged(input.clients, input)) changed.push('definition');
  // Numbers that followed their hooks are the same choice.
  if (!sameOptions(renumberedOptions(declared.declarations, previous), options)) changed.push('options');
  return changed;
}

/** What was approved and is gone, for any of the clients. */
function goneFrom({ gone = [] }: PlanInput, clients: readonly ClientComparison[]): Gone[] {
  const definition = clients.some((client) => client.definition?.is === 'gone');
  return [...(definition ? ['definition' as const] : []), ...gone.filter((what) => what !== 'definition')];
}
