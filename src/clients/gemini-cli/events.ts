import type { Client } from '../client.ts';
import type { Wiring } from '../protocol.ts';

/** Wiring that distinguishes the user's prompts from the client's own prompts (see `continuation` below). */
const USERS_PROMPT: readonly Wiring[] = [
  { native: 'SessionStart', does: 'start-session' },
  { native: 'AfterAgent', does: 'mark-turn' },
];

/** A text that the client drops is kept, and given with a later result or prompt (see `keepIf` below). */
const AFTER_TOOL: readonly Wiring[] = [
  { native: 'AfterTool', does: 'emit' },
  { native: 'AfterTool', does: 'emit-deferred' },
  { native: 'BeforeAgent', does: 'emit-deferred' },
];

/**
 * End of a transcript after Esc while the model answers, or an error at a prompt's first request: the client then takes
 * the prompt back and writes all messages that are left. Only its notes to the user may follow (0.61.0).
 */
const ROLLED_BACK =
  '\\],"lastUpdated":"[^"]*"\\}\\}\\n(?:\\{(?:"id":"[^"]*","timestamp":"[^"]*","type":"(?:info|warning|error)",.*|"\\$set":\\{"lastUpdated":"[^"]*"\\}\\})\\n)*$';

export const events: Client['events'] = {
  // SessionStart's own context is lost after /clear and on resume; that of the first BeforeAgent is kept.
  session_start: {
    fidelity: 'native',
    moment: 'first-prompt',
    wiring: [...USERS_PROMPT, { native: 'BeforeAgent', does: 'emit', at: 'start' }],
  },
  pre_request: {
    fidelity: 'native',
    moment: 'prompt',
    wiring: [...USERS_PROMPT, { native: 'BeforeAgent', does: 'emit' }],
  },
  // BeforeTool can carry text only by blocking the call.
  pre_tool_use: {
    fidelity: 'late',
    moment: 'result',
    note: 'late.after-call',
    wiring: AFTER_TOOL,
  },
  post_tool_use: { fidelity: 'native', moment: 'result', wiring: AFTER_TOOL },
  post_request: {
    fidelity: 'deferred',
    moment: 'next-prompt',
    note: 'deferred.next-prompt',
    wiring: [
      ...USERS_PROMPT,
      { native: 'AfterAgent', does: 'defer' },
      { native: 'BeforeAgent', does: 'emit-deferred' },
    ],
  },
  session_end: {
    fidelity: 'deferred',
    moment: 'next-session',
    note: 'deferred.next-session',
    wiring: [
      ...USERS_PROMPT,
      { native: 'BeforeAgent', does: 'emit-deferred', at: 'start' },
      { native: 'BeforeAgent', does: 'mark-turn' },
      { native: 'SessionEnd', does: 'defer' },
    ],
  },
};

export const natives: Client['natives'] = {
  SessionStart: { sample: { source: 'startup' } },
  BeforeAgent: {
    prompt: 'prompt',
    sample: { prompt: 'Please go on.' },
    // When another hook refuses the end of a turn, BeforeAgent fires again with the reason as prompt. The user's own
    // prompts are first written to logs.json (interactive), or are the only prompt after a SessionStart (headless).
    continuation: {
      beside: 'transcript_path',
      log: '../logs.json',
      time: 'timestamp',
      withinMs: 60_000,
    },
  },
  // Gemini CLI drops the context of a tool result that is an error object, and the result of a cancelled command.
  AfterTool: {
    matchesTools: true,
    output: 'tool_response.llmContent',
    keepIf: 'tool_response.error',
    keepLike: {
      path: 'tool_response.llmContent',
      like: '^(?:<untrusted_context>\\n)?Command was cancelled by user',
      holds: 'was cancelled by user',
    },
    sample: { tool_response: { llmContent: 'Output: done', returnDisplay: 'done' } },
  },
  AfterAgent: {
    turnEnd: 'timestamp',
    undoneIf: { file: 'transcript_path', like: ROLLED_BACK },
    sample: { prompt: 'Please go on.', prompt_response: 'Done.', stop_hook_active: false },
  },
  SessionEnd: { sample: { reason: 'exit' } },
};
