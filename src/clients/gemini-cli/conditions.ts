import type { Conditions } from '../conditions.ts';

/** Lines after a command's output. The output itself is never after them. */
const LAST_LINES =
  '(?:\\n(?:Signal|Background PIDs|Process Group PGID): [^\\n]*)*(?:\\n</untrusted_context>)?\\s*$';

/** Observed on Gemini CLI 0.61.0; the form of a command's result was also read in its source. */
export const conditions: Conditions = {
  outcome: {
    AfterTool: {
      signs: [
        { path: 'tool_response.error', holds: ['error'] },
        {
          tools: ['run_shell_command'],
          path: 'tool_response.llmContent',
          // A command in the background, or with a summarised output, shows no outcome.
          holds: ['Exit Code', 'Signal', 'Command was'],
          known: '^(?:<untrusted_context>\\n)?(?:Output: |Command was (?:automatically )?cancelled)',
          failed: `^(?:<untrusted_context>\\n)?Command was |\\n(?:Exit Code: [1-9]\\d*|Signal: [^\\n]+)${LAST_LINES}`,
        },
      ],
    },
  },
  shell: { run_shell_command: 'command' },
  files: {
    read_file: { paths: ['file_path'] },
    write_file: { paths: ['file_path'] },
    replace: { paths: ['file_path'] },
  },
  kinds: { search: ['grep_search', 'glob'], edit: ['replace', 'write_file'] },
  // Compression starts no session (0.61.0), so there is no 'compact'.
  source: {
    native: 'SessionStart',
    path: 'source',
    words: { startup: 'startup', resume: 'resume', clear: 'clear' },
  },
};
