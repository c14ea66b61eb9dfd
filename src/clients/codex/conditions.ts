import type { Conditions } from '../conditions.ts';

/** Observed on Codex 0.169.0. */
export const conditions: Conditions = {
  outcome: {
    // PostToolUse fires for commands that failed, too, and says no exit code of them. A tool that can't do its work at
    // all fires nothing.
    PostToolUse: {
      signs: [
        { tools: ['Bash'] },
        { tools: ['apply_patch'], path: 'tool_response', failed: '^Exit code: [1-9]', holds: ['Exit code'] },
        { path: 'tool_response.isError', holds: ['isError'] },
      ],
    },
  },
  shell: { Bash: 'command' },
  files: { apply_patch: { patch: 'command' }, view_image: { paths: ['path'] } },
  // It searches by shell commands alone.
  kinds: { search: [], edit: ['apply_patch'] },
  source: {
    native: 'SessionStart',
    path: 'source',
    words: { startup: 'startup', resume: 'resume', clear: 'clear', compact: 'compact' },
  },
};
