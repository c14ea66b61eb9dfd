import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../../app/context.ts';
import { notInstalled } from '../../app/not-installed.ts';
import { nothingInstalled } from '../../app/nothing-installed.ts';
import { openRecord, recoverInterrupted } from '../../app/recover.ts';
import { clearLog, removeHooks } from '../../app/uninstall.ts';
import { unrecorded } from '../../app/unrecorded.ts';
import { homeFolder } from '../../base/paths.ts';
import { slugFor } from '../../base/slug.ts';
import type { ClientId } from '../../clients/client.ts';
import { clientById } from '../../clients/index.ts';
import { LOG_FILE } from '../../fire/own-folders.ts';
import { scopeFor } from '../../inspect/scopes.ts';
import { approvalsForgotten, ENTRIES_LEFT, idle, noneFor, notFor, QUESTIONS } from '../../messages/done.ts';
import { Fault } from '../../messages/fault.ts';
import { faultText } from '../../messages/faults.ts';
import { keyIn, serversIn } from '../../plan/scopes/scope.ts';
import type { Removal } from '../../plan/uninstall.ts';
import { findServer } from '../../store/record.ts';
import type { RecordDocument, ServerRecord } from '../../store/types.ts';
import { type Exit, faultJson, faultsOf, inTheWay, reportFaults, worst } from '../exit.ts';
import { fileJson } from '../json/plan.ts';
import { printJson } from '../json/print.ts';
import { removalText } from '../text/plan.ts';

interface UninstallFlags {
  all?: boolean;
  client?: readonly ClientId[];
  dryRun?: boolean;
  edited?: boolean;
  json?: boolean;
}

/** `mcphooks uninstall`: first deletes the hook scripts, then removes our entries from the clients' files. */
export async function run(
  [server]: [server: string | undefined],
  flags: UninstallFlags,
  context: Context,
): Promise<Exit> {
  if (server === undefined && !flags.all) throw new Fault('usage.no-server', { verb: 'uninstall', all: 1 });
  if (server !== undefined && flags.all)
    throw new Fault('usage.exclusive', { one: 'server', other: '--all' });
  const asked = {
    dryRun: flags.dryRun ?? false,
    evenEdited: flags.edited ?? false,
    ...(flags.client && { clients: flags.client }),
  };
  const removals: Removal[] = [];
  let names = new Map<string, string>();
  const faults: Fault[] = [];
  let onlyApproved = new Map<string, string>();
  let keepLog = false;
  try {
    await recoverInterrupted(context);
    const reading = openRecord(context);
    const { record } = reading;
    names = new Map(serversIn(context.scope, record).map((s) => [s.slug, s.server]));
    if (!flags.client) onlyApproved = onlyApprovedIn(record, names);
    const slugs =
      server === undefined
        ? [
            ...new Set([
              ...names.keys(),
              ...unrecorded(context, reading, asked.evenEdited),
              ...(context.scope.name === 'user'
                ? [...Object.keys(record.disabledIn ?? {}), ...onlyApproved.keys()]
                : []),
            ]),
          ]
        : [slugFor(server)];
    keepLog = !flags.dryRun && !flags.json && (await keepsLog(slugs, flags, record.servers, context));
    // With an install in this scope, a server's name means that one alone.
    const left = inGoneProjects(record.servers, context).filter(
      ({ slug }) => server === undefined || (slugs.includes(slug) && !names.has(slug)),
    );
    for (const one of left) names.set(one.slug, one.server);
    await assertMerged(slugs, asked, context);
    for (const { slug, root } of [...slugs.map((slug) => ({ slug, root: undefined })), ...left]) {
      try {
        const at = root === undefined ? context : await inProject(root, context);
        if (root !== undefined || !(await isAtAnotherScope(slug, server, context)))
          removals.push(await removeHooks(slug, { ...asked, keepLog }, at));
      } catch (error) {
        // The other servers don't depend on this one. What stops all of them is said once.
        const known = faults.map(faultText);
        faults.push(...faultsOf(error).filter((fault) => !known.includes(faultText(fault))));
      }
    }
    faults.push(...removals.flatMap((r) => [...r.clients.flatMap((c) => c.fault ?? []), ...r.notRemoved]));
  } catch (error) {
    faults.push(...faultsOf(error));
  }
  if (flags.all && !flags.client && !flags.dryRun && faults.length === 0 && !keepLog) clearLog(context);
  const nameOf = ({ slug }: Removal): string | undefined =>
    names.get(slug) ?? onlyApproved.get(slug) ?? server;
  const changed = removals.some((r) => r.own.length > 0 || r.changes.length > 0);
  const exit = worst([...faults.map((f) => inTheWay(f.exit)), flags.dryRun && changed ? 2 : 0]);
  if (flags.json) {
    const status =
      faults.length > 0 ? 'failed' : !changed ? 'unchanged' : flags.dryRun ? 'planned' : 'uninstalled';
    printJson(
      'uninstall',
      {
        status,
        exit,
        removals: removals.map((removal) => removalJson(removal, nameOf(removal))),
        faults: faults.map(faultJson),
      },
      context,
    );
    return exit;
  }
  const keeps = removals.some((r) => r.clients.some((c) => c.kept.length > 0));
  for (const removal of removals)
    if (onlyApproved.has(removal.slug) && removal.own.length + removal.clients.length === 0) {
      if (removal.changes.length > 0)
        context.out(approvalsForgotten(onlyApproved.get(removal.slug) ?? '', asked.dryRun));
    } else if (removal.own.length + removal.changes.length + removal.clients.length > 0)
      context.out(
        removalText(removal, nameOf(removal) ?? removal.slug, {
          home: homeFolder(context.env),
          ...(context.scope.root !== undefined && { root: context.scope.root }),
          style: context.style,
          ...(context.columns !== undefined && { columns: context.columns }),
          ...asked,
        }),
      );
  if (!changed && !keeps && faults.length === 0)
    context.err(
      server === undefined
        ? await nothingText(flags.client, context)
        : await absentText(server, flags.client, context),
    );
  reportFaults(faults, context);
  return exit;
}

