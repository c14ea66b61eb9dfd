import type { SettingsFile } from '../gates.ts';

/** Merged, strongest first; a stronger `false` takes a weaker `true` back (2.1.329). */
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
