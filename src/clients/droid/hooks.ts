import { inTopLevel } from '../dialects/top-level.ts';
import type { HookConfig, HookFile } from '../hook-config.ts';
import { refusal } from './refusal.ts';

/**
 * Droid reads the events of settings.json that hooks.json lacks. It writes hooks.json itself, with a copy of all hooks,
 * when a person changes anything in /hooks. Earlier versions had hooks.json in the folder `hooks`;
 * Droid still reads that file while the other is absent.
 */
const FILES: readonly HookFile[] = [
  {
    path: 'hooks.json',
    format: 'jsonc',
    unwrapped: true,
    accepts: { bom: false, emptyFile: false, refuses: refusal },
  },
  {
    path: 'hooks/hooks.json',
    format: 'jsonc',
    unwrapped: true,
    ifAbsent: true,
    accepts: { bom: false, emptyFile: false, refuses: refusal },
  },
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

export const hooks: HookConfig = {
  user: FILES,
  project: FILES.map((file) => ({ ...file, path: `.factory/${file.path}` })),
  local: [],
  shadows: true,
  order: [
    ...FILES.map((file) => ({ ...file, scope: 'project' as const, path: `.factory/${file.path}` })),
    ...FILES.map((file) => ({ ...file, scope: 'user' as const })),
  ],
  inPlugins: 'hooks/hooks.json',
  timeout: { key: 'timeout', unit: 's' },
  posix: 'read',
  windows: { form: 'cmd', project: 'never' },
  // Hooks run in the folder where the session was started, and FACTORY_PROJECT_DIR names this folder, too.
  inProject: inTopLevel,
  // Replaced in the hooks of plugins.
  forbiddenInCommand: ['${DROID_PLUGIN_ROOT', '${CLAUDE_PLUGIN_ROOT'],
};
