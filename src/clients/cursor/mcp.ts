import type { Folder } from '../folder.ts';
import type { McpConfig } from '../mcp-config.ts';

/** No variable moves this folder (1.0.32). */
export const home: Folder = { envSub: '', home: '.cursor' };

export const mcp: McpConfig = {
  dialect: {
    format: 'jsonc',
    keys: {
      env: 'env',
      // The editor reads it; the SDK doesn't (1.0.32).
      envFile: 'envFile',
      cwd: 'cwd',
      url: ['url'],
      headers: 'headers',
      held: { auth: 'oauth' },
    },
    // The SDK expands all of them, in every text of the file; `stands` are in the editor's documentation alone.
    expand: 'braces-env',
    stands: {
      workspaceFolder: '<cwd>',
      userHome: '<home>',
      pathSeparator: '<sep>',
      '/': '<sep>',
    },
    inherits: 'all',
    hookOnly: [
      'CURSOR_PROJECT_DIR',
      'CURSOR_VERSION',
      'CURSOR_USER_EMAIL',
      'CURSOR_TRANSCRIPT_PATH',
      'CLAUDE_PROJECT_DIR',
    ],
    adds: {},
  },
  files: [
    { scope: 'project', in: 'cwd', path: '.cursor/mcp.json', at: ['mcpServers'] },
    { scope: 'user', in: home, path: 'mcp.json', at: ['mcpServers'] },
  ],
  switches: [],
  plugins: [],
};
