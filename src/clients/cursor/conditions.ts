import type { Conditions } from '../conditions.ts';

/** Read in the hook runtime of @cursor/sdk 1.0.32, which also made the payloads that the tests hold. */
export const conditions: Conditions = {
  outcome: {
    postToolUse: {
      signs: [
        // A command without a terminal ends here with any exit code. In the output, quotes are escaped.
        { tools: ['Shell'], path: 'tool_output', failed: '"exitCode":-?[1-9]', holds: ['exitCode'] },
        {
          path: 'tool_output',
          failed: '"isError":true\\}$|^\\{"error":|^\\{"(?:rejected|permissionDenied)":true',
          holds: ['isError', 'error', 'rejected', 'permissionDenied'],
        },
      ],
    },
    postToolUseFailure: 'failure',
  },
  shell: { Shell: 'command' },
  files: {
    Read: { paths: ['file_path'] },
    Write: { paths: ['file_path'] },
    Delete: { paths: ['file_path'] },
    ReadLints: { paths: ['file_path'] },
  },
  kinds: { search: ['Grep'], edit: ['Write'] },
  // The first prompt of a conversation is where session_start fires.
  source: { always: 'startup' },
};
