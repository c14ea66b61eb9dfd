import type { Conditions } from '../conditions.ts';

/** Observed on OpenCode 1.18.33; program.js makes the payloads. */
export const conditions: Conditions = {
  outcome: {
    // A shell command that ends with another code than 0 is no failed tool. A call that OpenCode itself calls failed
    // comes as PostToolUseFailure.
    PostToolUse: { signs: [{ path: 'tool_response.failed', holds: ['failed'] }] },
    PostToolUseFailure: 'failure',
  },
  shell: { bash: 'command' },
  files: {
    read: { paths: ['filePath'] },
    write: { paths: ['filePath'] },
    edit: { paths: ['filePath'] },
    // Offered to GPT models in place of edit and write; read in the source.
    apply_patch: { patch: 'patchText' },
  },
  kinds: { search: ['grep', 'glob'], edit: ['edit', 'write', 'apply_patch'] },
  // A new session of a program that has had one before is 'clear'.
  source: {
    native: 'SessionStart',
    path: 'source',
    words: { startup: 'startup', resume: 'resume', clear: 'clear', compact: 'compact' },
  },
};
