import type { SettingsFile } from '../gates.ts';

const SYSTEM: readonly SettingsFile[] = [
  { in: 'system', path: '/etc/qwen-code/settings.json', env: 'QWEN_CODE_SYSTEM_SETTINGS_PATH' },
  { in: 'system', path: '/Library/Application Support/QwenCode/settings.json' },
];
const USER: SettingsFile = { in: 'client', path: 'settings.json' };
const DEFAULTS: SettingsFile = {
  in: 'system',
  path: '/etc/qwen-code/system-defaults.json',
  env: 'QWEN_CODE_SYSTEM_DEFAULTS_PATH',
};

/** Settings files, strongest first. */
export const SETTINGS: readonly SettingsFile[] = [
  ...SYSTEM,
  { in: 'session', path: '.qwen/settings.json' },
  USER,
  DEFAULTS,
];

/** The same without the project's file, which can't decide about its own trust. */
export const MACHINE: readonly SettingsFile[] = [...SYSTEM, USER, DEFAULTS];
