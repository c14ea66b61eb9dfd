import type { FileRules } from '../edit/types.ts';
import type { Client, SettingsFile, Wiring } from './types.ts';

/** Strongest first. */
const SETTINGS: readonly SettingsFile[] = [
  { in: 'system', path: '/etc/gemini-cli/settings.json', env: 'GEMINI_CLI_SYSTEM_SETTINGS_PATH' },
  { in: 'system', path: '/Library/Application Support/GeminiCli/settings.json' },
  { in: 'session', path: '.gemini/settings.json' },
  { in: 'client', path: 'settings.json' },
  { in: 'system', path: '/etc/gemini-cli/system-defaults.json', env: 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH' },
];

// A byte order mark or an empty file keeps Gemini CLI from starting.
const ACCEPTS: FileRules = { bom: false, emptyFile: false };

/** What tells the user's prompts from those that the client makes itself (see `continuation` below). */
const USERS_PROMPT: readonly Wiring[] = [
  { native: 'SessionStart', does: 'rearm' },
  { native: 'AfterAgent', does: 'mark-turn' },
];

/** Facts observed on Gemini CLI 0.61.0. */
export const geminiCli: Client = {
  id: 'gemini-cli',
  title: 'Gemini CLI',
  proved: { oldest: '0.61.0', newest: '0.61.0' },
  npmPackage: '@google/gemini-cli',
  binary: 'gemini',
  folder: { env: 'GEMINI_CLI_HOME', envSub: '.gemini', home: '.gemini' },
  hookFiles: [{ path: 'settings.json', format: 'jsonc', accepts: ACCEPTS }],
  project: {
    files: [{ path: '.gemini/settings.json', format: 'jsonc', accepts: ACCEPTS }],
    local: [],
    // Hooks run in the folder where Gemini CLI was started, and it reads a project's settings in no other.
    command: (path) => `sh ./${path} 2>/dev/null || exit 0`,
    nextSteps: ['gemini.project', 'gemini.restart'],
  },
  offSwitches: [{ at: ['hooksConfig', 'enabled'], off: false, files: SETTINGS }],
  // Without it, hooks of settings files don't run, the user's own neither (0.61.0).
  folderTrust: {
    file: { in: 'client', path: 'trustedFolders.json', env: 'GEMINI_CLI_TRUSTED_FOLDERS_PATH' },
    levels: { folder: 'TRUST_FOLDER', parent: 'TRUST_PARENT', never: 'DO_NOT_TRUST' },
    env: { name: 'GEMINI_CLI_TRUST_WORKSPACE', value: 'true' },
    off: { at: ['security', 'folderTrust', 'enabled'], off: false, files: SETTINGS },
  },
  tombstones: false,
  timeoutUnit: 'ms',
  // Two hooks of one name and command run once; the name is also what `/hooks disable` takes.
  handler: (name) => ({ name: `mcphooks:${name}` }),
  // `/hooks disable` writes to the workspace's settings, for a user's hooks too.
  offList: { path: ['hooksConfig', 'disabled'], project: '.gemini/settings.json' },
  // `$NAME` is replaced in every string of settings.json, within quotes too.
  shell: 'sh',
  windowsShell: 'powershell',
  forbiddenInCommand: ['$'],
  unit: 'code-points',
  // A tool's result with its context is cut to its first 8,000 and last 32,000 characters.
  perHandler: 30_000,
  events: {
    // SessionStart's own context is lost after /clear and on resume; the first BeforeAgent's is not.
    session_start: {
      fidelity: 'native',
      moment: 'first-prompt',
      wiring: [...USERS_PROMPT, { native: 'BeforeAgent', does: 'give', at: 'start' }],
    },
    pre_request: {
      fidelity: 'native',
      moment: 'prompt',
      wiring: [...USERS_PROMPT, { native: 'BeforeAgent', does: 'give' }],
    },
    // BeforeTool can carry text only by blocking the call.
    pre_tool_use: {
      fidelity: 'late',
      moment: 'result',
      note: 'late.after-call',
      wiring: [
        { native: 'AfterTool', does: 'give' },
        { native: 'AfterTool', does: 'give-kept' },
        { native: 'BeforeAgent', does: 'give-kept' },
      ],
    },
    post_tool_use: {
      fidelity: 'native',
      moment: 'result',
      wiring: [
        { native: 'AfterTool', does: 'give' },
        { native: 'AfterTool', does: 'give-kept' },
        { native: 'BeforeAgent', does: 'give-kept' },
      ],
    },
    post_request: {
      fidelity: 'deferred',
      moment: 'next-prompt',
      note: 'deferred.next-prompt',
      wiring: [
        ...USERS_PROMPT,
        { native: 'AfterAgent', does: 'keep' },
        { native: 'BeforeAgent', does: 'give-kept' },
      ],
    },
    session_end: {
      fidelity: 'deferred',
      moment: 'next-session',
      note: 'deferred.next-session',
      wiring: [
        ...USERS_PROMPT,
        { native: 'BeforeAgent', does: 'give-kept', at: 'start' },
        { native: 'BeforeAgent', does: 'mark-turn' },
        { native: 'SessionEnd', does: 'keep' },
      ],
    },
  },
  natives: {
    SessionStart: { sample: { source: 'startup' } },
    BeforeAgent: {
      sample: { prompt: 'Please go on.' },
      // When another hook refuses the end of a turn, BeforeAgent fires again with the reason as prompt. The user's own
      // prompts stand in logs.json before (interactive), or are the only one after a SessionStart (headless).
      continuation: {
        beside: 'transcript_path',
        log: '../logs.json',
        time: 'timestamp',
        withinMs: 60_000,
      },
    },
    // The context of a tool result that is an error object is dropped.
    AfterTool: {
      matchesTools: true,
      output: 'tool_response.llmContent',
      keepIf: 'tool_response.error',
      sample: { tool_response: { llmContent: 'Output: done', returnDisplay: 'done' } },
    },
    AfterAgent: {
      turnEnd: 'timestamp',
      sample: { prompt: 'Please go on.', prompt_response: 'Done.', stop_hook_active: false },
    },
    SessionEnd: { sample: { reason: 'exit' } },
  },
  tools: {
    names: {
      Bash: ['run_shell_command'],
      Edit: ['replace'],
      Write: ['write_file'],
      Read: ['read_file'],
      Glob: ['glob'],
      Grep: ['grep_search'],
      LS: ['list_directory'],
      WebFetch: ['web_fetch'],
      WebSearch: ['google_web_search'],
      TodoWrite: ['write_todos'],
      Task: ['invoke_agent'],
      Agent: ['invoke_agent'],
      Skill: ['activate_skill'],
      AskUserQuestion: ['ask_user'],
      ExitPlanMode: ['exit_plan_mode'],
    },
    missing: ['MultiEdit', 'NotebookEdit', 'BashOutput', 'KillShell'],
    mcp: { prefix: 'mcp_', separator: '_', unsafe: /[^A-Za-z0-9_.-]/g, maxLength: 64 },
    payload: { server: 'mcp_context.server_name', tool: 'mcp_context.tool_name' },
    outputIsText: true,
  },
  startFolderEnv: 'GEMINI_PROJECT_DIR',
  nextSteps: ['gemini.restart', 'gemini.trust'],
  plugin: {
    name: 'gemini-extension',
    manifest: 'gemini-extension.json',
    hooks: 'hooks/hooks.json',
    // Put in as text, and there is no variable: in a here-document no character of the path means anything.
    root: `"$(cat <<'#'\n\${extensionPath}\n#\n)"`,
    nextSteps: ['plugin.gemini'],
    // A folder that lies there is active; `gemini extensions install` does no more than copy it (0.61.0).
    autoLoad: { folder: 'extensions', note: 'target.untrusted-too', nextSteps: ['gemini.restart'] },
  },
};
