import type { Context } from '../context.ts';
import { gather } from '../plan/gather.ts';
import { planInstall } from '../plan/plan.ts';
import type { Surveyed } from '../plan/survey.ts';

/**
 * Asks a server, through the gate, what it declares now; what differs from the approval replaces what the files tell.
 * Throws the faults of what stands in the way.
 */
export async function reach(surveyed: Surveyed, timeout: number, context: Context): Promise<void> {
  const { server } = surveyed.record;
  const wishes = { clients: [], installedOnly: true, options: {}, reset: false, offline: false };
  const { input } = await gather({ server, ...wishes, timeout }, context);
  const found = planInstall(input).changed.map((what) => `${what}.changed` as const);
  const gone = surveyed.departures.filter((departure) => departure === 'definition.gone');
  surveyed.departures = [...gone, ...found];
}
