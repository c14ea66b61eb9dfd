import type { FileRules, HookConfig } from '../hook-config.ts';

// Claude Code accepted 2,090,000 bytes, and dropped a file of 2,110,000 bytes including its permissions.
const ACCEPTS: FileRules = { bom: true, emptyFile: true, maxBytes: 2_000_000 };

export const hooks: HookConfig = {
  user: [{ path: 'settings.json', format: 'json', accepts: ACCEPTS }],
  project: [{ path: '.claude/settings.json', format: 'json', accepts: ACCEPTS }],
  local: [{ path: '.claude/settings.local.json', format: 'json', accepts: ACCEPTS }],
  timeout: { key: 'timeout', unit: 's' },
  posix: 'read',
  windows: { form: 'cmd' },
  // The variable is safer than the placeholder: Claude Code replaces the placeholder as text, so a quote in the path
  // would end the word.
  inProject: (path) => ({ command: `sh "$CLAUDE_PROJECT_DIR"/${path} 2>/dev/null || exit 0` }),
  // `${CLAUDE_PLUGIN_ROOT}` anywhere in a settings hook prevents the hook from running.
  forbiddenInCommand: ['${CLAUDE_'],
};
