import type { Gates } from '../gates.ts';
import { SETTINGS } from './settings.ts';

export const gates: Gates = {
  switches: [{ at: ['hooksConfig', 'enabled'], off: false, files: SETTINGS }],
  // In an untrusted folder, hooks of settings files don't run, not even the user's own (0.61.0).
  folderTrust: {
    screen: '/permissions',
    file: { in: 'client', path: 'trustedFolders.json', env: 'GEMINI_CLI_TRUSTED_FOLDERS_PATH' },
    levels: { parent: 'TRUST_PARENT', never: 'DO_NOT_TRUST' },
    env: ['GEMINI_CLI_TRUST_WORKSPACE'],
    off: { at: ['security', 'folderTrust', 'enabled'], off: false, files: SETTINGS },
  },
  // `/hooks disable` writes to the workspace's settings, even for a user's hook.
  offList: { path: ['hooksConfig', 'disabled'], project: '.gemini/settings.json', screen: '/hooks' },
};
