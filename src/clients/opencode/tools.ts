import { respelt, type ToolNames } from '../tools.ts';

export const tools: ToolNames = {
  names: {
    Bash: ['bash'],
    Read: ['read'],
    Write: ['write', 'apply_patch'],
    Edit: ['edit', 'apply_patch'],
    Glob: ['glob'],
    Grep: ['grep'],
    Task: ['task'],
    Agent: ['task'],
    TodoWrite: ['todowrite'],
    WebFetch: ['webfetch'],
    WebSearch: ['websearch'],
    Skill: ['skill'],
    AskUserQuestion: ['question'],
  },
  // It offers websearch with a provider of its own only.
  absent: { MultiEdit: { instead: 'Edit' }, LS: { instead: 'Bash' }, WebSearch: {} },
  mcp: { name: '{alias}_{tool}', spell: respelt(/[^A-Za-z0-9_-]/g) },
  payload: {},
  outputIsText: true,
};
