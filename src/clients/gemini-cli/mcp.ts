import type { Folder } from '../folder.ts';
import type { McpConfig } from '../mcp-config.ts';

/** GEMINI_CLI_HOME replaces the home folder, not `.gemini` (0.61.0). */
export const home: Folder = { env: 'GEMINI_CLI_HOME', envSub: '.gemini', home: '.gemini' };

export const mcp: McpConfig = {
  dialect: {
    format: 'jsonc',
    keys: {
      env: 'env',
      cwd: 'cwd',
      url: ['httpUrl', 'url'],
      headers: 'headers',
      held: { oauth: 'oauth', authProviderType: 'oauth' },
    },
    expand: 'dollar',
    unset: 'empty-in-env',
    stands: { extensionPath: '<root>', workspacePath: '<cwd>', '/': '<sep>' },
    inherits: 'all',
    /** Names hidden from servers but not from hooks: GEMINI_API_KEY, *TOKEN* and others (0.61.0). */
    drops:
      'token|secret|passw|key|auth|cred|private|cert|^(?:client_id|database_url|db_uri|connection_string)$',
    hookOnly: [
      'GEMINI_PROJECT_DIR',
      'GEMINI_CWD',
      'GEMINI_SESSION_ID',
      'GEMINI_PLANS_DIR',
      'CLAUDE_PROJECT_DIR',
    ],
    adds: { GEMINI_CLI: '1' },
  },
  files: [
    { scope: 'project', in: 'cwd', path: '.gemini/settings.json', at: ['mcpServers'] },
    { scope: 'user', in: home, path: 'settings.json', at: ['mcpServers'] },
  ],
  switches: [
    { kind: 'off', in: 'cwd', path: '.gemini/settings.json', at: ['mcp', 'excluded'] },
    { kind: 'on', in: 'cwd', path: '.gemini/settings.json', at: ['mcp', 'allowed'] },
    { kind: 'off', in: home, path: 'settings.json', at: ['mcp', 'excluded'] },
    { kind: 'on', in: home, path: 'settings.json', at: ['mcp', 'allowed'] },
    { kind: 'flags', in: home, path: 'mcp-server-enablement.json', at: [], lowerCase: true },
  ],
  plugins: [
    {
      scope: 'extension',
      in: home,
      folders: 'extensions/*',
      id: '{0}',
      manifests: ['gemini-extension.json'],
      servers: [{ path: 'gemini-extension.json', at: ['mcpServers'] }],
    },
  ],
};
