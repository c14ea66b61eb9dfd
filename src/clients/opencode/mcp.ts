import type { Folder } from '../folder.ts';
import type { McpConfig } from '../mcp-config.ts';

export const home: Folder = { env: 'XDG_CONFIG_HOME', envSub: 'opencode', home: '.config/opencode' };

const NAMES = ['opencode.jsonc', 'opencode.json'];
const DOT: Folder = { envSub: '', home: '.opencode' };
/** Unset in most homes: then these are the files of the folder before. */
const MOVED: Folder = { env: 'OPENCODE_CONFIG_DIR', envSub: '', home: '.opencode' };
const IN_PROJECT = [...NAMES.map((name) => `.opencode/${name}`), ...NAMES];
const named = (path: string) => ({ path, at: ['mcp'] });

export const mcp: McpConfig = {
  dialect: {
    format: 'jsonc,',
    keys: {
      types: { local: 'stdio', remote: 'http' },
      argv: 'command',
      env: 'environment',
      url: ['url'],
      headers: 'headers',
      held: { oauth: 'oauth' },
      enabled: 'enabled',
    },
    expand: 'curly',
    unset: 'empty',
    includesFiles: true,
    stands: {},
    inherits: 'all',
    hookOnly: [],
    adds: {},
  },
  perSession: ['OPENCODE_PID'],
  files: [
    ...[MOVED, DOT].flatMap((folder) =>
      NAMES.map((path) => ({ scope: 'user' as const, in: folder, ...named(path) })),
    ),
    ...IN_PROJECT.map((path) => ({ scope: 'project' as const, in: 'repository' as const, ...named(path) })),
    ...[...NAMES, 'config.json'].map((path) => ({ scope: 'user' as const, in: home, ...named(path) })),
  ],
  merges: true,
  // A project's entry may only say that a server of the user's is off.
  switches: IN_PROJECT.map((path) => ({ kind: 'flags', in: 'repository', ...named(path) })),
  plugins: [],
};
