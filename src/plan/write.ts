import { existsSync, rmdirSync } from 'node:fs';
import { deepestFirst, missingFolders } from '../apply/files.ts';
import { tolerate } from '../apply/fs.ts';
import { lockFile, withLock } from '../apply/lock.ts';
import { findServer } from '../apply/record.ts';
import { applyChanges } from '../apply/transaction.ts';
import { CLIENTS } from '../clients/index.ts';
import type { Context } from '../context.ts';
import { Fault, faultText } from '../messages.ts';
import { serverFolder } from './own-files.ts';
import { type PlanInput, planInstall } from './plan.ts';
import { checkOf, openRecord, recoverAloud, waitAloud } from './settle.ts';
import { keyAt, userSite } from './site.ts';
import { clearSuperseded, type Superseded, superseded } from './superseded.ts';
import type { Plan } from './types.ts';
import { withRecord } from './with-record.ts';

/** Files may change while a plan is read; it is then made anew, but not for ever. */
const TRIES = 5;

/**
 * Writes what was approved: under the lock, from the record and the files as they are then. What was approved
 * (declarations, options, definition) is the input; only where entries stand may have moved.
 */
export async function applyPlan(input: PlanInput, context: Context): Promise<Plan> {
  return underLock(context, (made) => {
    const plan = planInstall({ ...input, made, reading: openRecord(context) });
    const fault = plan.clients.find((c) => c.fault)?.fault;
    if (fault) throw fault;
    return { result: plan, changes: plan.changes, emptied: plan.emptied, after: () => tidy(plan, context) };
  });
}

/**
 * Keeps approvals of project definitions on this machine, which no lock file holds. Where nothing can be written, they
 * are asked for again.
 */
export async function rememberStarts(starts: Record<string, string>, context: Context): Promise<void> {
  if (!context.site.shared) return;
  const site = userSite(context.env, context.paths);
  const here = { ...context, site };
  try {
    const known = site.store.read().record.starts;
    if (Object.keys(starts).every((hash) => known[hash] !== undefined)) return;
    await underLock(here, (made) => {
      const reading = openRecord(here);
      const record = { ...reading.record, starts: { ...reading.record.starts, ...starts } };
      return { result: undefined, ...withRecord([], record, { reading, site, now: context.now(), made }) };
    });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
}

/** Removes shims that went out of use long ago. Takes the lock only when there are any. */
export async function tidyUp(plan: Plan, context: Context): Promise<void> {
  if (outOfUse(plan, context).over.length === 0) return;
  await underLock(context, () => ({ result: undefined, changes: [], after: () => tidy(plan, context) }));
}

function outOfUse(plan: Plan, context: Context): Superseded {
  const after = findServer(openRecord(context).record, keyAt(context.site, plan.slug));
  if (!after) return { leaving: [], over: [] };
  const { site } = context;
  const sites = [site, ...CLIENTS.flatMap((client) => site.asPlugin?.(client, plan.slug) ?? [])];
  const all = sites.map(({ paths }) =>
    superseded(serverFolder(paths, plan.slug), plan.previous, after, Date.parse(context.now())),
  );
  return { leaving: all.flatMap((s) => s.leaving), over: all.flatMap((s) => s.over) };
}

function tidy(plan: Plan, context: Context): void {
  clearSuperseded(outOfUse(plan, context), Date.parse(context.now()));
}

/**
 * Runs `make` under the lock and writes its changes, again when a file changed in between; `after` follows it. `made`:
 * folders that the lock needed.
 */
export async function underLock<T>(
  context: Context,
  make: (made: readonly string[]) => {
    result: T;
    changes: Plan['changes'];
    emptied?: readonly string[];
    after?: () => void;
  },
): Promise<T> {
  const { state } = context.site.paths;
  context.site.check(state);
  const check = checkOf(context.site);
  const made = missingFolders(lockFile(state));
  return withLock(
    state,
    () => {
      recoverAloud(context);
      for (let n = 1; ; n++) {
        const { result, changes, emptied, after } = make(made);
        try {
          for (const r of applyChanges(changes, {
            state,
            ...(emptied && { emptied }),
            ...(check && { check }),
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

/** Removes what is empty of the state folder and of those above it that we made, where no record is left. */
export function leaveNoFolder(context: Context, around: readonly string[]): void {
  const { paths, store } = context.site;
  if (existsSync(store.file)) return;
  for (const folder of deepestFirst([...new Set([paths.state, ...around])]))
    tolerate(() => rmdirSync(folder));
}
