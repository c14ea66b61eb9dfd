import type { Client } from '../client.ts';
import { CLAUDE_EVENTS, CLAUDE_NATIVES, WITH_FAILED_TOOLS } from '../dialects/claude.ts';

const { PreToolUse: _, ...NATIVES } = CLAUDE_NATIVES;

export const events: Client['events'] = {
  ...CLAUDE_EVENTS,
  // Part of the system prompt, which each start makes anew.
  session_start: { ...CLAUDE_EVENTS.session_start, replacesEarlier: true },
  // PreToolUse can carry text only by refusing the call.
  pre_tool_use: { fidelity: 'late', moment: 'result', note: 'late.after-call', wiring: WITH_FAILED_TOOLS },
  // A failed tool, including a command with an exit code other than 0, fires PostToolUseFailure instead.
  post_tool_use: { ...CLAUDE_EVENTS.post_tool_use, wiring: WITH_FAILED_TOOLS },
  session_end: {
    ...CLAUDE_EVENTS.session_end,
    note: {
      code: 'qwen.session-end',
      text: "kept when the session ends, given when the project's next one starts; a run with -p starts no hook at its end",
    },
  },
};

export const natives: Client['natives'] = {
  ...NATIVES,
  // Fires before each model request of a turn. The requests after a tool's result have an empty prompt, the turn that a
  // hook forces has the hook's reason; all have the prompt_id of the user's prompt. So has the first prompt of a session
  // that ended with a blocked one and goes on (0.24.4). Only a user's prompt has submitted_prompt, but not each of them.
  UserPromptSubmit: {
    prompt: 'prompt',
    skipUnless: 'prompt',
    oncePer: 'prompt_id',
    newIf: 'submitted_prompt',
    sample: { prompt: 'Please go on.', prompt_id: 'fire########0' },
  },
  PostToolUse: {
    matchesTools: true,
    output: 'tool_response.llmContent',
    sample: { tool_response: { llmContent: 'done', returnDisplay: 'done' }, tool_use_id: 'fire' },
  },
  PostToolUseFailure: {
    matchesTools: true,
    output: 'error',
    sample: { error: 'Exit Code: 1', tool_use_id: 'fire', is_interrupt: false },
  },
  SessionEnd: { sample: { reason: 'prompt_input_exit' } },
};
