import { respelt, type ToolNames } from '../tools.ts';

export const tools: ToolNames = {
  names: {
    Bash: ['run_shell_command'],
    Edit: ['edit'],
    Write: ['write_file'],
    Read: ['read_file'],
    Glob: ['glob'],
    Grep: ['grep_search'],
    LS: ['list_directory'],
    NotebookEdit: ['notebook_edit'],
    WebFetch: ['web_fetch'],
    TodoWrite: ['todo_write'],
    Task: ['agent'],
    Agent: ['agent'],
    Skill: ['skill'],
    AskUserQuestion: ['ask_user_question'],
    ExitPlanMode: ['exit_plan_mode'],
  },
  // The model of 0.24.4 calls web_fetch and tools of servers through `tool_call`; hooks get the tool's own name.
  absent: {
    MultiEdit: { instead: 'Edit' },
    LS: { since: '0.24.4', instead: 'Bash' },
    TodoWrite: { since: '0.24.4' },
  },
  mcp: {
    name: 'mcp__{alias}__{tool}',
    spell: respelt(/[^A-Za-z0-9_-]/g),
    finish,
    mark: '_???????',
    keeps: 55,
  },
  payload: {},
};

/**
 * Qwen Code's name for a tool, as read in the source of 0.24.4: one with other characters, or of more than 63, ends with
 * a hash (FNV-1a) of the name as it was.
 */
function finish(name: string, raw: string): string {
  if (raw.length <= 63 && name === raw) return name;
  let hash = 2166136261;
  for (let i = 0; i < raw.length; i++) hash = Math.imul(hash ^ raw.charCodeAt(i), 16777619);
  const mark = `_${(hash >>> 0).toString(36).padStart(7, '0')}`;
  return name.slice(0, 63 - mark.length) + mark;
}
