import { respelt, type ToolNames } from '../tools.ts';

export const tools: ToolNames = {
  names: {
    Bash: ['Execute'],
    Write: ['Create'],
    Edit: ['Edit', 'ApplyPatch'],
    Read: ['Read'],
    Glob: ['Glob'],
    Grep: ['Grep'],
    LS: ['LS'],
    Task: ['Task'],
    Agent: ['Task'],
    WebFetch: ['FetchUrl'],
    WebSearch: ['WebSearch'],
    TodoWrite: ['TodoWrite'],
    Skill: ['Skill'],
    AskUserQuestion: ['AskUser'],
    ExitPlanMode: ['ExitSpecMode'],
  },
  absent: { MultiEdit: { instead: 'Edit' }, NotebookEdit: { instead: 'Edit' } },
  mcp: { name: '{alias}___{tool}', spell, spellTool: respelt(/[^A-Za-z0-9_-]/g) },
  payload: {},
};

/** Droid's name for a server, as read in the source of 0.215.0 and seen for `my server.x` and `a/b@é`. */
function spell(alias: string): string {
  const name = alias
    .replace(/[\s/\\@#$%^&*()+=[\]{}|;:'"<>,.?]+/g, '-')
    .replace(/[^a-zA-Z0-9_-]/g, '')
    .replace(/-+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 32)
    .replace(/-+$/, '');
  return name === '' ? 'invalid-server-name' : name;
}
