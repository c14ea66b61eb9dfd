import type { HookConfig, HookFile } from '../hook-config.ts';
import { ANY_SLUG } from '../hook-files.ts';
import program from './program.js' with { type: 'text' };

const PLUGIN: HookFile = {
  path: `plugins/mcphooks-${ANY_SLUG}.js`,
  format: 'module',
  program,
  accepts: { bom: true, emptyFile: true },
  oursAlone: true,
};

export const hooks: HookConfig = {
  user: [PLUGIN],
  project: [{ ...PLUGIN, path: `.opencode/${PLUGIN.path}` }],
  local: [],
  timeout: { key: 'timeout', unit: 's' },
  posix: 'file',
  windows: { form: 'exec', project: 'fires' },
  // The plugin finds the project by its own path.
  inProject: (path) => ({ command: '/bin/sh', args: [path] }),
  forbiddenInCommand: [],
};
