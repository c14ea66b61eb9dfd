import { INPUT_WITH_AGENTS } from '../dialects/claude.ts';
import type { HookProtocol } from '../protocol.ts';

export const protocol: HookProtocol = {
  input: INPUT_WITH_AGENTS,
  startFolderEnv: 'CLAUDE_PROJECT_DIR',
  // Cursor, Copilot CLI, Devin and VS Code also run hooks in this format.
  otherHosts: {
    env: ['CURSOR_PROJECT_DIR', 'COPILOT_PROJECT_DIR', 'DEVIN_PROJECT_DIR'],
    fields: ['cursor_version', 'hookEventName', 'timestamp'],
    ownSession: 'CLAUDE_CODE_SESSION_ID',
  },
};
