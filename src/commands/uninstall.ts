import { findServer } from '../apply/record.ts';
import { slugFor } from '../apply/slug.ts';
import type { Context } from '../context.ts';
import { visibleJson } from '../declarations/visible.ts';
import { type Fault, faultText } from '../messages.ts';
import { homeFolder } from '../paths.ts';
import { notInstalled } from '../plan/installed.ts';
import { removeHooks } from '../plan/remove.ts';
import { openRecord, settle } from '../plan/settle.ts';
import { removalText } from '../plan/show.ts';
import { keyAt, serversAt } from '../plan/site.ts';
import type { Removal } from '../plan/uninstall.ts';
import { type Exit, faultJson, faultsOf, reportFaults, worst } from './outcome.ts';

export interface UninstallFlags {
  all?: boolean;
  dryRun?: boolean;
  edited?: boolean;
  json?: boolean;
}

/** `mcphooks uninstall`: makes the shims inert first, then takes our entries out of the clients' files. */
export async function uninstall(
  server: string | undefined,
  flags: UninstallFlags,
  context: Context,
): Promise<Exit> {
  const asked = { dryRun: flags.dryRun ?? false, edited: flags.edited ?? false };
  const removals: Removal[] = [];
  let faults: readonly Fault[] = [];
  try {
    await settle(context);
    const { record } = openRecord(context);
    const slugs =
      server === undefined ? serversAt(context.site, record).map((s) => s.slug) : [slugFor(server)];
    for (const slug of slugs)
      if (!(await isElsewhere(slug, server, context))) removals.push(await removeHooks(slug, asked, context));
    faults = removals.flatMap((r) => r.clients.flatMap((c) => c.fault ?? []));
  } catch (error) {
    faults = faultsOf(error);
  }
  const changed = removals.some((r) => r.own.length > 0 || r.changes.length > 0);
  const exit = worst([...faults.map((f): Exit => f.exit), flags.dryRun && changed ? 2 : 0]);
  if (flags.json) {
    const status =
      faults.length > 0 ? 'failed' : !changed ? 'unchanged' : flags.dryRun ? 'planned' : 'uninstalled';
    context.out(
      visibleJson({
        version: 1,
        command: 'uninstall',
        status,
        exit,
        removals: removals.map(removalJson),
        faults: faults.map(faultJson),
      }),
    );
    return exit;
  }
  const keeps = removals.some((r) => r.clients.some((c) => c.kept.length > 0));
  for (const removal of removals)
    if (removal.own.length > 0 || removal.clients.length > 0)
      context.out(
        removalText(removal, {
          home: homeFolder(context.env),
          ...(context.site.root !== undefined && { root: context.site.root }),
          style: context.style,
          ...(context.columns !== undefined && { columns: context.columns }),
          ...asked,
        }),
      );
  if (!changed && !keeps && faults.length === 0)
    context.err(server === undefined ? 'Nothing is installed.' : await absentText(server, context));
  reportFaults(faults, context);
  return exit;
}

/** Nothing of it is at this site, and what silences it is meant for its install at another one. */
async function isElsewhere(slug: string, server: string | undefined, context: Context): Promise<boolean> {
  if (server === undefined || findServer(openRecord(context).record, keyAt(context.site, slug))) return false;
  const { args } = await notInstalled(server, context);
  const planned = await removeHooks(slug, { dryRun: true, edited: false }, context);
  return args.elsewhere !== undefined && planned.clients.length === 0;
}

async function absentText(server: string, context: Context): Promise<string> {
  const fault = await notInstalled(server, context, { command: 'uninstall' });
  const [what, fix = ''] = faultText(fault).split(/\n */);
  return `Nothing to do: ${what}.${fault.args.elsewhere || fault.args.near ? ` ${fix}` : ''}`;
}

function removalJson(removal: Removal): Record<string, unknown> {
  return {
    slug: removal.slug,
    clients: removal.clients.map((c) => ({
      client: c.client,
      file: c.file,
      entries: c.entryChanges,
      kept: c.kept,
      ...(c.fault && { fault: faultJson(c.fault) }),
    })),
    files: [...removal.own, ...removal.changes].map((f) => ({
      path: f.path,
      change: f.after === null ? 'remove' : 'update',
    })),
  };
}
