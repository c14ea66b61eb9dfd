import { existsSync, rmdirSync, unlinkSync } from 'node:fs';
import { homeFolder } from '../../base/paths.ts';
import { repositoryOf } from '../../base/repository.ts';
import { CLIENTS } from '../../clients/index.ts';
import { warmFolder } from '../../fire/warm/address.ts';
import { isExported } from '../../inspect/exported-plugins.ts';
import { Fault } from '../../messages/fault.ts';
import { faultText } from '../../messages/faults.ts';
import type { PlanInput } from '../../plan/input.ts';
import { planInstall } from '../../plan/install.ts';
import { ownership, ownsFolder } from '../../plan/scopes/owned.ts';
import { keyIn } from '../../plan/scopes/scope.ts';
import { userScope } from '../../plan/scopes/user-scope.ts';
import type { Plan } from '../../plan/types.ts';
import { withRecord } from '../../plan/with-record.ts';
import { damagedCaches, makeCodeCaches, withoutCache } from '../../shims/code-caches.ts';
import { thisSystem } from '../../shims/command.ts';
import { serverFolder } from '../../shims/own-files.ts';
import { loadRuntime } from '../../shims/runtime.ts';
import { clearSuperseded, type Superseded, superseded, unusedRuntimes } from '../../shims/superseded.ts';
import { withApprovals, withoutApprovals } from '../../store/approvals.ts';
import { disabledIn, disabledOnlyIn, withDisabledIn } from '../../store/disabled-in.ts';
import { readFileState } from '../../store/files.ts';
import { deepestFirst } from '../../store/folders.ts';
import { tolerate } from '../../store/fs.ts';
import { withLock } from '../../store/process-lock.ts';
import { readStore } from '../../store/read-record.ts';
import { findServer } from '../../store/record.ts';
import { applyChanges } from '../../store/transaction.ts';
import type { Approvals, FileChange, RecordDocument } from '../../store/types.ts';
import type { Context } from '../context.ts';
import { disk } from '../disk.ts';
import { findForeign } from './foreign-journal.ts';
import { assertOwnFolders } from './own-folders.ts';
import { openRecord, recoverAloud, waitAloud } from './recover.ts';

/** Most plans to make: files may change while a plan is read, and the plan is then made again. */
const TRIES = 5;

/**
 * Writes what was approved: under the lock, from the record and the files as they are then. Declarations, options and
 * definition come from the approved input; only the place of entries may have moved.
 */
export async function applyPlan(input: PlanInput, context: Context): Promise<Plan> {
  const written = await underLock(context, (made) => {
    const plan = planInstall({ ...input, made, reading: openRecord(context) });
    const fault = plan.clients.find((c) => c.fault)?.fault;
    if (fault) throw fault;
    return {
      result: plan,
      changes: plan.changes,
      emptied: plan.emptied,
      after: () => clearUnused(plan, context),
    };
  });
  await endUnused(written, context);
  return written;
}

/**
 * Ends what hooks of this install have kept running when none of them keeps it any more: it would go on for hours. Hooks
 * of the server at other scopes keep theirs.
 */
async function endUnused({ slug, clients, previous }: Plan, { paths }: Context): Promise<void> {
  const keeps = clients.some(({ shims }) => shims.some(({ data }) => data.server_at?.keep !== undefined));
  if (keeps || !existsSync(warmFolder(paths.state))) return;
  const { endKeptServers } = await import('../end-warm-servers.ts');
  const own = Object.values(previous?.clients ?? {}).flatMap((client) => Object.keys(client.own));
  await endKeptServers(slug, paths, ({ shim }) => own.includes(`${shim}.json`));
}

/**
 * Records approvals on this machine, for commands that write no record of theirs with them. If the record can't be
 * written, the user will be asked again.
 */
export async function rememberApprovals(added: Approvals, context: Context): Promise<void> {
  if (Object.keys(added).length === 0) return;
  await changeMachineRecord((record) => withApprovals(record, added), context);
}

type RecordChange = (record: RecordDocument) => RecordDocument;

const approvalsGo =
  (slug: string, except: readonly string[], { scope, env, cwd }: Context): RecordChange =>
  (record) =>
    withoutApprovals(record, slug, repositoryOf(scope.root ?? cwd, homeFolder(env)).main, except);

/** True when this machine's record has approvals, other than in `except`, to start a project's server. */
export function holdsApprovals(slug: string, except: readonly string[], context: Context): boolean {
  const { scope, env, paths } = context;
  if (!scope.shared) return false;
  const { record } = readStore(userScope(env, paths, thisSystem()).store);
  return approvalsGo(slug, except, context)(record) !== record;
}

/**
 * Removes a server's start approvals in the repository of the project from which its hooks were removed. Returns the
 * Fault where they stay.
 */
export async function forgetApprovals(
  slug: string,
  except: readonly string[],
  context: Context,
): Promise<Fault | undefined> {
  if (!context.scope.shared) return undefined;
  const fault = await changeMachineRecord(approvalsGo(slug, except, context), context);
  return fault?.with({ stays: 'approvals' });
}

/**
 * Forgets that a server is disabled in the project from which its hooks are removed, and removes the marker when
 * nothing else was disabled with it; with `again`, records both again. Returns the Fault where this fails.
 */
