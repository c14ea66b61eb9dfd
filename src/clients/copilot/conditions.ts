import type { Conditions } from '../conditions.ts';
import { RESULT } from './protocol.ts';

/** The last line of a command's result; a command in the background has none. */
const ENDED = 'completed with exit code ';

/** The files of VS Code's edits in several places; those of further edits are not looked at. */
const REPLACED = Array.from({ length: 10 }, (_, i) => `replacements.${i}.filePath`);

/** Observed on Copilot CLI 1.0.83 and 1.0.102; the names of VS Code's tools and fields were read in its source. */
export const conditions: Conditions = {
  outcome: {
    // A shell command with an exit code other than 0 is a success here.
    postToolUse: {
      signs: [
        {
          tools: ['bash', 'run_in_terminal'],
          path: RESULT,
          known: `${ENDED}-?\\d+>\\s*$`,
          failed: `${ENDED}(?!0>)-?\\d+>\\s*$`,
          holds: [ENDED.trim()],
        },
      ],
    },
    postToolUseFailure: 'failure',
  },
  shell: { bash: 'command', run_in_terminal: 'command' },
  files: {
    view: { paths: ['path'] },
    create: { paths: ['path'] },
    edit: { paths: ['path'] },
    apply_patch: { patch: ['', 'input'] },
    read_file: { paths: ['filePath'] },
    create_file: { paths: ['filePath'] },
    replace_string_in_file: { paths: ['filePath'] },
    multi_replace_string_in_file: { paths: REPLACED },
    insert_edit_into_file: { paths: ['filePath'] },
  },
  kinds: {
    search: ['grep', 'rg', 'glob', 'grep_search', 'file_search'],
    edit: [
      'edit',
      'create',
      'apply_patch',
      'replace_string_in_file',
      'multi_replace_string_in_file',
      'insert_edit_into_file',
      'create_file',
    ],
  },
  // After /clear a new session begins, with the word of any other start. Compaction starts none.
  source: {
    native: 'sessionStart',
    path: 'source',
    words: { new: 'startup', resume: 'resume' },
    by: { preCompact: 'compact' },
  },
};
