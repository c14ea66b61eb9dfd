import type { PluginFormat } from '../plugin-format.ts';
import { PLUGIN, RESTART } from './steps.ts';

export const plugin: PluginFormat = {
  name: 'gemini-extension',
  manifest: 'gemini-extension.json',
  hooks: 'hooks/hooks.json',
  // Gemini CLI inserts the path as text and sets no variable for it; in a here-document no character of the path is
  // special.
  root: `"$(cat <<'#'\n\${extensionPath}\n#\n)"`,
  nextSteps: [PLUGIN],
  // Every folder in here is an active extension; `gemini extensions install` only copies the folder (0.61.0).
  autoLoad: { folder: 'extensions', note: 'target.untrusted-too', nextSteps: [RESTART] },
};