export async function forgetDisabled(
  slug: string,
  context: Context,
  again?: true,
): Promise<Fault | undefined> {
  const { scope, env, paths } = context;
  const { shared, root } = scope;
  if (!shared || root === undefined) return undefined;
  const marker = userScope(env, paths, thisSystem()).marker(slug);
  const isUnused = (before: RecordDocument, after: RecordDocument): boolean =>
    disabledIn(before, slug).length > 0 &&
    disabledIn(after, slug).length === 0 &&
    !findServer(after, { scope: 'user', slug }) &&
    !isExported(slug, context);
  const change = (record: RecordDocument): RecordDocument => {
    if (again) return withDisabledIn(record, slug, [root]);
    const others = disabledIn(record, slug).filter((one) => one !== root);
    return disabledOnlyIn(record, slug, others);
  };
  const fault = await changeMachineRecord(change, context, (before, after) =>
    again || isUnused(before, after) ? [{ path: marker, after: again ? Buffer.from('') : null }] : [],
  );
  return fault?.with({ stays: 'disabled' });
}

/**
 * Changes this machine's record, and the files that `markers` returns. Returns the Fault of a record that can't
 * be read or written; then nothing is changed.
 */
async function changeMachineRecord(
  change: RecordChange,
  context: Context,
  markers: (before: RecordDocument, after: RecordDocument) => Pick<FileChange, 'path' | 'after'>[] = () => [],
): Promise<Fault | undefined> {
  const scope = userScope(context.env, context.paths, thisSystem());
  const here = { ...context, scope };
  try {
    const known = readStore(scope.store).record;
    if (change(known) === known) return undefined;
    await underLock(here, (made) => {
      const reading = openRecord(here);
      const input = { reading, scope, now: context.now(), made, files: disk };
      const record = change(reading.record);
      const changes = markers(reading.record, record).flatMap(({ path, after }): FileChange[] => {
        const before = readFileState(path);
        return (before === null) === (after === null) ? [] : [{ path, before, after, mode: 0o600 }];
      });
      return { result: undefined, ...withRecord(changes, record, input) };
    });
    leaveNoFolder(here, known.folders);
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error;
  }
}

/**
 * Removes shims that went out of use long ago and unused runtimes, makes missing code caches and removes damaged ones.
 * Takes the lock only when there are any; a home that can't be written stays as it is.
 */
export async function tidyUp(plan: Plan, context: Context): Promise<void> {
  const { over } = outOfUse(plan, context);
  const { missing, damaged } = cachesToMend(plan, context);
  if (over.length + missing.length + damaged.length === 0) return;
  try {
    await underLock(context, () => ({
      result: undefined,
      changes: [],
      after: () => clearUnused(plan, context),
    }));
  } catch (error) {
    if (!(error instanceof Fault) || over.length > 0) throw error;
  }
}

/** Returns the programs of a plan's server that lack a code cache on this machine, and its damaged code caches. */
function cachesToMend({ next, clients }: Plan, { scope }: Context) {
  const shims = clients.flatMap((client) => client.shims.map(({ data }) => data));
  const own = Object.values(next.clients).flatMap((client) => Object.keys(client.own));
  // Not behind a link.
  const isOwn = (path: string): boolean => ownership(path, scope, disk.real) === 'own';
  return {
    missing: withoutCache(own, shims, loadRuntime()).filter(({ path }) => isOwn(path)),
    damaged: damagedCaches(own).filter(isOwn),
  };
}

function outOfUse(plan: Plan, context: Context): Superseded {
  const after = findServer(openRecord(context).record, keyIn(context.scope, plan.slug));
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

function clearUnused(plan: Plan, context: Context): void {
  clearSuperseded(outOfUse(plan, context), Date.parse(context.now()));
  const { missing, damaged } = cachesToMend(plan, context);
  for (const cache of damaged) tolerate(() => unlinkSync(cache));
  makeCodeCaches(missing);
}

/**
 * Runs `make` under the lock and writes its changes, again when a file changed in between; calls `after` last. `made`:
 * folders that were created for the lock. `around`: folders around it that are removed when they are empty afterwards.
 */
export async function underLock<T>(
  context: Context,
  make: (made: readonly string[]) => {
    result: T;
    changes: Plan['changes'];
    emptied?: readonly string[];
    cleared?: readonly string[];
    around?: readonly string[];
    after?: () => void;
  },
): Promise<T> {
  const { shared, lockFolder } = context.scope;
  assertOwnFolders(context);
  return withLock(
    lockFolder,
    ({ made, leave }) => {
      recoverAloud(context);
      for (let n = 1; ; n++) {
        // A project's lock file lists no folder of this machine.
        const { result, changes, emptied, cleared, around = [], after } = make(shared ? [] : made);
        // A lock file of a project is anybody's.
        if (!shared) leave(around);
        try {
          for (const r of applyChanges(changes, {
            state: lockFolder,
            ...(emptied && { emptied }),
            ...(cleared && { cleared }),
            findForeign: findForeign(context),
          }))
            context.err(faultText(r));
          after?.();
          return result;
        } catch (error) {
          if (!(error instanceof Fault) || error.code !== 'apply.stale' || n === TRIES) throw error;
        }
      }
    },
    { onWait: waitAloud(context) },
  );
}

/** When no record is left, removes the state folder and the folders that mcphooks created above it, if empty. */
export function leaveNoFolder(context: Context, around: readonly string[]): void {
  const { paths, store, shared } = context.scope;
  if (shared || existsSync(store.file)) return;
  for (const folder of deepestFirst([...new Set([paths.state, ...around])]))
    tolerate(() => rmdirSync(folder));
}
