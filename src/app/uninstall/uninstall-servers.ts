import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isSlug, slugFor } from '../../base/slug.ts';
import type { ClientId } from '../../clients/client.ts';
import { LOG_FILE } from '../../fire/own-folders.ts';
import { scopeFor } from '../../inspect/scopes.ts';
import { QUESTIONS } from '../../messages/done.ts';
import { Fault, faultsThrown } from '../../messages/fault.ts';
import { faultText } from '../../messages/faults.ts';
import { isInstalledAt, serversIn } from '../../plan/scopes/scope.ts';
import type { Removal } from '../../plan/uninstall/uninstall.ts';
import { type ChangedFile, changedFile } from '../../store/changed-file.ts';
import type { RecordReading } from '../../store/record.ts';
import type { FileChange, RecordDocument, ServerRecord } from '../../store/types.ts';
import type { Context } from '../context.ts';
import { notInstalled } from '../not-installed.ts';
import { openRecord, recordedServer } from '../open-record.ts';
import { recoverInterrupted } from '../write/recover.ts';
import { clearLog, planRemoval, removeHooks } from './uninstall.ts';
import { unrecorded } from './unrecorded.ts';

interface ServersRequest {
  /** Undefined: all of the scope. */
  server: string | undefined;
  clients?: readonly ClientId[];
  evenEdited: boolean;
  /** A person may be asked whether the log stays. */
  mayAsk: boolean;
}

/** A removal without the record and the contents of files, which would be kept once for each server. */
export type Removed = Omit<Removal, 'record' | 'own' | 'changes'> & Record<'own' | 'changes', ChangedFile[]>;

interface ServersRemoved {
  removals: Removed[];
  faults: Fault[];
  /** Names of servers by slug, as far as they are recorded. */
  names: ReadonlyMap<string, string>;
  /** The servers, by slug, of which there is nothing but approvals to start them for projects. */
  onlyApproved: ReadonlyMap<string, string>;
}

/** Removes the hooks of one server or of all. A server that can't be removed doesn't stop the others. */
export async function uninstallServers(request: ServersRequest, context: Context): Promise<ServersRemoved> {
  const { keepLog, ...done } = await removeChosen(request, context).catch((error) => ({
    removals: [],
    faults: [...faultsThrown(error)],
    names: new Map<string, string>(),
    onlyApproved: new Map<string, string>(),
    keepLog: false,
  }));
  const isAll = request.server === undefined && !request.clients;
  if (isAll && !context.dryRun && done.faults.length === 0 && !keepLog) clearLog(context);
  return done;
}

async function removeChosen(
  request: ServersRequest,
  context: Context,
): Promise<ServersRemoved & { keepLog: boolean }> {
  const { server, clients } = request;
  await recoverInterrupted(context);
  const reading = openRecord(context);
  const { record } = reading;
  const installed = new Map(serversIn(context.scope, record).map((s) => [s.slug, s.server]));
  const isUser = context.scope.name === 'user';
  const onlyApproved = isUser && !clients ? onlyApprovedIn(record, installed) : new Map<string, string>();
  const slugs =
    server === undefined
      ? new Set([
          ...installed.keys(),
          ...unrecorded(context, reading, request.evenEdited),
          ...(isUser ? Object.keys(record.disabledIn ?? {}) : []),
          ...onlyApproved.keys(),
        ])
      : new Set([isUnnamed(server, installed, reading, context) ? server : slugFor(server)]);
  // With an install in this scope, a server's name means that one alone.
  const inGone = inGoneProjects(record.servers, server, context).filter(
    ({ slug }) => server === undefined || (slugs.has(slug) && !installed.has(slug)),
  );
  const names = new Map([...installed, ...inGone.map((one): [string, string] => [one.slug, one.server])]);
  const goes = (one: ServerRecord): boolean =>
    inGone.includes(one) || (slugs.has(one.slug) && isInstalledAt(context.scope, one));
  const keepLog = request.mayAsk && (await keepsLog(goes, request, record.servers, context));
  const choices = { evenEdited: request.evenEdited, ...(clients && { clients }) };
  await assertMerged(slugs, { ...choices, reading }, context);
  const remove = context.dryRun ? planRemoval : removeHooks;
  const earlier = new Map<string, FileChange['after']>();
  const removals: Removed[] = [];
  const faults: Fault[] = [];
  for (const { slug, root } of [...[...slugs].map((slug) => ({ slug, root: undefined })), ...inGone]) {
    const name = server ?? names.get(slug) ?? slug;
    try {
      const at = root === undefined ? context : { ...context, scope: await scopeFor('local', context, root) };
      if (root === undefined && (await isAtAnotherScope(slug, server, context))) continue;
      const removal = await remove(slug, { ...choices, keepLog, server: name, earlier }, at);
      if (context.dryRun)
        for (const { path, after } of [...removal.own, ...removal.changes]) earlier.set(path, after);
      removals.push(withoutContents(removal));
    } catch (error) {
      // The other servers don't depend on this one. What stops all of them is said once.
      const known = faults.map(faultText);
      faults.push(...faultsThrown(error).filter((fault) => !known.includes(faultText(fault))));
    }
  }
  faults.push(...removals.flatMap((r) => [...r.clients.flatMap((c) => c.fault ?? []), ...r.notRemoved]));
  return { removals, faults, names, onlyApproved, keepLog };
}

