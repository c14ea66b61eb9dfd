import { reviewHash, reviewKey, WITH_CONTEXT } from './codex-review.ts';
import type { Client, HookFile, SettingsFile } from './types.ts';

const HOOK_FILES: readonly HookFile[] = [
  { path: 'config.toml', format: 'toml', accepts: { bom: true, emptyFile: true } },
  {
    path: 'hooks.json',
    format: 'json',
    // Any other key, `$schema` too, makes Codex drop the whole file.
    accepts: { bom: false, emptyFile: false, topLevelKeys: ['description', 'hooks'] },
  },
];

/** What an administrator demands. */
const REQUIREMENTS: SettingsFile = { in: 'system', path: '/etc/codex/requirements.toml' };

/** Strongest first (0.169.0). */
const SETTINGS: readonly SettingsFile[] = [
  REQUIREMENTS,
  { in: 'system', path: '/etc/codex/managed_config.toml' },
  { in: 'client', path: 'config.toml' },
  { in: 'system', path: '/etc/codex/config.toml' },
];

/** Facts observed on Codex 0.169.0. */
export const codex: Client = {
  id: 'codex',
  title: 'Codex',
  proved: { oldest: '0.169.0', newest: '0.169.0' },
  npmPackage: '@openai/codex',
  binary: 'codex',
  folder: { env: 'CODEX_HOME', envSub: '', home: '.codex' },
  // Hooks in both files draw a warning, so the one that holds hooks already is used.
  hookFiles: HOOK_FILES,
  project: {
    files: HOOK_FILES.map((file) => ({ ...file, path: `.codex/${file.path}` })),
    local: [],
    // Hooks run where the session was started, which may be a subfolder; no variable names the project.
    command: (path) =>
      `sh -c 'd=$PWD; until [ -e "$d/$0" ] || [ ! "$d" ]; do d=\${d%/*}; done; exec sh "$d/$0"' ${path} 2>/dev/null || exit 0`,
    nextSteps: ['codex.project', 'codex.trust'],
  },
  offSwitches: [
    // `codex_hooks` is the older name of the feature.
    ...['hooks', 'codex_hooks'].map((name) => ({
      at: ['features', name],
      off: false,
      files: SETTINGS,
    })),
    { at: ['allow_managed_hooks_only'], off: true, files: [REQUIREMENTS] },
  ],
  review: { path: 'config.toml', at: ['hooks', 'state'], key: reviewKey, hash: reviewHash },
  // A hook is trusted by its position; taking one away would switch off the user's own that follow.
  tombstones: true,
  timeoutUnit: 's',
  // Without it text is cut at about 2,500 tokens, counted by bytes.
  handler: (_name, native) => (WITH_CONTEXT.includes(native) ? { additionalContextLimit: 0 } : {}),
  shell: 'login',
  windowsShell: 'cmd',
  forbiddenInCommand: [],
  unit: 'utf8',
  events: {
    session_start: {
      fidelity: 'native',
      moment: 'first-prompt',
      wiring: [{ native: 'SessionStart', does: 'give' }],
    },
    pre_request: {
      fidelity: 'native',
      moment: 'prompt',
      wiring: [{ native: 'UserPromptSubmit', does: 'give' }],
    },
    pre_tool_use: {
      fidelity: 'late',
      moment: 'result',
      note: 'late.with-result',
      wiring: [{ native: 'PreToolUse', does: 'give' }],
    },
    post_tool_use: {
      fidelity: 'native',
      moment: 'result',
      wiring: [{ native: 'PostToolUse', does: 'give' }],
    },
    post_request: {
      fidelity: 'deferred',
      moment: 'next-prompt',
      note: 'deferred.next-prompt',
      wiring: [
        { native: 'Stop', does: 'keep' },
        { native: 'UserPromptSubmit', does: 'give-kept' },
      ],
    },
    session_end: {
      fidelity: 'deferred',
      moment: 'next-session',
      note: 'deferred.next-session',
      wiring: [
        { native: 'SessionStart', does: 'give-kept' },
        { native: 'UserPromptSubmit', does: 'mark-turn' },
        { native: 'SessionEnd', does: 'keep' },
      ],
    },
  },
  natives: {
    SessionStart: { sample: { source: 'startup' } },
    // Fires for each task of a sub-agent too, then with agent_id.
    UserPromptSubmit: { skipIf: 'agent_id', sample: { prompt: 'Please go on.' } },
    PreToolUse: { matchesTools: true },
    PostToolUse: { matchesTools: true, output: 'tool_response', sample: { tool_response: 'done' } },
    Stop: { sample: { stop_hook_active: false, last_assistant_message: 'Done.' } },
    SessionEnd: { maxTimeout: 3, sample: { reason: 'other' } },
  },
  tools: {
    names: { Bash: ['Bash'], Edit: ['apply_patch'], Write: ['apply_patch'] },
    missing: [
      'MultiEdit',
      'NotebookEdit',
      'Read',
      'Glob',
      'Grep',
      'LS',
      'WebFetch',
      'WebSearch',
      'TodoWrite',
      'BashOutput',
      'KillShell',
      'Skill',
      'AskUserQuestion',
      'ExitPlanMode',
      'Task',
      'Agent',
      'TodoWrite',
      'Skill',
      'AskUserQuestion',
    ],
    exactNames: /^[A-Za-z0-9_]+$/,
    mcp: { prefix: 'mcp__', separator: '__', unsafe: /[^A-Za-z0-9_]/g },
    payload: {},
  },
  // Plain text of an answer is context at these two events only.
  mcpTool: {
    events: ['session_start', 'pre_request'],
    needsDocument: false,
    variables: { session_id: '${session_id}' },
  },
  nextSteps: ['codex.trust'],
  plugin: {
    name: 'codex-plugin',
    manifest: '.codex-plugin/plugin.json',
    hooks: 'hooks/hooks.json',
    elsewhere: { key: 'hooks', hooks: 'hooks/codex.json' },
    root: '"$PLUGIN_ROOT"',
    nextSteps: ['plugin.codex'],
  },
};
