import type { SettingsFile } from '../gates.ts';

/** Managed settings, merged, strongest first; a stronger `false` overrides a weaker `true` (2.1.329). */
export const MANAGED = ['/etc/claude-code', '/Library/Application Support/ClaudeCode'].flatMap(
  (folder): SettingsFile[] => [
    { in: 'system', path: `${folder}/managed-settings.d`, each: '.json' },
    { in: 'system', path: `${folder}/managed-settings.json` },
  ],
);

export const SETTINGS: readonly SettingsFile[] = [
  ...MANAGED,
  { in: 'session', path: '.claude/settings.local.json' },
  { in: 'session', path: '.claude/settings.json' },
  { in: 'client', path: 'settings.json' },
];
