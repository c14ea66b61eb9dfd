import type { Conditions } from '../conditions.ts';

/** Observed on Codex 0.169.0. */
export const conditions: Conditions = {
  outcome: {
    // PostToolUse also fires for failed commands, without an exit code. The event doesn't fire for a patch that doesn't
    // fit or can't be written, nor for an MCP tool that answers with isError.
    PostToolUse: { signs: [{ tools: ['Bash'] }], onlySuccess: true },
  },
  shell: { Bash: 'command' },
  files: { apply_patch: { patch: 'command' }, view_image: { paths: ['path'] } },
  // Codex searches only by shell commands.
  kinds: { search: [], edit: ['apply_patch'] },
  source: {
    native: 'SessionStart',
    path: 'source',
    words: { startup: 'startup', resume: 'resume', fork: 'resume', clear: 'clear', compact: 'compact' },
  },
};
