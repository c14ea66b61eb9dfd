import type { Folder } from '../folder.ts';
import type { McpConfig } from '../mcp-config.ts';

/** QWEN_HOME replaces `.qwen` itself (0.24.4). */
export const home: Folder = { env: 'QWEN_HOME', envSub: '', home: '.qwen' };

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
    fallbacks: false,
    stands: { extensionPath: '<root>', CLAUDE_PLUGIN_ROOT: '<root>', workspacePath: '<cwd>', '/': '<sep>' },
    inherits: 'all',
    hookOnly: [
      'QWEN_PROJECT_DIR',
      'GEMINI_PROJECT_DIR',
      'CLAUDE_PROJECT_DIR',
      'QWEN_CODE_PROMPT_ID',
      'QWEN_CODE_AGENT_ID',
    ],
    adds: {},
  },
  perSession: [
    'QWEN_CODE_LAUNCHER_PID',
    'QWEN_CODE_MESSAGING_SOCKET',
    'QWEN_CODE_MESSAGING_TOKEN',
    'QWEN_CODE_SESSION_ID',
  ],
  files: [
    { scope: 'project', in: 'cwd', path: '.qwen/settings.json', at: ['mcpServers'] },
    { scope: 'project', in: 'cwd', path: '.mcp.json', at: ['mcpServers'], ifThere: home },
    { scope: 'user', in: home, path: 'settings.json', at: ['mcpServers'] },
  ],
  switches: [
    { kind: 'off', in: 'cwd', path: '.qwen/settings.json', at: ['mcp', 'excluded'] },
    { kind: 'on', in: 'cwd', path: '.qwen/settings.json', at: ['mcp', 'allowed'] },
    { kind: 'off', in: home, path: 'settings.json', at: ['mcp', 'excluded'] },
    { kind: 'on', in: home, path: 'settings.json', at: ['mcp', 'allowed'] },
  ],
  plugins: [
    {
      scope: 'extension',
      in: home,
      folders: 'extensions/*',
      id: '{0}',
      manifests: ['qwen-extension.json'],
      servers: [{ path: 'qwen-extension.json', at: ['mcpServers'] }],
    },
  ],
};
