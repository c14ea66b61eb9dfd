import { join } from 'node:path';
import { filesBelow, readOnce } from '../base/files.ts';
import { VERSION } from '../base/version.ts';
import type { ClientId } from '../clients/client.ts';
import { clientById } from '../clients/index.ts';
import { canonicalJson, declarationsHash } from '../declarations/canonical-json.ts';
import { Fault, orFault } from '../messages/fault.ts';
import type { Note } from '../messages/notes.ts';
import { isForOneProject } from '../servers/source.ts';
import { ownChange, serverFolder } from '../shims/own-files.ts';
import { withApprovals } from '../store/approvals.ts';
import { findServer, putServer } from '../store/record.ts';
import type { FileChange, RecordDocument, ServerRecord } from '../store/types.ts';
import { planClient, unchangedOn } from './client.ts';
import { definitionChanged, otherDefinitions } from './definitions.ts';
import type { PlanInput } from './input.ts';
import { agreed } from './joint.ts';
import { fullRecordShapes } from './option-shapes.ts';
import { chosenOptions } from './options.ts';
import { leftElsewhere } from './own-removals.ts';
import { sameFileCheck } from './same-file.ts';
import { recordedScope } from './scopes/plugin-scope.ts';
import { keyIn, serversIn } from './scopes/scope.ts';
import type { ClientComparison, ClientPlan, Gone, Plan } from './types.ts';
import { withRecord } from './with-record.ts';

/** Differences between an install and the files, without what only a write needs. */
export interface Comparison
  extends Pick<Plan, 'previous' | 'disabled' | 'changed' | 'mustName' | 'gone' | 'renamed' | 'leftovers'> {
  clients: (ClientComparison & Pick<ClientPlan, 'covered'>)[];
}

/**
 * Compares what is to be installed with what is installed; `planInstall` on equal input finds equal differences. Not
 * for a shared scope, whose leftover files are known only after a whole plan.
 */
export function compareInstall(asked: PlanInput): Comparison {
  const input = { ...asked, files: readOnce(asked.files) };
  const previous = findServer(input.reading.record, keyIn(input.scope, input.slug));
  let memories = input.reading.record.files;
  const clients = input.clients.map((id) => {
    const planned = planClient(clientById(id), input, previous?.clients[id], memories);
    memories = planned.memories;
    return planned.comparison;
  });
  const changed = changedSince(previous, approvalOf(input, previous), input);
  return {
    clients,
    ...(previous && { previous }),
    ...(isDisabled(input, previous) && { disabled: true }),
    changed,
    ...(changed.length > 0 && { mustName: input.mustName?.() }),
    gone: goneFrom(input, clients),
    ...(input.renamed && { renamed: input.renamed }),
    leftovers: [],
  };
}

