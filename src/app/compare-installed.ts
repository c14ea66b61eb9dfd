import type { ScopeState } from '../inspect/scopes.ts';
import type { Compare, Surveyed } from '../inspect/survey.ts';
import { faultsThrown } from '../messages/fault.ts';
import { compareInstall, planInstall } from '../plan/install.ts';
import type { Context } from './context.ts';
import { preparePlan } from './prepare/prepare.ts';
import { forSeveral, type ScopeSnapshot, snapshotOf } from './prepare/scope-snapshot.ts';
import { installedRequest, type Request } from './request.ts';

type Compared = Pick<Surveyed, 'comparison' | 'faults' | 'answers'>;

/**
 * Returns a function that compares an installed server with what was approved: definition, declarations, files. With
 * `ask`, the server is asked through the gate for its declarations; when the server doesn't answer, only the files are
 * compared. Interrupted runs are left as they are, and no hook file or record is written.
 */
export function comparing(
  how: { ask: boolean; timeout?: number; allowStart?: readonly string[]; callsTools?: true },
  context: Context,
): Compare {
  const snapshots = new Map<ScopeState, ScopeSnapshot>();
  return async ({ server }, at) => {
    const { scope, reading } = at;
    const here = { ...context, scope };
    const compare = async (mode: Request['mode']): Promise<Compared> => {
      try {
        const snapshot = snapshots.get(at) ?? forSeveral(snapshotOf(reading, here));
        snapshots.set(at, snapshot);
        const { timeout = 30, allowStart, callsTools } = how;
        const options = { timeout, ...(allowStart && { allowStart }), ...(callsTools && { callsTools }) };
        const request = { ...installedRequest(server, mode), ...options };
        const { input, answers } = await preparePlan(request, here, snapshot);
        // Leftover files of a project are known only after a whole plan.
        const comparison = scope.shared ? planInstall(input) : compareInstall(input);
        return { comparison, faults: [], ...(answers && { answers }) };
      } catch (error) {
        return { faults: faultsThrown(error) };
      }
    };
    if (!how.ask) return compare('files');
    const compared = await compare('ask');
    return compared.comparison ? compared : { ...(await compare('files')), faults: compared.faults };
  };
}
