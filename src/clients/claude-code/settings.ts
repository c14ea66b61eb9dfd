import type { SettingsFile } from '../gates.ts';

/** Managed settings, merged, strongest first; a stronger `false` overrides a weaker `true` (2.1.329). */
export const MANAGED = [
  { folder: '/etc/claude-code', windows: '%ProgramFiles%\\ClaudeCode\\' },
  { folder: '/Library/Application Support/ClaudeCode' },
].flatMap(({ folder, windows }): SettingsFile[] => {
  const file = (name: string): SettingsFile => ({
    in: 'system',
    path: `${folder}/${name}`,
    ...(windows !== undefined && { windows: windows + name }),
  });
  return [{ ...file('managed-settings.d'), each: '.json' }, file('managed-settings.json')];
});

export const SETTINGS: readonly SettingsFile[] = [
  ...MANAGED,
  { in: 'session', path: '.claude/settings.local.json' },
  { in: 'session', path: '.claude/settings.json' },
  { in: 'client', path: 'settings.json' },
];
