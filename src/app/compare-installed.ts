import { remembering } from '../base/once.ts';
import type { ScopeState } from '../inspect/scopes.ts';
import type { Compare, Surveyed } from '../inspect/survey.ts';
import { faultsThrown } from '../messages/fault.ts';
import { compareInstall, planInstall } from '../plan/install.ts';
import type { Context } from './context.ts';
import { preparePlan } from './prepare/prepare.ts';
import { forSeveral, snapshotOf } from './prepare/scope-snapshot.ts';
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
  const snapshotAt = remembering(({ scope, reading }: ScopeState) =>
    forSeveral(snapshotOf(reading, { ...context, scope })),
  );
  return async ({ server }, at) => {
    const { scope } = at;
    const compare = async (mode: Request['mode']): Promise<Compared> => {
      try {
        const { timeout = 30, allowStart, callsTools } = how;
        const options = { timeout, ...(allowStart && { allowStart }), ...(callsTools && { callsTools }) };
        const request = { ...installedRequest(server, mode), ...options };
        const { input, answers } = await preparePlan(request, { ...context, scope }, snapshotAt(at));
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
