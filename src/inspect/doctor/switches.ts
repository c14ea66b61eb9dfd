import { clientById, titlesOf } from '../../clients/index.ts';
import { isDisabledByVariable } from '../../fire/disabled-by-variable.ts';
import { selfCalling } from '../self-calling.ts';
import { hooksOff } from '../trust.ts';
import type { Check, DoctorContext, Finding } from './types.ts';

/** Finds settings of a client that stop all hooks, or all user hooks, from firing. */
export const switches: Check = (context) =>
  context.programs.flatMap(({ client }) =>
    hooksOff(clientById(client), context).map((why) => ({ ...why, client })),
  );

/** Finds `MCPHOOKS_DISABLE`, which disables the shims of every client started from this environment. */
export function environment({ env, servers }: Pick<DoctorContext, 'env' | 'servers'>): Finding[] {
  const silent = isDisabledByVariable(env) ? servers : servers.filter(({ silenced }) => silenced);
  if (silent.length === 0 && !isDisabledByVariable(env)) return [];
  const active = new Set(silent.flatMap(({ record }) => selfCalling(record)));
  const args = { value: env.MCPHOOKS_DISABLE ?? '', active: titlesOf([...active]) };
  return [{ code: 'doctor.environment', args, where: {} }];
}
