import type { Conditions } from '../conditions.ts';

/** Observed on Codex 0.169.0. */
export const conditions: Conditions = {
  outcome: {
    // It fires for commands that failed, too, and says no exit code of them. For a patch that doesn't fit or can't be
    // written, and for an MCP tool that answers with isError, it doesn't fire.
    PostToolUse: { signs: [{ tools: ['Bash'] }], onlySuccess: true },
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
