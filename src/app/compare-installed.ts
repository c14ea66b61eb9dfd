import { remembering } from '../base/once.ts';
import type { ScopeState } from '../inspect/scopes.ts';
import type { Compare, Surveyed } from '../inspect/survey.ts';
import { type Fault, faultsThrown } from '../messages/fault.ts';
import { compareInstall, planInstall } from '../plan/install.ts';
import type { Context } from './context.ts';
import { preparePlan } from './prepare/prepare.ts';
import { forSeveral, snapshotOf } from './prepare/scope-snapshot.ts';
import type { Defaults } from './prepare/user-config.ts';
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
    const compare = async (mode: Request['mode']): Promise<Compared> => {
      const mistakes: Fault[] = [];
      try {
        const { timeout = 30, allowStart, callsTools } = how;
        const options = { timeout, ...(allowStart && { allowStart }), ...(callsTools && { callsTools }) };
        const request = { ...installedRequest(server, mode), ...options };
        const snapshot = snapshotAt(at);
        // A mistake in the user's defaults changes no hook.
        const defaults = (name: string): Defaults => {
          try {
            return snapshot.inputs.defaults(name);
          } catch (error) {
            mistakes.push(...faultsThrown(error));
            return { options: recorded };
          }
        };
        const inputs = { ...snapshot.inputs, defaults };
        const prepared = await preparePlan(request, { ...context, scope }, { ...snapshot, inputs });
        const { input, answers } = prepared;
        // Leftover files of a project are known only after a whole plan.
        const comparison = scope.shared ? planInstall(input) : compareInstall(input);
        return { comparison, faults: mistakes, ...(answers && { answers }) };
      } catch (error) {
        return { faults: [...mistakes, ...faultsThrown(error)] };
      }
    };
    if (!how.ask) return compare('files');
    const compared = await compare('ask');
    return compared.comparison ? compared : { ...(await compare('files')), faults: compared.faults };
  };
}
