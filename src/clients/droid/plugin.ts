import type { PluginFormat } from '../plugin-format.ts';
import { PLUGIN } from './steps.ts';

export const plugin: PluginFormat = {
  name: 'droid-plugin',
  manifest: '.factory-plugin/plugin.json',
  hooks: 'hooks/hooks.json',
  // Droid inserts the path as text, and the variable of this name holds no folder; in a here-document no character of
  // the path is special.
  root: `"$(cat <<'#'\n\${DROID_PLUGIN_ROOT}\n#\n)"`,
  nextSteps: [PLUGIN],
};
