import type { Conditions } from '../conditions.ts';

/** Observed on Claude Code 2.1.118 to 2.1.329. */
export const conditions: Conditions = {
  // A Bash command with an exit code other than 0, and an error of an MCP tool, fire PostToolUseFailure instead.
  outcome: {
    // A command in the background has only been started (2.1.329).
    PostToolUse: { is: 'success', unless: 'tool_response.backgroundTaskId', holds: '"backgroundTaskId"' },
    PostToolUseFailure: 'failure',
  },
  shell: { Bash: 'command' },
  files: {
    Read: { paths: ['file_path'] },
    Edit: { paths: ['file_path'] },
    MultiEdit: { paths: ['file_path'] },
    Write: { paths: ['file_path'] },
    NotebookEdit: { paths: ['notebook_path'] },
  },
  kinds: { search: ['Grep', 'Glob'], edit: ['Edit', 'MultiEdit', 'Write', 'NotebookEdit'] },
  source: {
    native: 'SessionStart',
    path: 'source',
    words: { startup: 'startup', resume: 'resume', fork: 'resume', clear: 'clear', compact: 'compact' },
  },
};
