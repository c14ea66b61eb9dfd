import { inTopLevel } from '../dialects/top-level.ts';
import type { HookConfig, HookFile } from '../hook-config.ts';
import { refusal } from './refusal.ts';

const HOOKS_JSON: Omit<HookFile, 'path'> = {
  format: 'jsonc',
  unwrapped: true,
  accepts: { bom: false, emptyFile: false, refuses: refusal },
};

/**
 * Droid reads the events of settings.json that hooks.json lacks. It writes hooks.json itself, with a copy of all hooks,
 * when a person changes anything in /hooks. Earlier versions had hooks.json in the folder `hooks`;
 * Droid still reads that file while the other is absent.
 */
const FILES: readonly HookFile[] = [
  { ...HOOKS_JSON, path: 'hooks.json' },
  { ...HOOKS_JSON, path: 'hooks/hooks.json', ifAbsent: true },
  {
    path: 'settings.json',
    format: 'jsonc',
    accepts: {
      bom: false,
      emptyFile: false,
      refuses: (value) => {
        const refused = refusal((value as { hooks?: unknown }).hooks);
        return refused && { ...refused, at: ['hooks', ...(refused.at ?? [])] };
      },
    },
  },
];

const IN_PROJECT = FILES.map((file) => ({ ...file, path: `.factory/${file.path}` }));

export const hooks: HookConfig = {
  user: FILES,
  project: IN_PROJECT,
  local: [],
  shadows: true,
  order: [
    ...IN_PROJECT.map((file) => ({ ...file, scope: 'project' as const })),
    ...FILES.map((file) => ({ ...file, scope: 'user' as const })),
  ],
  timeout: { key: 'timeout', unit: 's' },
  posix: 'read',
  windows: { form: 'cmd', project: 'never' },
  // Hooks run in the folder where the session was started, and FACTORY_PROJECT_DIR names this folder, too.
  inProject: inTopLevel,
  // Replaced in the hooks of plugins.
  forbiddenInCommand: ['${DROID_PLUGIN_ROOT', '${CLAUDE_PLUGIN_ROOT'],
};
