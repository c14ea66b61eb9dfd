import type { Gates, SettingsFile } from '../gates.ts';

/** Files with the switch, strongest first: a project's file also decides about the user's hooks (0.215.0). */
const SWITCH_FILES: readonly SettingsFile[] = [
  { in: 'session', path: '.factory/hooks.json', at: ['hooksDisabled'] },
  { in: 'session', path: '.factory/settings.json' },
  { in: 'client', path: 'hooks.json', at: ['hooksDisabled'] },
  { in: 'client', path: 'settings.json' },
];

export const gates: Gates = {
  switches: [{ at: ['hooks', 'hooksDisabled'], off: true, files: SWITCH_FILES }],
  // At a terminal, no hook runs in a folder before somebody trusted it; `droid exec` asks nobody (0.215.0).
  folderTrust: { file: { in: 'client', path: 'settings.json' }, at: ['trustedFolders'] },
};
