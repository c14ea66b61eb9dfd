import type { PluginFormat } from '../plugin-format.ts';
import { PLUGIN } from './steps.ts';

export const plugin: PluginFormat = {
  name: 'copilot-plugin',
  manifest: 'plugin.json',
  hooks: 'hooks/hooks.json',
  elsewhere: { key: 'hooks', hooks: 'hooks/copilot.json' },
  root: '"$PLUGIN_ROOT"',
  nextSteps: [PLUGIN],
};
