import type { ServerRecord } from '../apply/types.ts';
import { clientById } from '../clients/index.ts';
import type { Context } from '../context.ts';
import { Fault } from '../messages.ts';
import { differs } from './consent.ts';
import { type FireRequest, sequence } from './fire.ts';
import { approveStart } from './gate.ts';
import { gather } from './gather.ts';
import { planInstall } from './plan.ts';

/**
 * Before shims that a project shares are run: they must be what this version writes, and the server that they start
 * must be approved here. Faults: `fire.altered`, `gate.project-start`, both with exit 3.
 */
export async function admitFire(
  { server }: ServerRecord,
  requests: readonly FireRequest[],
  allowed: string | undefined,
  context: Context,
): Promise<void> {
  const { site } = context;
  if (!site.shared) return;
  const wishes = { clients: [], installedOnly: true, options: {}, reset: false, timeout: 30, offline: true };
  const { input, definition, starts } = await gather({ server, ...wishes }, context);
  const plan = planInstall(input);
  const fault = plan.clients.find((c) => c.fault)?.fault;
  if (fault) throw fault;
  if (!input.reading.ownVersion || differs(plan))
    throw new Fault('fire.altered', { name: server }, { file: site.store.file }, 3);
  const calls = requests.some((request) => {
    const natives = sequence(clientById(request.client), request).map((step) => step.native);
    const { cells = [] } = plan.clients.find((c) => c.client === request.client) ?? {};
    return cells.some(
      (cell) =>
        plan.declarations[cell.n - 1]?.context_tool !== undefined &&
        cell.natives.some((native) => natives.includes(native)),
    );
  });
  if (!calls || !definition || !('at' in input.reach)) return;
  const { source, hash } = input.reach.at;
  const named =
    source.scope === 'command-line' ? ({ scope: 'project', file: site.store.file } as const) : source;
  await approveStart({ alias: server, definition, source: named, hash }, starts, allowed, context);
}
