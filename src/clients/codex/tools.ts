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
  },
  // 0.169.0 leaves them out without a word.
  servers: {
    names: /^[A-Za-z0-9_:@/.-]+$/,
    otherwise: {
      code: 'codex.server-name',
      text: 'Codex starts no server of this name, so its model has none of the tools; it takes names of the letters A to Z and a to z, digits, and _ : @ / . -',
    },
  },
  payload: {},
};
