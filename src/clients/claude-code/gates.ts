import type { Gates } from '../gates.ts';
import { MANAGED, SETTINGS } from './settings.ts';

export const gates: Gates = {
  switches: [
    { at: ['disableAllHooks'], off: true, files: SETTINGS },
    { at: ['allowManagedHooksOnly'], off: true, files: MANAGED },
  ],
};
