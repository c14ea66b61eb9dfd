import { findServer, putServer, type RecordReading } from '../apply/record.ts';
import type { FileChange, InstallOptions, ServerRecord } from '../apply/types.ts';
import { clientById } from '../clients/index.ts';
import type { ClientId } from '../clients/types.ts';
import { canonicalJson, declarationsHash } from '../declarations/canonical.ts';
import type { FireServer } from '../fire/types.ts';
import { Fault } from '../messages.ts';
import type { Env } from '../paths.ts';
import type { Declared } from '../server/types.ts';
import { planClient } from './client-plan.ts';
import { chosenOptions } from './options.ts';
import { filesBelow, ownChange, type Runtime, serverFolder } from './own-files.ts';
import { siteOf } from './plugin-site.ts';
import { keyAt, type Site } from './site.ts';
import type { Across } from './speakers.ts';
import type { ClientPlan, Cover, Note, Plan } from './types.ts';
import { withRecord } from './with-record.ts';

/** All that a plan follows from. The same input gives the same plan; nothing is written. */
export interface PlanInput {
  server: string;
  slug: string;
  tag: string;
  declared: Declared;
  options: InstallOptions;
  /** Names of the options that are no choice for this server, and follow the user's defaults later too. */
  defaulted?: readonly (keyof InstallOptions)[];
  clients: readonly ClientId[];
  /** The name by which each client knows the server, where it does. */
  aliasOn: Partial<Record<ClientId, string>>;
  /** Aliases of all servers in each client's configuration, for matchers. */
  aliases: Partial<Record<ClientId, readonly string[]>>;
  /** How a shim reaches the server, or why it can't. `shown` is the definition in one line, secrets masked. */
  reach: { at: Omit<FireServer, 'callMs'>; shown: string } | { note: Note };
  /** Versions of the clients that are found here. */
  versions: Partial<Record<ClientId, string>>;
  /** Tools whose author says that they return a `hookSpecificOutput` document. */
  documentTools: readonly string[];
  /** What `diff` needs to reach the server again, when the command line said how. */
  given?: unknown;
  /** Whose definition of the server to use, when it was said. */
  fromClient?: string;
  reading: RecordReading;
  /** Project definitions that may be started: hash -> since when. */
  starts: Record<string, string>;
  /** Folders that were created for the lock. */
  made?: readonly string[];
  site: Site;
  /** How it stands to what gives the same hooks already; for those clients that have none of this install's. */
  across?: Across;
  env: Env;
  runtime: Runtime;
  /** ISO 8601. */
  now: string;
  read: (path: string) => Uint8Array | null;
}

/** What an install comes to, without what only writing it needs. */
export type Comparison = Pick<Plan, 'previous' | 'disabled' | 'changed' | 'clients' | 'leftovers'>;

/**
 * Compares what is to be installed with what is; `planInstall` on the same input comes to the same. Not for a site that
 * is shared: what is left over there is only known when all is planned.
 */
export function compareInstall(input: PlanInput): Comparison {
  const previous = findServer(input.reading.record, keyAt(input.site, input.slug));
  let { files } = input.reading.record;
  const clients = input.clients.map((id) => {
    const planned = planClient(clientById(id), input, previous?.clients[id], files);
    files = planned.files;
    return planned.plan;
  });
  return {
    clients,
    ...(previous && { previous }),
    ...(isDisabled(input, previous) && { disabled: true }),
    changed: changedSince(previous, approvalOf(input, previous)),
    leftovers: [],
  };
}