/** Plans the install or update of one server. */
export function planInstall(asked: PlanInput): Plan {
  const input = { ...asked, files: readOnce(asked.files) };
  const { server, slug, declared, options, scope } = input;
  const { record } = input.reading;
  const key = keyIn(scope, slug);
  const previous = findServer(record, key);
  const own = new Map<string, FileChange>();
  const texts = new Map<string, FileChange>();
  let memories = { ...record.files };
  const clientRecords: ServerRecord['clients'] = { ...previous?.clients };
  const rewritten = new Map<ClientId, string[]>();
  const sharedFile = sameFileCheck(serversIn(scope, record), input.files);
  const planned = input.clients.map((id): ClientPlan => {
    const cover = previous?.clients[id] ? undefined : input.overlap?.covered[id];
    if (cover) {
      const note: Note = { code: 'across.covered', args: { ...cover } };
      return { ...unchangedOn(id), covered: cover, cells: [], shims: [], notes: [note] };
    }
    const one = planClient(clientById(id), input, previous?.clients[id], memories);
    const plan = (): ClientPlan => {
      const { cells, shims } = one.compiled();
      return { ...one.comparison, cells, shims, notes: one.notes() };
    };
    if (one.comparison.fault) return plan();
    const shared = sharedFile(id, one.comparison.file);
    if (shared) return { ...plan(), fault: shared };
    const written = orFault(one.write);
    if (written instanceof Fault) return { ...plan(), fault: written };
    for (const change of written.own) own.set(change.path, change);
    if (previous?.clients[id])
      rewritten.set(id, [...written.own.map(({ path }) => path), ...renewed(one.comparison)]);
    for (const change of one.changes) texts.set(change.path, change);
    memories = one.memories;
    if (written.record) clientRecords[id] = written.record;
    else delete clientRecords[id];
    return plan();
  });

  // What a lock file remembers of files is what is restored, though other containers may be missing or new today.
  if (scope.shared && input.evenEdited) memories = record.files;
  const disabled = isDisabled(input, previous);
  const standing = input.clients.map((id) => recordedScope(scope, clientById(id), slug, clientRecords[id]));
  if (disabled && !scope.shared && planned.some((c) => !c.fault && !c.covered))
    for (const { marker } of [scope, ...standing])
      for (const change of ownChange({ path: marker(slug), text: '', mode: 0o600 }, input.files))
        own.set(change.path, change);
  const leftovers = scope.shared ? unwanted(input, previous, clientRecords) : [];
  for (const path of leftovers)
    own.set(path, { path, before: input.files.read(path), after: null, mode: 0o644 });
  const approval = approvalOf(input, previous);
  const next: ServerRecord = {
    ...previous,
    server,
    ...key,
    tag: input.tag,
    since: previous?.since ?? input.now,
    declarations: declared.declarations,
    declarationsHash: approval.declarationsHash,
    ...(declared.serverName !== undefined && { serverName: declared.serverName }),
    from: declared.from,
    ...(approval.definition && { definition: approval.definition }),
    otherDefinitions: otherDefinitions(input),
    given: input.given,
    fromClient: input.fromClient,
    ...(input.documentTools.length > 0 && { documentTools: [...input.documentTools] }),
    ...(input.ownTools && { ownTools: [...input.ownTools] }),
    options,
    ...(input.defaulted && { defaulted: [...input.defaulted] }),
    clients: clientRecords,
    ...(disabled && !scope.shared && { disabled }),
  };
  if (!scope.shared) {
    const all = [...record.servers.filter((server) => server !== previous), next];
    const needed = all.flatMap((server) => Object.values(server.clients).flatMap((c) => Object.keys(c.own)));
    for (const change of leftElsewhere(previous, new Set(needed), input)) own.set(change.path, change);
  }
  const changed = changedSince(previous, approval, input);
  // A person who edits an own file of the project can also edit its hash in the lock file. Comparing the file with what
  // this version would write finds both edits.
  const exact = scope.shared && input.reading.version === VERSION && changed.length === 0;
  // Clients that join alter nothing; one may be the first to need the server's list of tools.
  const joining = planned.filter((c) => !previous?.clients[c.client]);
  const joined = [...joining.map((c) => c.client), joining.length > 0 && 'ownTools'];
  const files = joining.flatMap((c) => [c, ...(c.beside ?? [])]).map(({ file }) => file);
  const recorded = (server: ServerRecord | undefined, of: RecordDocument['files']): string =>
    canonicalJson([
      without({ ...server, clients: without(server?.clients ?? {}, joined) }, joined),
      without(of, files),
    ]);
  const altered =
    exact && previous && recorded(previous, record.files) !== recorded(next, memories)
      ? [scope.store.file]
      : [];
  const clients = exact
    ? planned.map((c) => ({
        ...c,
        drift: [...new Set([...c.drift, ...(rewritten.get(c.client) ?? []), ...altered])],
      }))
    : planned;
  const {
    changes,
    emptied,
    record: after,
  } = withRecord(
    [...own.values(), ...texts.values()],
    planned.every((c) => c.covered)
      ? record
      : withApprovals(
          { ...agreed(putServer(record, next, fullRecordShapes), next), files: memories },
          input.approvals,
        ),
    input,
    // `--frozen` writes no lock file.
    { renew: input.evenEdited !== true },
  );
  return {
    server,
    ...key,
    declarations: declared.declarations,
    clients,
    options,
    ...(previous && { previous }),
    ...(disabled && { disabled }),
    ...notesOf(input),
    ...(input.leftOut && { leftOut: input.leftOut }),
    changed,
    ...(changed.length > 0 && { mustName: input.mustName?.() }),
    gone: goneFrom(input, planned),
    ...(input.renamed && { renamed: input.renamed }),
    leftovers,
    changes,
    emptied,
    next,
    record: after,
  };
}

const without = (all: object, keys: readonly unknown[]): object =>
  Object.fromEntries(Object.entries(all).filter(([key]) => !keys.includes(key)));

