import { respelt, type ToolNames } from '../tools.ts';

export const tools: ToolNames = {
  // The sub-agent tool was renamed: matchers may use the old name, payloads contain the new name.
  names: { Agent: ['Agent', 'Task'], Task: ['Agent', 'Task'] },
  restIsCanonical: true,
  // Where Claude Code finds no Git Bash, it offers this tool in place of Bash (2.1.329).
  onWindows: { Bash: ['PowerShell'] },
  // 2.1.118 offered the first three only with -p, and at a terminal neither Grep nor Glob; its model runs grep in Bash.
  absent: {
    Grep: { since: '2.1.250', instead: 'Bash' },
    Glob: { since: '2.1.250', instead: 'Bash' },
    TodoWrite: { since: '2.1.250' },
    LS: { instead: 'Bash' },
    MultiEdit: { instead: 'Edit' },
    BashOutput: {},
    KillShell: {},
  },
  exactNames: /^[A-Za-z0-9_]+$/,
  mcp: {
    name: 'mcp__{alias}__{tool}',
    spell: respelt(/[^A-Za-z0-9_-]/g),
  },
  payload: { server: 'mcp_server.name' },
};
