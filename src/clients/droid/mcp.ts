import type { Folder } from '../folder.ts';
import type { McpConfig } from '../mcp-config.ts';

/** FACTORY_HOME_OVERRIDE replaces the home folder, not `.factory`. */
export const home: Folder = { env: 'FACTORY_HOME_OVERRIDE', envSub: '.factory', home: '.factory' };

export const mcp: McpConfig = {
  dialect: {
    format: 'jsonc',
    keys: { env: 'env', url: ['url'], headers: 'headers', held: { oauth: 'oauth' }, disabled: 'disabled' },
    expand: 'braces',
    expandOnly: 'env',
    fallbacks: false,
    unset: 'stops',
    stands: {},
    inherits: 'all',
    /** Set for hooks; the short ones are the fields of the payload. */
    hookOnly: [
      'FACTORY_PROJECT_DIR',
      'DROID_PROJECT_DIR',
      'CLAUDE_PROJECT_DIR',
      'DROID_PLUGIN_ROOT',
      'CLAUDE_PLUGIN_ROOT',
      'session_id',
      'transcript_path',
      'cwd',
      'permission_mode',
      'hook_event_name',
      'message_id',
      'source',
      'previous_session_id',
      'calling_session_id',
      'CLAUDE_ENV_FILE',
      'prompt',
      'has_images',
      'tool_name',
      'tool_response',
      'stop_hook_active',
      'tool_execution_count',
      'elapsed_time',
      'reason',
      'session_duration_ms',
      'message_count',
      // `exec` sets it after it has started its servers and the hooks of SessionStart (0.215.0).
      'FACTORY_EXEC_TARGET_AUTONOMY',
    ],
    adds: {},
  },
  files: [
    { scope: 'project', in: 'repository', path: '.factory/mcp.json', at: ['mcpServers'] },
    { scope: 'user', in: home, path: 'mcp.json', at: ['mcpServers'] },
  ],
  switches: [],
  plugins: [
    {
      scope: 'plugin',
      in: home,
      folders: {
        records: 'plugins/installed_plugins/*',
        id: ['pluginId'],
        at: ['entry'],
      },
      manifests: ['.factory-plugin/plugin.json', '.claude-plugin/plugin.json'],
      servers: [{ path: 'mcp.json', at: ['mcpServers'] }],
      enabled: { in: home, path: 'settings.json', at: ['enabledPlugins'], otherwise: false },
    },
  ],
};
