import { clientById } from '../../clients/index.ts';
import { isSilenced } from '../settings.ts';
import { hooksOff } from '../trust.ts';
import type { Check, DoctorContext, Finding } from './types.ts';

/** Settings of a client that keep all hooks, or those of its users, from firing. */
export const switches: Check = (scene) =>
  scene.programs.flatMap(({ client }) =>
    hooksOff(clientById(client), scene).map((why) => ({ ...why, client })),
  );

/** The variable that silences shims of whatever is started from here. */
export function environment({ env, servers }: Pick<DoctorContext, 'env' | 'servers'>): Finding[] {
  const hit = isSilenced(env) || servers.some(({ silenced }) => silenced);
  return hit ? [{ code: 'doctor.environment', args: { value: env.MCPHOOKS_DISABLE ?? '' }, where: {} }] : [];
}
