import type { Conditions } from '../conditions.ts';

/** Observed on Qwen Code 0.21.10 to 0.24.4. */
export const conditions: Conditions = {
  // A shell command with an exit code other than 0, and an error of an MCP tool, fire PostToolUseFailure instead.
  outcome: {
    // A command in the background has only been started (0.24.4).
    PostToolUse: { is: 'success', unless: 'tool_input.is_background', holds: '"is_background":true' },
    PostToolUseFailure: 'failure',
  },
  shell: { run_shell_command: 'command' },
  files: {
    read_file: { paths: ['file_path'] },
    write_file: { paths: ['file_path'] },
    edit: { paths: ['file_path'] },
    notebook_edit: { paths: ['notebook_path'] },
  },
  kinds: { search: ['grep_search', 'glob'], edit: ['edit', 'write_file', 'notebook_edit'] },
  source: {
    native: 'SessionStart',
    path: 'source',
    // `compact` was read in the source of 0.21.10 and 0.24.4.
    words: { startup: 'startup', resume: 'resume', clear: 'clear', compact: 'compact' },
  },
};
