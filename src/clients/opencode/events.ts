import type { Client, Newer } from '../client.ts';
import { CLAUDE_EVENTS, CLAUDE_NATIVES, WITH_FAILED_TOOLS } from '../dialects/claude.ts';

/** program.js turns OpenCode's own hooks into these events. */
export const events: Client['events'] = {
  ...CLAUDE_EVENTS,
  post_tool_use: { ...CLAUDE_EVENTS.post_tool_use, wiring: WITH_FAILED_TOOLS },
};

export const natives: Client['natives'] = {
  ...CLAUDE_NATIVES,
  PostToolUse: {
    matchesTools: true,
    output: 'tool_response.output',
    sample: { tool_response: { output: 'done' } },
  },
  PostToolUseFailure: { matchesTools: true, output: 'error', sample: { error: 'Error: failed' } },
  // OpenCode waits for them when it ends (1.18.33).
  Stop: { sample: {}, maxTimeout: 5 },
  SessionEnd: { sample: { reason: 'exit' }, maxTimeout: 5 },
};

/** Such a version calls `setup` of program.js, which does nothing, in place of `server`. */
export const NEWER: Newer = {
  since: '2.0.0',
  note: {
    code: 'opencode.newer',
    text: 'from 2.0.0 on, it loads the plugin, but no text reaches the model: its hooks are different (known from its documentation, untested)',
  },
};
