import type { Client, Older } from '../client.ts';
import { CLAUDE_EVENTS, CLAUDE_NATIVES } from '../dialects/claude.ts';

/** What a hook without text prints; without a document, the user would see each hook that ran. */
const UNSEEN = { suppressOutput: true };

export const events: Client['events'] = {
  ...CLAUDE_EVENTS,
  // A resumed session has none of the texts that hooks gave before (0.225.2).
  session_start: { ...CLAUDE_EVENTS.session_start, replacesEarlier: true },
  pre_request: {
    ...CLAUDE_EVENTS.pre_request,
    note: {
      code: 'droid.prompts-at-terminal',
      text: "at a terminal only: 'droid exec' starts no hook at a prompt",
    },
  },
  // The model reads no text of PreToolUse; PostToolUse fires for calls that succeed only.
  pre_tool_use: {
    fidelity: 'late',
    moment: 'result',
    note: {
      code: 'droid.after-success',
      text: "read with the tool's result, and not at all when the call fails: the client accepts no text before a call",
    },
    wiring: [{ native: 'PostToolUse', does: 'emit' }],
  },
  post_request: {
    ...CLAUDE_EVENTS.post_request,
    note: {
      code: 'droid.next-prompt-at-terminal',
      text: "kept when the turn ends, given with the next prompt of the same session; 'droid exec' has no next prompt",
    },
  },
  session_end: {
    ...CLAUDE_EVENTS.session_end,
    wiring: [
      { native: 'SessionStart', does: 'emit-deferred' },
      // 'droid exec' fires no UserPromptSubmit.
      { native: 'Stop', does: 'mark-turn' },
      { native: 'SessionEnd', does: 'defer' },
    ],
  },
};

export const natives: Client['natives'] = {
  // A sub-agent is a session of its own, and only its start names the session that it belongs to.
  SessionStart: {
    ...CLAUDE_NATIVES.SessionStart,
    skipIf: 'calling_session_id',
    whenSilent: UNSEEN,
  },
  UserPromptSubmit: {
    ...CLAUDE_NATIVES.UserPromptSubmit,
    // A sub-agent's task; and, in the main session, what became of it.
    skipLike: {
      path: 'prompt',
      like: '^(?:# Task Tool Invocation\\n\\nSubagent type: |Background task \\w+\\.\\ntask_id: )',
    },
    textsUsed: 'first',
    whenSilent: UNSEEN,
  },
  PostToolUse: {
    matchesTools: true,
    output: 'tool_response',
    textsUsed: 'first',
    whenSilent: UNSEEN,
    sample: { tool_response: 'done' },
  },
  Stop: {
    whenSilent: UNSEEN,
    sample: { stop_hook_active: false, tool_execution_count: 0, elapsed_time: 1000 },
  },
  // Fires twice when a person quits.
  SessionEnd: {
    whenSilent: UNSEEN,
    sample: { reason: 'other', session_duration_ms: 1000, message_count: 2 },
  },
};

/**
 * Observed on 0.117.0; npm has no version between that and 0.215.0. There a terminal fires SessionStart twice, and takes
 * the text of the second time, when what was kept for this session is given already.
 */
export const OLDER: Older = {
  before: '0.215.0',
  textUnusedAt: ['pre_request', 'post_request', 'session_end'],
  note: {
    code: 'droid.older',
    text: 'before 0.215.0, no text from pre_request and post_request reaches the model, none from session_end at a terminal, and at session start only the text of the first hook',
  },
};
