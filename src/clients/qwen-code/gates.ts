import type { Gates } from '../gates.ts';
import { MACHINE, SETTINGS } from './settings.ts';

export const gates: Gates = {
  // The strongest file decides: a project's `true` turns off the user's hooks, and its `false` lets them run again.
  switches: [{ at: ['disableAllHooks'], off: true, files: SETTINGS }],
  // In an untrusted folder only the user's own hooks run (0.24.4).
  folderTrust: {
    only: 'project',
    screen: '/permissions',
    file: { in: 'client', path: 'trustedFolders.json', env: 'QWEN_CODE_TRUSTED_FOLDERS_PATH' },
    levels: { parent: 'TRUST_PARENT', never: 'DO_NOT_TRUST' },
    on: { at: ['security', 'folderTrust', 'enabled'], off: true, files: MACHINE },
  },
};