/** Returns the file of which only mcphooks' own program changes. */
function renewed({ file, before, after, entryChanges }: ClientComparison): string[] {
  const same = before === after || entryChanges.some(({ kind }) => kind !== 'unchanged');
  return same || file === undefined ? [] : [file];
}

/**
 * Returns files of the server that no client's record lists. A project's folder is shared and holds exactly what its lock
 * file lists, so an install removes all others. With the last server, files for all servers go, too, but only those that
 * the lock file listed.
 */
function unwanted(
  { scope, slug, files, reading }: PlanInput,
  previous: ServerRecord | undefined,
  clients: ServerRecord['clients'],
): string[] {
  const listed = (records: readonly ServerRecord['clients'][]): string[] =>
    records.flatMap((of) => Object.values(of).flatMap((client) => Object.keys(client.own)));
  const folder = serverFolder(scope.paths, slug);
  const others = serversIn(scope, reading.record).filter((server) => server.slug !== slug);
  const wanted = new Set(listed([clients, ...others.map((server) => server.clients)]));
  const before = listed(previous ? [previous.clients] : []);
  const below = filesBelow(folder, files);
  const { data } = scope.paths;
  // Scripts that the lock file has lost, perhaps in a merge, need them, too.
  const scripts = ['hooks', 'joint'].flatMap((name) => filesBelow(join(data, name), files));
  const isLast = wanted.size === 0 && scripts.every((path) => [...below, ...before].includes(path));
  const forAll = isLast ? before.filter((path) => files.read(path) !== null) : [];
  return [...new Set([...below, ...forAll])].filter((path) => !wanted.has(path));
}

type Approved = Pick<ServerRecord, 'declarationsHash' | 'definition' | 'options'>;

/** Returns what the user is asked to approve. A server that can't be reached now keeps its approved definition. */
function approvalOf(
  { declared, toolAccess, options }: PlanInput,
  previous: ServerRecord | undefined,
): Approved {
  const definition =
    'at' in toolAccess
      ? { source: toolAccess.at.source, hash: toolAccess.at.hash, shown: toolAccess.shown }
      : previous?.definition;
  return {
    declarationsHash: declarationsHash(declared.declarations),
    ...(definition && { definition }),
    options,
  };
}

function isDisabled({ scope, slug, files }: PlanInput, previous: ServerRecord | undefined): boolean {
  return previous?.disabled ?? files.read(scope.marker(slug)) !== null;
}

function changedSince(previous: ServerRecord | undefined, next: Approved, input: PlanInput): Plan['changed'] {
  if (!previous) return [];
  const changed: Plan['changed'] = [];
  if (previous.declarationsHash !== next.declarationsHash) changed.push('declarations');
  if (definitionChanged(input.clients, input)) changed.push('definition');
  if (canonicalJson(chosenOptions(previous.options)) !== canonicalJson(chosenOptions(next.options)))
    changed.push('options');
  return changed;
}

function notesOf({ toolAccess, notes = [], options, declared, scope }: PlanInput): Pick<Plan, 'notes'> {
  const calls = declared.declarations.some(({ context_tool }) => context_tool !== undefined);
  const keeps = options.keepWarm > 0 && calls && 'at' in toolAccess && !toolAccess.remote;
  const ofStart = ('at' in toolAccess && toolAccess.notes) || [];
  const kept: Note = { code: 'server.kept', args: { minutes: options.keepWarm } };
  // A tool is called in that project alone.
  const beyond =
    scope.name === 'user' &&
    'at' in toolAccess &&
    isForOneProject(toolAccess.at.source) &&
    declared.declarations.some(({ context }) => context !== undefined);
  const all = [
    ...ofStart.filter(({ code }) => !keeps || code !== 'runner.per-call'),
    ...(keeps ? [kept] : []),
    ...(beyond ? [{ code: 'server.one-project', args: {} } as const] : []),
    ...notes,
  ];
  return all.length > 0 ? { notes: all } : {};
}

/** What was approved and is gone, for any of the clients. */
function goneFrom({ gone = [] }: PlanInput, clients: readonly ClientComparison[]): Gone[] {
  const definition = clients.some((client) => client.definition?.is === 'gone');
  return [...(definition ? ['definition' as const] : []), ...gone.filter((what) => what !== 'definition')];
}
