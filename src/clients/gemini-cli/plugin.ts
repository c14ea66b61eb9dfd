import type { PluginFormat } from '../plugin-format.ts';
import { PLUGIN, RESTART } from './steps.ts';

export const plugin: PluginFormat = {
  name: 'gemini-extension',
  manifest: 'gemini-extension.json',
  hooks: 'hooks/hooks.json',
  // Put in as text, and there is no variable: in a here-document no character of the path means anything.
  root: `"$(cat <<'#'\n\${extensionPath}\n#\n)"`,
  nextSteps: [PLUGIN],
  // A folder that lies there is active; `gemini extensions install` does no more than copy it (0.61.0).
  autoLoad: { folder: 'extensions', note: 'target.untrusted-too', nextSteps: [RESTART] },
};
