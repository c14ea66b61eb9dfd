import { clientById } from '../../clients/index.ts';
import { isDisabledByVariable } from '../../fire/disabled-by-variable.ts';
import { hooksOff } from '../trust.ts';
import type { Check, DoctorContext, Finding } from './types.ts';

/** Finds settings of a client that stop all hooks, or all user hooks, from firing. */
export const switches: Check = (context) =>
  context.programs.flatMap(({ client }) =>
    hooksOff(clientById(client), context).map((why) => ({ ...why, client })),
  );

/** Finds `MCPHOOKS_DISABLE`, which disables the shims of every client started from this environment. */
export function environment({ env, servers }: Pick<DoctorContext, 'env' | 'servers'>): Finding[] {
  const hit = isDisabledByVariable(env) || servers.some(({ silenced }) => silenced);
  return hit ? [{ code: 'doctor.environment', args: { value: env.MCPHOOKS_DISABLE ?? '' }, where: {} }] : [];
}
