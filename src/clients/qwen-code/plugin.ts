import type { PluginFormat } from '../plugin-format.ts';
import { PLUGIN, RESTART } from './steps.ts';

export const plugin: PluginFormat = {
  name: 'qwen-extension',
  manifest: 'qwen-extension.json',
  hooks: 'hooks/hooks.json',
  // Qwen Code inserts the path as text; in a here-document no character of the path is special.
  root: `"$(cat <<'#'\n\${CLAUDE_PLUGIN_ROOT}\n#\n)"`,
  nextSteps: [PLUGIN],
  // Every folder in here is an active extension (0.24.4).
  autoLoad: { folder: 'extensions', nextSteps: [RESTART] },
};
