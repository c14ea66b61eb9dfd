import type { Folder } from '../folder.ts';
import { type McpConfig, PROJECT, type ProjectGate } from '../mcp-config.ts';

export const home: Folder = { env: 'COPILOT_HOME', envSub: '', home: '.copilot' };

/** A project's servers start only where the project, or a folder around it, is trusted. */
const onlyIf: ProjectGate = { in: home, path: 'config.json', at: ['trustedFolders'], lists: PROJECT };
const PROJECTS = { scope: 'project', in: 'repository', onlyIf } as const;

/** Both forms are read: `{"mcpServers": {...}}` and the servers alone. */
const FORMS: readonly (readonly string[])[] = [['mcpServers'], []];

const ROOT = { PLUGIN_ROOT: '<root>', COPILOT_PLUGIN_ROOT: '<root>', CLAUDE_PLUGIN_ROOT: '<root>' };

/** Where a plugin and a marketplace have their files; in a marketplace, the first counts. */
const FOLDERS = ['', '.plugin/', '.github/plugin/', '.claude-plugin/'];

const PLUGIN = {
  scope: 'plugin' as const,
  in: home,
  manifests: FOLDERS.map((folder) => `${folder}plugin.json`),
  servers: FORMS.map((at) => ({ path: '.mcp.json', at })),
};

/** Observed on Copilot CLI 1.0.83 and 1.0.102. */
export const mcp: McpConfig = {
  dialect: {
    format: 'jsonc',
    keys: {
      types: { local: 'stdio', stdio: 'stdio', http: 'http', sse: 'sse' },
      env: 'env',
      cwd: 'cwd',
      url: ['url'],
      headers: 'headers',
      held: {},
      disabled: 'disabled',
    },
    expand: 'dollar',
    bareEnv: true,
    pluginCwd: true,
    stands: ROOT,
    inherits: 'all',
    hookOnly: [
      'CLAUDE_PROJECT_DIR',
      'COPILOT_CLI',
      'COPILOT_HOOK_DIR',
      'COPILOT_PROJECT_DIR',
      'GIT_CONFIG_COUNT',
      'GIT_CONFIG_KEY_0',
      'GIT_CONFIG_VALUE_0',
    ],
    adds: ROOT,
  },
  perSession: ['COPILOT_AGENT_SESSION_ID', 'COPILOT_LOADER_PID'],
  files: [
    ...FORMS.map((at) => ({ ...PROJECTS, path: '.mcp.json', at, ifThere: home })),
    ...FORMS.map((at) => ({ ...PROJECTS, path: '.github/mcp.json', at, unless: '.mcp.json' })),
    { scope: 'user', in: home, path: 'mcp-config.json', at: ['mcpServers'] },
  ],
  switches: [
    { kind: 'off', in: home, path: 'settings.json', at: ['disabledMcpServers'] },
    { kind: 'off', in: 'top', path: '.github/copilot/settings.local.json', at: ['disabledMcpServers'] },
    { kind: 'off', in: 'top', path: '.github/copilot/settings.json', at: ['disabledMcpServers'] },
  ],
  plugins: [
    {
      ...PLUGIN,
      folders: {
        index: 'config.json',
        at: ['installedPlugins'],
        keys: { path: 'cache_path', enabled: 'enabled' },
      },
    },
    // Copilot CLI copies no plugin of a marketplace that is a folder (1.0.102).
    {
      ...PLUGIN,
      folders: {
        settings: 'settings.json',
        at: ['extraKnownMarketplaces'],
        lists: FOLDERS.map((folder) => `${folder}marketplace.json`),
      },
      enabled: { in: home, path: 'settings.json', at: ['enabledPlugins'], otherwise: false },
    },
  ],
};
