import type { PluginFormat } from '../plugin-format.ts';
import { SETTINGS } from './settings.ts';
import { PLUGIN, RESTART } from './steps.ts';

export const plugin: PluginFormat = {
  name: 'claude-plugin',
  manifest: '.claude-plugin/plugin.json',
  // `claude plugin validate --strict` refuses a plugin without an author.
  fields: { author: { name: 'mcphooks' } },
  hooks: 'hooks/hooks.json',
  // The variable is safer than the placeholder: Claude Code replaces the placeholder as text, so a quote in the path
  // would end the word.
  root: '"$CLAUDE_PLUGIN_ROOT"',
  // On Windows without Git Bash, PowerShell fails to read the line, and that would block the user's tool.
  onFailure: 'continue',
  nextSteps: [PLUGIN],
  // Loaded as `<name>@skills-dir`; 2.1.150 treats the folder as a skill without text.
  autoLoad: {
    folder: 'skills',
    since: '2.1.157',
    off: (name) => ({
      switch: { at: ['enabledPlugins', `${name}@skills-dir`], off: false, files: SETTINGS },
      undo: `claude plugin enable ${name}@skills-dir`,
    }),
    nextSteps: [RESTART],
  },
};
