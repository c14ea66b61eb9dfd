import type { FileRules } from '../edit/types.ts';
import type { Client, SettingsFile } from './types.ts';

/** Merged, strongest first; a stronger `false` takes a weaker `true` back (2.1.329). */
const MANAGED = ['/etc/claude-code', '/Library/Application Support/ClaudeCode'].flatMap(
  (folder): SettingsFile[] => [
    { in: 'system', path: `${folder}/managed-settings.d`, each: '.json' },
    { in: 'system', path: `${folder}/managed-settings.json` },
  ],
);
const SETTINGS: readonly SettingsFile[] = [
  ...MANAGED,
  { in: 'session', path: '.claude/settings.local.json' },
  { in: 'session', path: '.claude/settings.json' },
  { in: 'client', path: 'settings.json' },
];

// 2,090,000 bytes were accepted, 2,110,000 dropped with permissions and all.
const ACCEPTS: FileRules = { bom: true, emptyFile: true, maxBytes: 2_000_000 };

/** Facts observed on Claude Code 2.1.118 to 2.1.329; versions are named where they differ. */
export const claudeCode: Client = {
  id: 'claude-code',
  title: 'Claude Code',
  proved: { oldest: '2.1.118', newest: '2.1.329' },
  npmPackage: '@anthropic-ai/claude-code',
  versionInPath: /\/versions\/(\d+\.\d+\.\d+)$/,
  binary: 'claude',
  folder: { env: 'CLAUDE_CONFIG_DIR', envSub: '', home: '.claude' },
  hookFiles: [{ path: 'settings.json', format: 'json', accepts: ACCEPTS }],
  project: {
    files: [{ path: '.claude/settings.json', format: 'json', accepts: ACCEPTS }],
    local: [{ path: '.claude/settings.local.json', format: 'json', accepts: ACCEPTS }],
    // The variable and not the placeholder, which is replaced as text: a quote in the path would end the word.
    command: (path) => `sh "$CLAUDE_PROJECT_DIR"/${path} 2>/dev/null || exit 0`,
    nextSteps: ['claude.project'],
  },
  offSwitches: [
    { at: ['disableAllHooks'], off: true, files: SETTINGS },
    { at: ['allowManagedHooksOnly'], off: true, files: MANAGED },
  ],
  tombstones: false,
  timeoutUnit: 's',
  handler: () => ({}),
  // `${CLAUDE_PLUGIN_ROOT}` anywhere in a settings hook stops it from running.
  shell: 'sh',
  windowsShell: 'cmd',
  forbiddenInCommand: ['${CLAUDE_'],
  unit: 'utf16',
  perHandler: 10_000,
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
      // A tool that failed (a Bash command with another exit code than 0, too) fires PostToolUseFailure instead.
      wiring: [
        { native: 'PostToolUse', does: 'give' },
        { native: 'PostToolUseFailure', does: 'give' },
      ],
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
    UserPromptSubmit: { maxTimeout: 30, sample: { prompt: 'Please go on.' } },
    PreToolUse: { matchesTools: true },
    PostToolUse: {
      matchesTools: true,
      output: 'tool_response',
      sample: { tool_response: { stdout: 'done', stderr: '', interrupted: false } },
    },
    PostToolUseFailure: { matchesTools: true, output: 'error', sample: { error: 'Exit code 1' } },
    Stop: { sample: { stop_hook_active: false, last_assistant_message: 'Done.' } },
    // All SessionEnd hooks together get 1.5 s unless one asks for more.
    SessionEnd: { maxTimeout: 5, sample: { reason: 'other' } },
  },
  tools: {
    // The sub-agent tool was renamed; the old name still matches, payloads give the new one.
    names: { Agent: ['Agent', 'Task'], Task: ['Agent', 'Task'] },
    missing: [],
    exactNames: /^[A-Za-z0-9_]+$/,
    mcp: { prefix: 'mcp__', separator: '__', unsafe: /[^A-Za-z0-9_-]/g },
    payload: { server: 'mcp_server.name' },
  },
  startFolderEnv: 'CLAUDE_PROJECT_DIR',
  // Refused at session start; plain text of an answer reaches no model (2.1.329).
  mcpTool: {
    events: ['pre_request', 'pre_tool_use', 'post_tool_use'],
    needsDocument: true,
    variables: {
      session_id: '${session_id}',
      tool_name: '${tool_name}',
      tool_input: '${tool_input}',
      tool_output: '${tool_response}',
    },
  },
  // Cursor, Copilot CLI, Devin and VS Code run hooks of this format too.
  foreign: {
    env: ['CURSOR_PROJECT_DIR', 'COPILOT_PROJECT_DIR', 'DEVIN_PROJECT_DIR'],
    fields: ['cursor_version', 'hookEventName', 'timestamp'],
    ownSession: 'CLAUDE_CODE_SESSION_ID',
  },
  nextSteps: [],
  plugin: {
    name: 'claude-plugin',
    manifest: '.claude-plugin/plugin.json',
    // `claude plugin validate --strict` refuses a plugin without an author.
    fields: { author: { name: 'mcphooks' } },
    hooks: 'hooks/hooks.json',
    // The variable and not the placeholder, which is replaced as text: a quote in the path would end the word.
    root: '"$CLAUDE_PLUGIN_ROOT"',
    nextSteps: ['plugin.claude'],
    // As `<name>@skills-dir`; 2.1.150 takes it for a skill without a text.
    autoLoad: {
      folder: 'skills',
      since: '2.1.157',
      off: (name) => ({
        switch: { at: ['enabledPlugins', `${name}@skills-dir`], off: false, files: SETTINGS },
        undo: `claude plugin enable ${name}@skills-dir`,
      }),
      nextSteps: ['claude.restart'],
    },
  },
};
