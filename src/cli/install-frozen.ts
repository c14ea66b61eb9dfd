import type { Context } from '../app/context.ts';
import { openRecord } from '../app/open-record.ts';
import { preparePlan } from '../app/prepare/prepare.ts';
import { forSeveral, openScope } from '../app/prepare/scope-snapshot.ts';
import { Fault, Faults } from '../messages/fault.ts';
import { planInstall } from '../plan/install.ts';
import { versionFault } from '../plan/lock-version.ts';
import type { ServerRecord } from '../store/types.ts';
import { isUnverifiable, notAsLocked } from './as-locked.ts';
import { distinctFaults, type Exit, faultJson, reportFaults, worst } from './exit.ts';
import type { CommonFlags } from './flags.ts';
import { installOne, resultJson, type ServerResult } from './install-server.ts';
import { printJson } from './json/print.ts';
import { faultsToShowFirst, foldersWithHooks, unlistedFaults } from './project-faults.ts';
import { requestFrom } from './request.ts';

/**
 * `mcphooks install --frozen`: installs the content of the lock file, for one server or all. Starts no server and leaves
 * the lock file unchanged. Finishes an interrupted run first; installs none when one of the servers can't be installed,
 * and asks for each at a terminal.
 */
export async function installFrozen(
  server: string | undefined,
  command: readonly string[],
  flags: CommonFlags,
  context: Context,
): Promise<Exit> {
  for (const other of ['catalogue', 'declarations', 'reset'] as const)
    if (flags[other] !== undefined)
      throw new Fault('usage.exclusive', { one: '--frozen', other: `--${other}` });
  if (!context.scope.shared)
    throw new Fault('usage.goes-with', { option: '--frozen', needs: '--scope project' });
  const snapshot = forSeveral(await openScope(context));
  const { reading } = snapshot;
  const names = reading.record.servers.map((s) => s.server);
  if (names.length === 0) throw new Fault('lock.none', {}, { file: context.scope.store.file });
  const requests = (server === undefined ? names : [server]).map((name) => requestFrom(name, command, flags));
  const faults = [...faultsToShowFirst(context), ...foldersWithHooks(context), ...unlistedFaults(context)];
  const unverifiable: ServerRecord[] = [];
  for (const request of requests) {
    const plan = planInstall((await preparePlan(request, context, snapshot)).input);
    if (plan.previous && isUnverifiable(plan, reading, context)) unverifiable.push(plan.previous);
    faults.push(...plan.clients.flatMap((c) => c.fault ?? []), ...notAsLocked(plan, reading, context));
  }
  if (faults.length > 0) throw new Faults(distinctFaults(faults));
  const results: ServerResult[] = [];
  for (const request of requests) results.push(await installOne({ request, flags, context, known: reading }));
  const exit = worst(results.map((o) => o.exit));
  const other =
    unverifiable.length > 0 &&
    versionFault(openRecord(context).record, unverifiable, context.scope.store.file, 2);
  if (other && !flags.json) reportFaults([other], context);
  if (flags.json) {
    const status = STATUSES.find((s) => results.some((o) => o.status === s)) ?? 'unchanged';
    const servers = results.map(resultJson);
    const all = [...(other ? [other] : []), ...results.flatMap((o) => o.faults)];
    printJson('install', { status, exit, servers, faults: all.map(faultJson) }, context);
  }
  return exit;
}

/** The status of several servers together: the first of these that one has, else `unchanged`. */
const STATUSES: readonly ServerResult['status'][] = ['failed', 'refused', 'planned', 'installed'];
