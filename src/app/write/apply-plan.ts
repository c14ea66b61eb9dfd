import { existsSync } from 'node:fs';
import { warmFolder } from '../../fire/warm/address.ts';
import { Fault, unlessFault } from '../../messages/fault.ts';
import { unshownFile } from '../../plan/difference.ts';
import type { PlanInput } from '../../plan/input.ts';
import { planInstall } from '../../plan/install.ts';
import type { Plan } from '../../plan/types.ts';
import { ownFilesOf } from '../../store/record.ts';
import type { Context } from '../context.ts';
import { openRecord } from '../open-record.ts';
import { clearUnused } from './tidy-up.ts';
import { underLock } from './under-lock.ts';

/**
 * Writes what was approved: under the lock, from the record and the files as they are then. Declarations, options and
 * definition come from the approved input; only the place of entries may have moved. `shown`: the plan that was approved;
 * throws a Fault when a client's file would change that this plan left alone, and that another program has changed since.
 */
export async function applyPlan(input: PlanInput, context: Context, shown?: Plan): Promise<Plan> {
  const written = await underLock(context, (made) => {
    const plan = planInstall({ ...input, made, reading: openRecord(context) });
    const fault = plan.clients.find((c) => c.fault)?.fault;
    if (fault) throw fault;
    const unshown = shown && unshownFile(plan, shown);
    if (unshown !== undefined) throw new Fault('apply.unshown', {}, { file: unshown });
    return {
      result: plan,
      changes: plan.changes,
      emptied: plan.emptied,
      // All is written by now. What fails here is left to a later command.
      after: () => unlessFault(() => clearUnused(plan, context), undefined),
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
  const { endWarmServers } = await import('../end-warm-servers.ts');
  const own = ownFilesOf(previous?.clients);
  await endWarmServers(slug, paths, ({ shim }) => own.includes(`${shim}.json`));
}