const withoutContents = ({ record, ...removal }: Removal): Removed => ({
  ...removal,
  own: removal.own.map(changedFile),
  changes: removal.changes.map(changedFile),
});

/** True for a slug that stands for a server's name, which nothing shows any more: only entries without a record are left. */
const isUnnamed = (
  server: string,
  installed: ReadonlyMap<string, string>,
  reading: RecordReading,
  context: Context,
): boolean =>
  isSlug(server) &&
  server !== slugFor(server) &&
  !installed.has(slugFor(server)) &&
  unrecorded(context, reading, true).includes(server);

/** Throws the Fault of a merge conflict that stops one of several uninstalls in a project, before any is done. */
async function assertMerged(
  slugs: ReadonlySet<string>,
  choices: Parameters<typeof planRemoval>[1],
  context: Context,
): Promise<void> {
  if (!context.scope.shared || slugs.size < 2) return;
  for (const slug of slugs)
    try {
      await planRemoval(slug, choices, context);
    } catch (error) {
      if (faultsThrown(error).some(({ code }) => code === 'edit.conflict')) throw error;
    }
}

/** Returns the servers, by slug, of which there is nothing but approvals to start them for projects. */
function onlyApprovedIn(
  { approvals = {}, disabledIn = {} }: RecordDocument,
  installed: ReadonlyMap<string, string>,
): Map<string, string> {
  const servers = Object.values(approvals).flatMap((all) => Object.values(all).map(({ server }) => server));
  const named = servers.map((server): [string, string] => [slugFor(server), server]);
  return new Map(named.filter(([slug]) => !installed.has(slug) && !Object.hasOwn(disabledIn, slug)));
}

/**
 * Whether the log stays: asks, where a person can be asked, before the last install goes. Without a person the log goes
 * with that install.
 */
async function keepsLog(
  isChosen: (server: ServerRecord) => boolean,
  { server: only, clients }: Pick<ServersRequest, 'server' | 'clients'>,
  servers: readonly ServerRecord[],
  { scope, paths, interactive, ask }: Context,
): Promise<boolean> {
  const goes = (server: ServerRecord): boolean =>
    isChosen(server) && Object.keys(server.clients).every((id) => clients?.includes(id as ClientId) ?? true);
  const isLast =
    !scope.shared && (servers.length > 0 || (only === undefined && !clients)) && servers.every(goes);
  if (!isLast || !interactive() || !existsSync(join(paths.state, LOG_FILE))) return false;
  const deletes = await ask.confirm(QUESTIONS.deleteLog);
  if (deletes === undefined) throw new Fault('consent.declined', {}, {}, 3);
  return !deletes;
}

/**
 * Returns the user's own installs in projects whose folder is gone: no uninstall there can remove them. At `--scope
 * local`, a server's name means the install in the project here.
 */
const inGoneProjects = (
  servers: readonly ServerRecord[],
  server: string | undefined,
  { scope }: Context,
): ServerRecord[] =>
  scope.name === 'user' || (scope.name === 'local' && server === undefined)
    ? servers.filter((one) => one.scope === 'local' && one.root !== undefined && !existsSync(one.root))
    : [];

/**
 * True when this scope has nothing of the server, so that its `disabled` file belongs to an install at another scope.
 * Throws the Fault of a lock file that can't tell.
 */
async function isAtAnotherScope(
  slug: string,
  server: string | undefined,
  context: Context,
): Promise<boolean> {
  if (server === undefined || recordedServer(slug, context)) return false;
  const fault = await notInstalled(server, context);
  const planned = await planRemoval(slug, { evenEdited: false }, context);
  const isIdle = planned.clients.length + planned.own.length + planned.changes.length === 0;
  if (isIdle && fault.code !== 'plan.not-installed') throw fault;
  return fault.args.elsewhere !== undefined && planned.clients.length === 0 && !planned.forgets;
}
