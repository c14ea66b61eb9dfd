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
  return async ({ server, options: recorded }, at) => {
    const { scope } = at;
    const compare = async (mode: Request['mode'], snapshot = snapshotAt(at)): Promise<Compared> => {
      try {
        const { timeout = 30, allowStart, callsTools } = how;
        const options = { timeout, ...(allowStart && { allowStart }), ...(callsTools && { callsTools }) };
        const request = { ...installedRequest(server, mode), ...options };
        const { input, answers } = await preparePlan(request, { ...context, scope }, snapshot);
        // Leftover files of a project are known only after a whole plan.
        const comparison = scope.shared ? planInstall(input) : compareInstall(input);
        return { comparison, faults: [], ...(answers && { answers }) };
      } catch (error) {
        return { faults: faultsThrown(error) };
      }
    };
    const compareInMode = async (mode: Request['mode']): Promise<Compared> => {
      const compared = await compare(mode);
      if (!compared.faults.some(({ code }) => code.startsWith('config.'))) return compared;
      // A mistake in the user's defaults changes no hook.
      const snapshot = snapshotAt(at);
      const inputs = { ...snapshot.inputs, defaults: () => ({ options: recorded }) };
      const again = await compare(mode, { ...snapshot, inputs });
      return { ...again, faults: [...compared.faults, ...again.faults] };
    };
    if (!how.ask) return compareInMode('files');
    const compared = await compareInMode('ask');
    return compared.comparison ? compared : { ...(await compareInMode('files')), faults: compared.faults };
  };
}
