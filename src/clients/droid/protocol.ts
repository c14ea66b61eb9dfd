import { CLAUDE_INPUT } from '../dialects/claude.ts';
import type { HookProtocol } from '../protocol.ts';

export const protocol: HookProtocol = {
  input: { ...CLAUDE_INPUT, sample: { transcript_path: null, permission_mode: 'auto-high' } },
  output: {
    text: ['hookSpecificOutput.additionalContext'],
    // Without it, the user sees the document at each hook.
    fixed: { suppressOutput: true, 'hookSpecificOutput.hookEventName': '{event}' },
  },
};
