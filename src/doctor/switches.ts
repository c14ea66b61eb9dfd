import { clientById } from '../clients/index.ts';
import { thrown } from '../plan/settings.ts';
import type { Check } from './types.ts';

/** Settings of a client that keep all hooks, or those of its users, from firing. */
export const switches: Check = (scene) =>
  scene.programs.flatMap(({ client: id }) => {
    const client = clientById(id);
    return client.offSwitches.flatMap((offSwitch) => {
      const found = thrown(offSwitch, client, scene);
      if (!found) return [];
      const args = {
        setting: offSwitch.at.join('.'),
        value: String(offSwitch.off),
        wanted: String(!offSwitch.off),
        system: found.system ? 1 : 0,
      };
      return [{ code: 'doctor.hooks-off', args, where: { file: found.path }, client: id }];
    });
  });

/** The variable that silences shims of whatever is started from here. */
export const environment: Check = ({ env, servers }) => {
  const value = env.MCPHOOKS_DISABLE ?? '';
  const names = value.split(',').map((name) => name.trim());
  const hit = names.includes('1') || servers.some(({ record }) => names.includes(record.server));
  return hit ? [{ code: 'doctor.environment', args: { value }, where: {} }] : [];
};
