import { unlinkSync } from 'node:fs';
import { CLIENTS } from '../../clients/index.ts';
import { orFaultOf } from '../../messages/fault.ts';
import { ownership, ownsFolder } from '../../plan/scopes/owned.ts';
import type { Plan } from '../../plan/types.ts';
import { damagedCaches, makeCodeCaches, withoutCache } from '../../shims/code-caches.ts';
import { serverFolder } from '../../shims/own-files.ts';
import { loadRuntime } from '../../shims/runtime.ts';
import { tolerate } from '../../store/fs.ts';
import { ownFilesOf } from '../../store/record.ts';
import type { ServerRecord } from '../../store/types.ts';
import type { Context } from '../context.ts';
import { disk } from '../disk.ts';
import { recordedServer } from '../open-record.ts';
import { clearSuperseded, type Superseded, superseded, unusedRuntimes } from './superseded.ts';
import { underLock } from './under-lock.ts';

/**
 * Removes shims that went out of use long ago and unused runtimes, makes missing code caches and removes damaged ones.
 * Takes the lock only when there are any. Where it can't get the lock or write, all of them wait for a later command:
 * what was asked for is installed.
 */
export async function tidyUp(plan: Plan, context: Context): Promise<void> {
  const { over } = outOfUse(plan, plan.previous, context);
  const { missing, damaged } = cachesToMend(plan, context);
  if (over.length + missing.length + damaged.length === 0) return;
  await orFaultOf(
    underLock(context, () => ({ result: undefined, changes: [], after: () => clearUnused(plan, context) })),
  );
}

/**
 * Returns the programs of a plan's server that lack a code cache on this machine, and its damaged code caches. A project
 * has none, and a stranger may have written its record.
 */
function cachesToMend({ next, clients }: Plan, { scope }: Context) {
  if (scope.shared) return { missing: [], damaged: [] };
  const shims = clients.flatMap((client) => client.shims.map(({ data }) => data));
  const own = ownFilesOf(next.clients);
  // Not behind a link.
  const isOwn = (path: string): boolean => ownership(path, scope, disk.real) === 'own';
  return {
    missing: withoutCache(own, shims, loadRuntime()).filter(({ path }) => isOwn(path)),
    damaged: damagedCaches(own).filter(isOwn),
  };
}

/** `after`: what the record says of the server now. */
function outOfUse(plan: Plan, after: ServerRecord | undefined, context: Context): Superseded {
  if (!after) return { leaving: [], over: [] };
  const { scope } = context;
  const scopes = [scope, ...CLIENTS.flatMap((client) => scope.asPlugin?.(client, plan.slug) ?? [])];
  const all = scopes.map(({ paths }) =>
    superseded(serverFolder(paths, plan.slug), plan.previous, after, Date.parse(context.now())),
  );
  const owned = (folder: string): boolean => scope.shared || ownsFolder(folder, scope, disk.real);
  const over = all.flatMap((s) => s.over).filter(owned);
  // A project has one runtime, without a folder for each version.
  const runtimes = scope.shared
    ? []
    : scopes.flatMap(({ paths }) => unusedRuntimes(paths.data, plan.previous, over));
  return {
    leaving: all.flatMap((s) => s.leaving).filter(owned),
    over: [...over, ...runtimes.filter(owned)],
  };
}

/** Removes what is out of use, and mends code caches; under the caller's lock. */
export function clearUnused(plan: Plan, context: Context): void {
  clearSuperseded(outOfUse(plan, recordedServer(plan.slug, context), context), Date.parse(context.now()));
  const { missing, damaged } = cachesToMend(plan, context);
  for (const cache of damaged) tolerate(() => unlinkSync(cache));
  makeCodeCaches(missing);
}