/** Throws the Fault of a merge conflict that stops one of several uninstalls in a project, before any is done. */
async function assertMerged(
  slugs: readonly string[],
  asked: Parameters<typeof removeHooks>[1],
  context: Context,
): Promise<void> {
  if (!context.scope.shared || slugs.length < 2) return;
  for (const slug of slugs)
    try {
      await removeHooks(slug, { ...asked, dryRun: true }, context);
    } catch (error) {
      if (faultsOf(error).some(({ code }) => code === 'edit.conflict')) throw error;
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
  slugs: readonly string[],
  { all, client: clients }: Pick<UninstallFlags, 'all' | 'client'>,
  servers: readonly ServerRecord[],
  { scope, paths, interactive, ask }: Context,
): Promise<boolean> {
  const goes = (server: ServerRecord): boolean =>
    slugs.includes(server.slug) &&
    // An install in a project that is still there stays.
    (isIn(scope, server) || (server.root !== undefined && !existsSync(server.root))) &&
    Object.keys(server.clients).every((id) => clients?.includes(id as ClientId) ?? true);
  const isLast = !scope.shared && (servers.length > 0 || (all && !clients)) && servers.every(goes);
  if (!isLast || !interactive() || !existsSync(join(paths.state, LOG_FILE))) return false;
  const deletes = await ask.confirm(QUESTIONS.deleteLog);
  if (deletes === undefined) throw new Fault('consent.declined', {}, {}, 3);
  return !deletes;
}

const isIn = (scope: Context['scope'], server: ServerRecord): boolean =>
  server.scope === scope.name && server.root === scope.root;

/** Returns that nothing is installed, what stayed of hooks without a record, and where else there are some. */
async function nothingText(clients: readonly ClientId[] | undefined, context: Context): Promise<string> {
  const reading = openRecord(context);
  if (unrecorded(context, reading, true).length > 0) return ENTRIES_LEFT;
  if (clients && serversIn(context.scope, reading.record).length > 0)
    return idle(noneFor(clients.map((id) => clientById(id).title)));
  return nothingInstalled('uninstall --all', reading.record, context);
}

/** Returns the user's own installs in projects whose folder is gone: no uninstall there can remove them. */
const inGoneProjects = (servers: readonly ServerRecord[], { scope }: Context): ServerRecord[] =>
  scope.name === 'user'
    ? servers.filter((one) => one.scope === 'local' && one.root !== undefined && !existsSync(one.root))
    : [];

const inProject = async (root: string, context: Context): Promise<Context> => ({
  ...context,
  scope: await scopeFor('local', context, root),
});

/**
 * True when this scope has nothing of the server, so that its disabled marker belongs to an install at another scope.
 * Throws the Fault of a lock file that can't tell.
 */
async function isAtAnotherScope(
  slug: string,
  server: string | undefined,
  context: Context,
): Promise<boolean> {
  if (server === undefined || findServer(openRecord(context).record, keyIn(context.scope, slug)))
    return false;
  const fault = await notInstalled(server, context);
  const planned = await removeHooks(slug, { dryRun: true, evenEdited: false }, context);
  const isIdle = planned.clients.length + planned.own.length + planned.changes.length === 0;
  if (isIdle && fault.code !== 'plan.not-installed') throw fault;
  return fault.args.elsewhere !== undefined && planned.clients.length === 0;
}

async function absentText(
  server: string,
  clients: readonly ClientId[] | undefined,
  context: Context,
): Promise<string> {
  if (clients && findServer(openRecord(context).record, keyIn(context.scope, slugFor(server))))
    return notFor(
      server,
      clients.map((id) => clientById(id).title),
    );
  const fault = await notInstalled(server, context, { command: 'uninstall' });
  const [what, fix = ''] = faultText(fault).split(/\n */);
  return `${idle(what ?? '')}${fault.args.elsewhere || fault.args.near ? ` ${fix}` : ''}`;
}

function removalJson(removal: Removal, server: string | undefined) {
  return {
    ...(server !== undefined && { server }),
    slug: removal.slug,
    clients: removal.clients.map((c) => ({
      client: c.client,
      file: c.file,
      entries: c.entryChanges,
      kept: c.kept,
      ...(c.fault && { fault: faultJson(c.fault) }),
    })),
    files: [...removal.own, ...removal.changes].map(fileJson),
  };
}
