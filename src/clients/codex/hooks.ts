import { type GroupRules, malformed } from '../dialects/malformed.ts';
import { inTopLevel, inTopLevelOnWindows } from '../dialects/top-level.ts';
import type { FileRules, HookConfig, HookFile } from '../hook-config.ts';
import { WITH_CONTEXT } from './review.ts';

/** One wrong value is enough. Codex ignores other events, and skips `prompt` and `agent` (0.169.0). */
const RULES: GroupRules = {
  events: [
    'SessionStart',
    'UserPromptSubmit',
    'PreModelRequest',
    'PostModelRequest',
    'PreToolUse',
    'PermissionRequest',
    'PostToolUse',
    'PreCompact',
    'PostCompact',
    'SubagentStart',
    'SubagentStop',
    'Stop',
    'Interrupt',
    'SessionEnd',
  ],
  nullEvent: true,
  optional: true,
  group: { matcher: 'text' },
  handlers: {
    command: {
      needs: { command: 'text' },
      may: {
        timeout: 'count',
        async: 'flag',
        statusMessage: 'text',
        additionalContextLimit: 'count',
        commandWindows: 'text',
        command_windows: 'text',
      },
    },
    mcp_tool: {
      needs: { server: 'text', tool: 'text' },
      may: { input: 'table', timeout: 'count', statusMessage: 'text' },
    },
    prompt: {},
    agent: {},
  },
};

const refusesWith =
  (consequence: string): NonNullable<FileRules['refuses']> =>
  (value) => {
    const wrong = malformed((value as { hooks?: unknown } | undefined)?.hooks, RULES);
    return (
      wrong && {
        code: 'codex.malformed',
        text: `${consequence}: ${wrong.text}`,
        at: ['hooks', ...wrong.at],
      }
    );
  };

// Codex warns about hooks in both files, so the file that already contains hooks is used.
const FILES: readonly HookFile[] = [
  {
    path: 'config.toml',
    format: 'toml',
    accepts: { bom: true, emptyFile: true, refuses: refusesWith("Codex doesn't start with this file") },
  },
  {
    path: 'hooks.json',
    format: 'json',
    // Any other key, even `$schema`, makes Codex drop the whole file.
    accepts: {
      bom: false,
      emptyFile: false,
      topLevelKeys: ['description', 'hooks'],
      refuses: refusesWith('Codex runs no hooks from this file'),
    },
  },
];

export const hooks: HookConfig = {
  user: FILES,
  project: FILES.map((file) => ({ ...file, path: `.codex/${file.path}` })),
  // A session in another worktree runs the entries of the main one (0.169.0).
  mainWorktreeOnly: true,
  local: [],
  timeout: { key: 'timeout', unit: 's' },
  // Without this field, Codex cuts text at about 2,500 tokens, counted by bytes.
  fields: (_name, native) => (WITH_CONTEXT.includes(native) ? { additionalContextLimit: 0 } : {}),
  posix: 'run',
  windows: { form: 'powershell', tested: { version: '0.169.0', shell: 'stand-in' }, project: 'fires' },
  // As in Codex, the top level is the nearest folder with a `.git`.
  inProject: (path) => ({ ...inTopLevel(path), commandWindows: inTopLevelOnWindows(path) }),
  // Early builds ran the nearest script, even one above the project; the first of them without `sh`.
  inProjectBefore: ['exec sh', 'exec'].map((exec) => (path: string) => ({
    command: `sh -c 'd=$PWD; until [ -e "$d/$0" ] || [ ! "$d" ]; do d=\${d%/*}; done; ${exec} "$d/$0"' ${path} 2>/dev/null || exit 0`,
  })),
  forbiddenInCommand: [],
  // Codex trusts a hook by its position: removing a group would end the trust in the user's own hooks after it.
  tombstones: true,
};
