import type { Folder } from '../folder.ts';
import { MAIN_WORKTREE, type McpConfig, PROJECT, type ProjectGate } from '../mcp-config.ts';

export const home: Folder = { env: 'CODEX_HOME', envSub: '', home: '.codex' };

/** A project's servers start, and its hooks run, only where a person trusted the worktree, else the main one (0.169.0). */
export const TRUSTED_PROJECT: ProjectGate = {
  in: home,
  path: 'config.toml',
  at: ['projects', PROJECT, 'trust_level'],
  otherwise: ['projects', MAIN_WORKTREE, 'trust_level'],
  is: 'trusted',
};

export const mcp: McpConfig = {
  dialect: {
    format: 'toml',
    keys: {
      env: 'env',
      cwd: 'cwd',
      passEnv: 'env_vars',
      url: ['url'],
      headers: 'http_headers',
      envHeaders: 'env_http_headers',
      bearerEnv: 'bearer_token_env_var',
      held: { http_headers_helper: 'helper' },
      enabled: 'enabled',
    },
    expand: 'none',
    stands: { PLUGIN_ROOT: '<root>', CLAUDE_PLUGIN_ROOT: '<root>' },
    /**
     * Environment of a server on 0.169.0, reduced to these variables; of those that were set, HOME, PATH and TMPDIR
     * were observed.
     */
    inherits: ['HOME', 'LANG', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER'],
    // Not observed: what programs need there to start.
    inheritsOnWindows:
      'PATH PATHEXT COMSPEC SYSTEMROOT SYSTEMDRIVE WINDIR TEMP TMP USERNAME USERDOMAIN USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432'.split(
        ' ',
      ),
    hookOnly: [],
    adds: {},
  },
  // 0.169.0 puts links to itself there.
  perSessionPath: '/codex-arg0[^/]*$',
  files: [
    {
      scope: 'project',
      in: 'repository',
      path: '.codex/config.toml',
      at: ['mcp_servers'],
      onlyIf: TRUSTED_PROJECT,
    },
    { scope: 'user', in: home, path: 'config.toml', at: ['mcp_servers'] },
  ],
  merges: true,
  switches: [],
  plugins: [
    {
      scope: 'plugin',
      in: home,
      folders: 'plugins/cache/*/*/*',
      versions: true,
      id: '{1}@{0}',
      manifests: ['.codex-plugin/plugin.json', '.claude-plugin/plugin.json'],
      servers: [
        { path: '.mcp.json', at: ['mcpServers'] },
        { path: '.mcp.json', at: [] },
      ],
      enabled: { in: home, path: 'config.toml', at: ['plugins'], otherwise: false },
    },
  ],
};
