import type { SettingsFile } from '../gates.ts';

/** Settings files, strongest first. */
export const SETTINGS: readonly SettingsFile[] = [
  {
    in: 'system',
    path: '/etc/gemini-cli/settings.json',
    windows: '%ProgramData%\\gemini-cli\\settings.json',
    env: 'GEMINI_CLI_SYSTEM_SETTINGS_PATH',
  },
  { in: 'system', path: '/Library/Application Support/GeminiCli/settings.json' },
  { in: 'session', path: '.gemini/settings.json' },
  { in: 'client', path: 'settings.json' },
  {
    in: 'system',
    path: '/etc/gemini-cli/system-defaults.json',
    windows: '%ProgramData%\\gemini-cli\\system-defaults.json',
    env: 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH',
  },
];
