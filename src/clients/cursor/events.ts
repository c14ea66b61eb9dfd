import type { OwnWords } from '../../messages/notes.ts';
import type { Client } from '../client.ts';

const NOT_IN_SDK: OwnWords = {
  code: 'cursor.prompt-text',
  text: 'not in agents run by the Cursor SDK: its runner discards the text of prompt hooks (1.0.32)',
};

/** What the runtime of @cursor/sdk carries for the model was driven; what the model reads was not. */
export const events: Client['events'] = {
  // Builds are said to exist that drop the whole file for its sessionStart. Each knows beforeSubmitPrompt.
  session_start: {
    fidelity: 'native',
    moment: 'first-prompt',
    note: NOT_IN_SDK,
    wiring: [{ native: 'beforeSubmitPrompt', does: 'emit', at: 'start' }],
  },
  pre_request: {
    fidelity: 'native',
    moment: 'prompt',
    note: NOT_IN_SDK,
    wiring: [{ native: 'beforeSubmitPrompt', does: 'emit' }],
  },
  pre_tool_use: {
    fidelity: 'late',
    moment: 'result',
    note: 'late.with-result',
    wiring: [{ native: 'preToolUse', does: 'emit' }],
  },
  post_tool_use: {
    fidelity: 'native',
    moment: 'result',
    wiring: [
      { native: 'postToolUse', does: 'emit' },
      { native: 'postToolUseFailure', does: 'emit' },
    ],
  },
  post_request: {
    fidelity: 'deferred',
    moment: 'next-prompt',
    note: 'deferred.next-prompt',
    wiring: [
      { native: 'stop', does: 'defer' },
      { native: 'beforeSubmitPrompt', does: 'emit-deferred' },
    ],
  },
  session_end: {
    fidelity: 'deferred',
    moment: 'next-session',
    note: 'deferred.next-session',
    wiring: [
      { native: 'beforeSubmitPrompt', does: 'emit-deferred', at: 'start' },
      { native: 'beforeSubmitPrompt', does: 'mark-turn' },
      { native: 'sessionEnd', does: 'defer' },
    ],
  },
};

/**
 * Cursor joins the texts of all hooks of a step, and drops them all when they are longer than 10,000 UTF-16 units
 * together. The rest is left to hooks of others.
 */
const textsUsed = { cap: 9_000 };

export const natives: Client['natives'] = {
  beforeSubmitPrompt: { textsUsed, prompt: 'prompt', sample: { prompt: 'Please go on.', attachments: [] } },
  preToolUse: { textsUsed, matchesTools: true, sample: { tool_use_id: 'fire' } },
  postToolUse: {
    textsUsed,
    matchesTools: true,
    output: 'tool_output',
    sample: { tool_output: '{"output":"done","exitCode":0}', duration: 1, tool_use_id: 'fire' },
  },
  postToolUseFailure: {
    textsUsed,
    matchesTools: true,
    output: 'error_message',
    sample: { error_message: 'failed', failure_type: 'error', duration: 1, tool_use_id: 'fire' },
  },
  // Fires for turns that the user stops, too, and for those that fail.
  stop: {
    skipLike: { path: 'status', like: '^(?:aborted|error)$', by: 'turn' },
    sample: { status: 'completed', loop_count: 0 },
  },
  sessionEnd: { sample: { reason: 'completed', duration_ms: 1 } },
};
