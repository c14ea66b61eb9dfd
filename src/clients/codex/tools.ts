import { respelt, type ToolNames } from '../tools.ts';

export const tools: ToolNames = {
  names: { Bash: ['Bash'], Edit: ['apply_patch'], Write: ['apply_patch'] },
  // Codex reads and searches through its shell.
  absent: {
    Read: { instead: 'Bash' },
    Grep: { instead: 'Bash' },
    Glob: { instead: 'Bash' },
    LS: { instead: 'Bash' },
    MultiEdit: { instead: 'Edit' },
    NotebookEdit: { instead: 'Edit' },
  },
  exactNames: /^[A-Za-z0-9_]+$/,
  mcp: {
    name: 'mcp__{alias}__{tool}',
    spell: respelt(/[^A-Za-z0-9_]/g),
    spellTool: respelt(/[^A-Za-z0-9_]/g),
  },
  payload: {},
};
