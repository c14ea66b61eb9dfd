import type { Folder } from '../folder.ts';
import { type McpConfig, REPOSITORY } from '../mcp-config.ts';

export const home: Folder = { env: 'CLAUDE_CONFIG_DIR', envSub: '', home: '.claude' };
/** Folder of `.claude.json`: the parent of `.claude`, but CLAUDE_CONFIG_DIR itself when that is set (2.1.329). */
const state: Folder = { env: 'CLAUDE_CONFIG_DIR', envSub: '', home: '' };
const enabled = { in: home, path: 'settings.json', at: ['enabledPlugins'] };
/** The list of servers of `.mcp.json` that are off. */
const OF_PROJECT = { kind: 'off', at: ['disabledMcpjsonServers'], scopes: ['project'] } as const;
const servers = [
  { path: '.mcp.json', at: ['mcpServers'] },
  { path: '.mcp.json', at: [] },
  { path: '.claude-plugin/plugin.json', at: ['mcpServers'] },
];

export const mcp: McpConfig = {
  dialect: {
    format: 'json',
    keys: { env: 'env', url: ['url'], headers: 'headers', held: { headersHelper: 'helper', oauth: 'oauth' } },
    expand: 'braces',
    stands: { CLAUDE_PLUGIN_ROOT: '<root>' },
    inherits: 'all',
    hookOnly: [
      'CLAUDE_EFFORT',
      'CLAUDE_ENV_FILE',
      'CLAUDE_PLUGIN_DATA',
      'CLAUDE_PLUGIN_ROOT',
      'CLAUDE_PROJECT_DIR',
    ],
    adds: { CLAUDE_PROJECT_DIR: '<cwd>', CLAUDE_PLUGIN_ROOT: '<root>' },
  },
  perSession: [
    'CLAUDE_CODE_CHILD_NOTES_DIR',
    'CLAUDE_CODE_MESSAGING_SOCKET',
    'CLAUDE_CODE_MESSAGING_TOKEN',
    'CLAUDE_CODE_SESSION_ID',
    'CLAUDE_PID',
  ],
  files: [
    // Observed on 2.1.118, 2.1.250 and 2.1.329: all worktrees have the entries of the main checkout, and none of their own.
    { scope: 'local', in: state, path: '.claude.json', at: ['projects', REPOSITORY, 'mcpServers'] },
    { scope: 'project', in: 'parents', path: '.mcp.json', at: ['mcpServers'] },
    { scope: 'user', in: state, path: '.claude.json', at: ['mcpServers'] },
  ],
  switches: [
    { kind: 'off', in: state, path: '.claude.json', at: ['projects', REPOSITORY, 'disabledMcpServers'] },
    { ...OF_PROJECT, in: 'top', path: '.claude/settings.local.json' },
    { ...OF_PROJECT, in: 'top', path: '.claude/settings.json' },
    { ...OF_PROJECT, in: home, path: 'settings.json' },
  ],
  plugins: [
    {
      scope: 'plugin',
      in: home,
      folders: { index: 'plugins/installed_plugins.json', at: ['plugins'] },
      manifests: ['.claude-plugin/plugin.json'],
      servers,
      alias: 'plugin:{plugin}:{server}',
      enabled: { ...enabled, otherwise: false },
    },
    {
      scope: 'plugin',
      in: home,
      folders: 'skills/*',
      id: '{0}@skills-dir',
      manifests: ['.claude-plugin/plugin.json'],
      servers,
      alias: 'plugin:{plugin}:{server}',
      enabled: { ...enabled, otherwise: true },
    },
  ],
};
