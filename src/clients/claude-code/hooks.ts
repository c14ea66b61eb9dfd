import type { FileRules, HookConfig } from '../hook-config.ts';

// 2,090,000 bytes were accepted, 2,110,000 dropped with permissions and all.
const ACCEPTS: FileRules = { bom: true, emptyFile: true, maxBytes: 2_000_000 };

export const hooks: HookConfig = {
  user: [{ path: 'settings.json', format: 'json', accepts: ACCEPTS }],
  project: [{ path: '.claude/settings.json', format: 'json', accepts: ACCEPTS }],
  local: [{ path: '.claude/settings.local.json', format: 'json', accepts: ACCEPTS }],
  timeout: { key: 'timeout', unit: 's' },
  posix: 'read',
  windows: { form: 'cmd' },
  // The variable and not the placeholder, which is replaced as text: a quote in the path would end the word.
  inProject: (path) => ({ command: `sh "$CLAUDE_PROJECT_DIR"/${path} 2>/dev/null || exit 0` }),
  // `${CLAUDE_PLUGIN_ROOT}` anywhere in a settings hook stops it from running.
  forbiddenInCommand: ['${CLAUDE_'],
};