/** Plans one server's install or update. */
export function planInstall(input: PlanInput): Plan {
  const { server, slug, declared, options, site } = input;
  const { record } = input.reading;
  const key = keyAt(site, slug);
  const previous = findServer(record, key);
  const own = new Map<string, FileChange>();
  const texts = new Map<string, FileChange>();
  let files = { ...record.files };
  const clientRecords: ServerRecord['clients'] = { ...previous?.clients };
  const rewritten = new Map<ClientId, string[]>();
  const planned = input.clients.map((id): ClientPlan => {
    const cover = previous?.clients[id] ? undefined : input.across?.covered[id];
    if (cover) return coveredPlan(id, cover);
    const one = planClient(clientById(id), input, previous?.clients[id], files);
    if (one.plan.fault) return one.plan;
    const written = faulty(one.write);
    if (written instanceof Fault) return { ...one.plan, fault: written };
    for (const change of written.own) own.set(change.path, change);
    if (previous?.clients[id])
      rewritten.set(
        id,
        written.own.map(({ path }) => path),
      );
    for (const change of one.changes) texts.set(change.path, change);
    files = one.files;
    if (written.record) clientRecords[id] = written.record;
    else delete clientRecords[id];
    return one.plan;
  });

  const disabled = isDisabled(input, previous);
  const standing = input.clients.map((id) => siteOf(site, clientById(id), slug, clientRecords[id]));
  if (disabled && !site.shared && planned.some((c) => !c.fault && !c.covered))
    for (const { marker } of [site, ...standing])
      for (const change of ownChange({ path: marker(slug), text: '', mode: 0o600 }, input.read))
        own.set(change.path, change);
  const leftovers = site.shared ? unwanted(serverFolder(site.paths, slug), clientRecords) : [];
  for (const path of leftovers) own.set(path, { path, before: input.read(path), after: null, mode: 0o644 });
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
    given: input.given,
    fromClient: input.fromClient,
    ...(input.documentTools.length > 0 && { documentTools: [...input.documentTools] }),
    options,
    ...(input.defaulted && { defaulted: [...input.defaulted] }),
    clients: clientRecords,
    ...(disabled && !site.shared && { disabled }),
  };
  const changed = changedSince(previous, approval);
  // Who changes a project's own file can change its hash in the lock file, too; but not what we would write.
  const exact = site.shared && input.reading.ownVersion && changed.length === 0;
  const altered = exact && canonicalJson(previous) !== canonicalJson(next) ? [site.store.file] : [];
  const clients = exact
    ? planned.map((c) => ({
        ...c,
        drift: [...new Set([...c.drift, ...(rewritten.get(c.client) ?? []), ...altered])],
      }))
    : planned;
  const starts = { ...record.starts, ...input.starts };
  const {
    changes,
    emptied,
    record: after,
  } = withRecord(
    [...own.values(), ...texts.values()],
    planned.every((c) => c.covered) ? record : { ...putServer(record, next), files, starts },
    input,
  );
  return {
    server,
    ...key,
    declarations: declared.declarations,
    clients,
    options,
    ...(previous && { previous }),
    ...(disabled && { disabled }),
    changed,
    leftovers,
    changes,
    emptied,
    next,
    record: after,
  };
}

function coveredPlan(client: ClientId, covered: Cover): ClientPlan {
  const note: Note = { code: 'across.covered', args: { ...covered } };
  return {
    client,
    covered,
    cells: [],
    shims: [],
    entries: [],
    before: null,
    after: null,
    entryChanges: [],
    left: [],
    drift: [],
    nextSteps: [],
    notes: [note],
  };
}

/** Files that nobody else cleans up: a project's folder is shared, and holds what its lock file says. */
function unwanted(folder: string, clients: ServerRecord['clients']): string[] {
  const wanted = new Set(Object.values(clients).flatMap((client) => Object.keys(client.own)));
  return filesBelow(folder).filter((path) => !wanted.has(path));
}

type Approval = Pick<ServerRecord, 'declarationsHash' | 'definition' | 'options'>;

/** What is asked to be approved. A server that can't be reached now keeps the definition that was approved. */
function approvalOf({ declared, reach, options }: PlanInput, previous: ServerRecord | undefined): Approval {
  const definition =
    'at' in reach
      ? { source: reach.at.source, hash: reach.at.hash, shown: reach.shown }
      : previous?.definition;
  return {
    declarationsHash: declarationsHash(declared.declarations),
    ...(definition && { definition }),
    options,
  };
}

function isDisabled({ site, slug, read }: PlanInput, previous: ServerRecord | undefined): boolean {
  return previous?.disabled ?? read(site.marker(slug)) !== null;
}

function faulty<T>(action: () => T): T | Fault {
  try {
    return action();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

function changedSince(previous: ServerRecord | undefined, next: Approval): Plan['changed'] {
  if (!previous) return [];
  const changed: Plan['changed'] = [];
  if (previous.declarationsHash !== next.declarationsHash) changed.push('declarations');
  if (previous.definition?.hash !== next.definition?.hash) changed.push('definition');
  if (canonicalJson(chosenOptions(previous.options)) !== canonicalJson(chosenOptions(next.options)))
    changed.push('options');
  return changed;
}
