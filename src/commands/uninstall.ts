import { rmSync } from 'node:fs';
import { readFileState } from '../apply/files.ts';
import { slugFor } from '../apply/slug.ts';
import type { Context } from '../context.ts';
import { oneLine, visibleJson } from '../declarations/visible.ts';
import type { Fault } from '../messages.ts';
import { homeFolder } from '../paths.ts';
import { openRecord, settle } from '../plan/settle.ts';
import { removalText } from '../plan/show.ts';
import { planUninstall, type Removal, type UninstallInput } from '../plan/uninstall.ts';
import { underLock } from '../plan/write.ts';
import type { CommonFlags } from './options.ts';
import { type Exit, faultJson, faultsOf, reportFaults, worst } from './outcome.ts';

/** `mcphooks uninstall`: makes the shims inert first, then takes our entries out of the clients' files. */
export async function uninstall(
  server: string | undefined,
  flags: CommonFlags,
  context: Context,
): Promise<Exit> {
  const removals: Removal[] = [];
  let faults: readonly Fault[] = [];
  try {
    await settle(context);
    const { record } = openRecord(context);
    const slugs = server === undefined ? record.servers.map((s) => s.slug) : [slugFor(server)];
    for (const slug of slugs) removals.push(await one(slug, flags, context));
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
  for (const removal of removals)
    if (removal.own.length > 0 || removal.changes.length > 0)
      context.out(removalText(removal, { home: homeFolder(context.env), style: context.style }));
  if (!changed && faults.length === 0)
    context.err(
      server === undefined
        ? 'Nothing is installed.'
        : `Nothing to do: no hooks of '${oneLine(server)}' are installed.`,
    );
  reportFaults(faults, context);
  return exit;
}

async function one(slug: string, flags: CommonFlags, context: Context): Promise<Removal> {
  const input = (): UninstallInput => ({
    slug,
    reading: openRecord(context),
    paths: context.paths,
    env: context.env,
    cwd: context.cwd,
    now: context.now(),
    read: readFileState,
  });
  const first = planUninstall(input());
  if (flags.dryRun) return first;
  await underLock(context, () => {
    const { own } = planUninstall(input());
    return { result: undefined, changes: own };
  });
  await underLock(context, () => {
    const removal = planUninstall(input());
    return { result: undefined, changes: removal.changes, emptied: removal.emptied };
  });
  for (const folder of first.folders) rmSync(folder, { recursive: true, force: true });
  return first;
}

function removalJson(removal: Removal): Record<string, unknown> {
  return {
    slug: removal.slug,
    clients: removal.clients.map((c) => ({
      client: c.client,
      file: c.file,
      entries: c.entryChanges,
      ...(c.fault && { fault: faultJson(c.fault) }),
    })),
    files: [...removal.own, ...removal.changes].map((f) => ({
      path: f.path,
      change: f.after === null ? 'remove' : 'update',
    })),
  };
}
