import type { SettingsFile } from '../gates.ts';

/** Settings files, strongest first. */
export const SETTINGS: readonly SettingsFile[] = [
  { in: 'system', path: '/etc/qwen-code/settings.json', env: 'QWEN_CODE_SYSTEM_SETTINGS_PATH' },
  { in: 'system', path: '/Library/Application Support/QwenCode/settings.json' },
  { in: 'session', path: '.qwen/settings.json' },
  { in: 'client', path: 'settings.json' },
  { in: 'system', path: '/etc/qwen-code/system-defaults.json', env: 'QWEN_CODE_SYSTEM_DEFAULTS_PATH' },
];

/** The same without the project's file, which can't decide about its own trust. */
export const MACHINE: readonly SettingsFile[] = SETTINGS.filter((file) => file.in !== 'session');
