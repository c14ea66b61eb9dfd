import { isObject } from '../../base/json-value.ts';
import { type GroupRules, malformed } from '../dialects/malformed.ts';
import type { FileRules, HookConfig } from '../hook-config.ts';

/** Members that handlers of all types may have. */
const ANY_TYPE = { timeout: 'above 0', statusMessage: 'text', once: 'flag', if: 'text' } as const;

/** Events of which one wrong entry drops the whole file, permissions too (2.1.118 to 2.1.329). */
const RULES: GroupRules = {
  events: ['PreToolUse', 'PermissionRequest'],
  nullEvent: true,
  group: { matcher: 'text' },
  // It takes no other types, but the next version may.
  otherTypes: true,
  handlers: {
    command: {
      needs: { command: 'text' },
      may: {
        ...ANY_TYPE,
        args: 'texts',
        shell: 'text',
        async: 'flag',
        asyncRewake: 'flag',
        rewakeMessage: 'text',
        rewakeSummary: 'text',
        onFailure: 'text',
      },
    },
    http: {
      needs: { url: 'url' },
      may: { ...ANY_TYPE, headers: 'table of texts', allowedEnvVars: 'texts', onFailure: 'text' },
    },
    prompt: { needs: { prompt: 'text' }, may: { ...ANY_TYPE, model: 'text', continueOnBlock: 'flag' } },
    agent: { needs: { prompt: 'text' }, may: { ...ANY_TYPE, model: 'text' } },
    mcp_tool: { needs: { server: 'text', tool: 'text' }, may: { ...ANY_TYPE, input: 'table' } },
  },
};

const refuses: NonNullable<FileRules['refuses']> = (value) => {
  const { hooks } = (value ?? {}) as { hooks?: unknown };
  const wrong = isObject(hooks) && malformed(hooks, RULES);
  return wrong
    ? {
        code: 'claude-code.malformed',
        text: `Claude Code drops this file: ${wrong.text}`,
        at: ['hooks', ...wrong.at],
      }
    : undefined;
};

// Claude Code accepted 2,090,000 bytes, and dropped a file of 2,110,000 bytes including its permissions.
const ACCEPTS: FileRules = { bom: true, emptyFile: true, maxBytes: 2_000_000, refuses };

export const hooks: HookConfig = {
  user: [{ path: 'settings.json', format: 'json', accepts: ACCEPTS }],
  project: [{ path: '.claude/settings.json', format: 'json', accepts: ACCEPTS }],
  local: [{ path: '.claude/settings.local.json', format: 'json', accepts: ACCEPTS }],
  timeout: { key: 'timeout', unit: 's' },
  posix: 'read',
  // Earlier versions ignore `args`. Without a shell, the rule by which Claude Code blocks tools where it finds no Git Bash
  // and a hook fails doesn't count.
  windows: {
    form: 'exec',
    since: '2.1.139',
    tested: { version: '2.1.329', shell: 'none' },
    project: 'git-bash',
  },
  // The variable is safer than the placeholder: Claude Code replaces the placeholder as text, so a quote in the path
  // would end the word.
  // `onFailure`: on Windows without Git Bash, PowerShell fails to read the line, and that would block the user's tool.
  inProject: (path) => ({
    command: `sh "$CLAUDE_PROJECT_DIR"/${path} 2>/dev/null || exit 0`,
    onFailure: 'continue',
  }),
  // The first builds ran the script itself, which a checkout without its executable bit can't.
  inProjectBefore: [(path) => ({ command: `"$CLAUDE_PROJECT_DIR"/${path} 2>/dev/null || exit 0` })],
  // `${CLAUDE_PLUGIN_ROOT}` anywhere in a settings hook prevents the hook from running.
  forbiddenInCommand: ['${CLAUDE_'],
};
