import type { Gates, OffSwitch, SettingsFile } from '../gates.ts';

const HOOKS_JSON = ['hooksDisabled'];

/** Files with the switch, strongest first: a project's file also decides about the user's hooks (0.215.0). */
const SWITCH_FILES: readonly SettingsFile[] = (['session', 'client'] as const).flatMap((where) => {
  const folder = where === 'session' ? '.factory/' : '';
  return [
    { in: where, path: `${folder}hooks.json`, at: HOOKS_JSON },
    { in: where, path: `${folder}settings.json` },
  ];
});

const OFF: OffSwitch = { at: ['hooks', 'hooksDisabled'], off: true, files: SWITCH_FILES };

export const gates: Gates = {
  switches: [OFF],
  // At a terminal, no hook runs in a folder before somebody trusted it; `droid exec` asks nobody (0.215.0).
  folderTrust: { file: { in: 'client', path: 'settings.json' }, at: ['trustedFolders'] },
};
