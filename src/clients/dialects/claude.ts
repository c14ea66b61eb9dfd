import type { Client } from '../client.ts';
import type { HookInput, NativeEvent, Wiring } from '../protocol.ts';

/** The hooks format of Claude Code, adopted by other clients. */

/** Payload paths of what hooks read. */
export const CLAUDE_INPUT: HookInput = {
  session: 'session_id',
  toolName: 'tool_name',
  toolInput: 'tool_input',
  event: 'hook_event_name',
  sample: { transcript_path: null },
};

/** Of clients whose sub-agents' payloads have the main agent's session. */
export const INPUT_WITH_AGENTS: HookInput = { ...CLAUDE_INPUT, agent: 'agent_id' };

/** Wiring of the six events for clients without a separate event for failed tools. */
export const CLAUDE_EVENTS = {
  session_start: {
    fidelity: 'native',
    moment: 'first-prompt',
    wiring: [{ native: 'SessionStart', does: 'emit' }],
  },
  pre_request: {
    fidelity: 'native',
    moment: 'prompt',
    wiring: [{ native: 'UserPromptSubmit', does: 'emit' }],
  },
  pre_tool_use: {
    fidelity: 'late',
    moment: 'result',
    note: 'late.with-result',
    wiring: [{ native: 'PreToolUse', does: 'emit' }],
  },
  post_tool_use: {
    fidelity: 'native',
    moment: 'result',
    wiring: [{ native: 'PostToolUse', does: 'emit' }],
  },
  post_request: {
    fidelity: 'deferred',
    moment: 'next-prompt',
    note: 'deferred.next-prompt',
    wiring: [
      { native: 'Stop', does: 'defer' },
      { native: 'UserPromptSubmit', does: 'emit-deferred' },
    ],
  },
  session_end: {
    fidelity: 'deferred',
    moment: 'next-session',
    note: 'deferred.next-session',
    wiring: [
      { native: 'SessionStart', does: 'emit-deferred' },
      { native: 'UserPromptSubmit', does: 'mark-turn' },
      { native: 'SessionEnd', does: 'defer' },
    ],
  },
} satisfies Client['events'];

/** Wiring of post_tool_use for clients with a separate event for failed tools. */
export const WITH_FAILED_TOOLS: readonly Wiring[] = [
  { native: 'PostToolUse', does: 'emit' },
  { native: 'PostToolUseFailure', does: 'emit' },
];

export const CLAUDE_NATIVES = {
  SessionStart: { sample: { source: 'startup' } },
  UserPromptSubmit: { prompt: 'prompt', sample: { prompt: 'Please go on.' } },
  PreToolUse: { matchesTools: true, sample: { tool_use_id: 'fire' } },
  PostToolUse: {
    matchesTools: true,
    output: 'tool_response',
    sample: { tool_response: 'done', tool_use_id: 'fire' },
  },
  Stop: { sample: { stop_hook_active: false, last_assistant_message: 'Done.' } },
  SessionEnd: { sample: { reason: 'other' } },
} satisfies Record<string, NativeEvent>;
