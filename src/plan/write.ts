import { withLock } from '../apply/lock.ts';
import { applyChanges } from '../apply/transaction.ts';
import type { Context } from '../context.ts';
import { Fault, faultText } from '../messages.ts';
import { type PlanInput, planInstall } from './plan.ts';
import { openRecord, recoverAloud, waitAloud } from './settle.ts';
import type { Plan } from './types.ts';

/** Files may change while a plan is read; it is then made anew, but not for ever. */
const TRIES = 5;

/**
 * Writes what was approved: under the lock, from the record and the files as they are then. What was approved
 * (declarations, options, definition) is the input; only where entries stand may have moved.
 */
export async function applyPlan(input: PlanInput, context: Context): Promise<Plan> {
  return underLock(context, () => {
    const plan = planInstall({ ...input, reading: openRecord(context) });
    const fault = plan.clients.find((c) => c.fault)?.fault;
    if (fault) throw fault;
    return { result: plan, changes: plan.changes, emptied: plan.emptied };
  });
}

/** Runs `make` under the lock and writes its changes, again when a file changed in between. */
export async function underLock<T>(
  context: Context,
  make: () => { result: T; changes: Plan['changes']; emptied?: readonly string[] },
): Promise<T> {
  const { state } = context.paths;
  return withLock(
    state,
    () => {
      recoverAloud(context);
      for (let n = 1; ; n++) {
        const { result, changes, emptied } = make();
        try {
          for (const r of applyChanges(changes, { state, ...(emptied && { emptied }) }))
            context.err(faultText(r));
          return result;
        } catch (error) {
          if (!(error instanceof Fault) || error.code !== 'apply.stale' || n === TRIES) throw error;
        }
      }
    },
    { onWait: waitAloud(context) },
  );
}
