import type { SettingsFile } from '../gates.ts';

/** Requirements set by an administrator. */
export const REQUIREMENTS: SettingsFile = {
  in: 'system',
  path: '/etc/codex/requirements.toml',
  windows: '%ProgramData%\\OpenAI\\Codex\\requirements.toml',
};

/** Settings files, strongest first (0.169.0). */
export const SETTINGS: readonly SettingsFile[] = [
  REQUIREMENTS,
  { in: 'system', path: '/etc/codex/managed_config.toml' },
  { in: 'client', path: 'config.toml' },
  { in: 'system', path: '/etc/codex/config.toml' },
];
