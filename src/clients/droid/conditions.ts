import type { Conditions } from '../conditions.ts';

/** Observed on Droid 0.215.0. */
export const conditions: Conditions = {
  // A shell command that ends with a code other than 0, a file that is missing and an error of an MCP tool fire no event.
  outcome: { PostToolUse: { signs: [], onlySuccess: true } },
  shell: { Execute: 'command' },
  files: {
    Read: { paths: ['file_path'] },
    Create: { paths: ['file_path'] },
    Edit: { paths: ['file_path'] },
    // Read in the source: offered to some models in place of Edit.
    ApplyPatch: { patch: 'input' },
  },
  kinds: { search: ['Grep', 'Glob'], edit: ['Create', 'Edit', 'ApplyPatch'] },
  // A session after /clear or /compress starts with the same word as a resumed one, so that only `startup` is told.
  source: { native: 'SessionStart', path: 'source', words: { startup: 'startup' } },
};
