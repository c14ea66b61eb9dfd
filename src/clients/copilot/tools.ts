import type { ToolNames } from '../tools.ts';
import { spell } from './spell.ts';

/**
 * Names on Copilot CLI 1.0.83 and 1.0.102, then those of VS Code's own agent, read in its source. Models of OpenAI are
 * offered `apply_patch` and `rg`, others `create`, `edit` and `grep`.
 */
export const tools: ToolNames = {
  names: {
    Bash: ['bash', 'run_in_terminal'],
    BashOutput: ['read_bash'],
    KillShell: ['stop_bash'],
    Read: ['view', 'read_file'],
    Write: ['create', 'apply_patch', 'create_file'],
    Edit: [
      'edit',
      'apply_patch',
      'replace_string_in_file',
      'multi_replace_string_in_file',
      'insert_edit_into_file',
    ],
    Grep: ['grep', 'rg', 'grep_search'],
    Glob: ['glob', 'file_search'],
    Task: ['task', 'runSubagent'],
    Agent: ['task', 'runSubagent'],
    Skill: ['skill'],
    AskUserQuestion: ['ask_user'],
    WebFetch: ['web_fetch', 'fetch_webpage'],
  },
  absent: {
    LS: { instead: 'Bash' },
    MultiEdit: { instead: 'Edit' },
    NotebookEdit: { instead: 'Edit' },
  },
  // VS Code, which reads the same file, ignores matchers; Copilot CLI's are regular expressions over native names.
  noMatcher: true,
  mcp: {
    name: '{alias}-{tool}',
    spell,
    finish: (name) => name.slice(0, 64),
    mark: '',
    keeps: 64,
  },
  payload: {},
};
