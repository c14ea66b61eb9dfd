import { respelt, type ToolNames } from '../tools.ts';

export const tools: ToolNames = {
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
  absent: { MultiEdit: { instead: 'Edit' } },
  mcp: {
    name: 'mcp_{alias}_{tool}',
    spell: respelt(/[^A-Za-z0-9_.-]/g),
    maxLength: 63,
  },
  payload: { server: 'mcp_context.server_name', tool: 'mcp_context.tool_name' },
  outputIsText: true,
};
