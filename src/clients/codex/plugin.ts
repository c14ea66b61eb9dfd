import type { PluginFormat } from '../plugin-format.ts';
import { PLUGIN } from './steps.ts';

export const plugin: PluginFormat = {
  name: 'codex-plugin',
  manifest: '.codex-plugin/plugin.json',
  hooks: 'hooks/hooks.json',
  elsewhere: { key: 'hooks', hooks: 'hooks/codex.json' },
  root: '"$PLUGIN_ROOT"',
  nextSteps: [PLUGIN],
};
