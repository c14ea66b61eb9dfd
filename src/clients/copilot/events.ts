import type { Client } from '../client.ts';
import type { NativeEvent, Wiring } from '../protocol.ts';
import { RESULT } from './protocol.ts';
import { VS_CODE_LATE } from './steps.ts';

/** Wiring that distinguishes the user's prompts from the client's own prompts (see `continuation` below). */
const USERS_PROMPT: Wiring = { native: 'agentStop', does: 'mark-turn' };

/** A tool that failed has an event of its own. */
const AFTER_TOOL: readonly Wiring[] = [
  { native: 'postToolUse', does: 'emit' },
  { native: 'postToolUseFailure', does: 'emit' },
];

export const events: Client['events'] = {
  // Compaction drops what sessionStart gave, and starts no session: the text is given again with the next prompt, unless
  // the session is resumed before.
  session_start: {
    fidelity: 'native',
    moment: 'first-prompt',
    replacesEarlier: true,
    wiring: [
      { native: 'sessionStart', does: 'emit', replacesKept: true },
      { native: 'preCompact', does: 'defer' },
      { native: 'userPromptSubmitted', does: 'emit-deferred' },
    ],
  },
  pre_request: {
    fidelity: 'native',
    moment: 'prompt',
    wiring: [USERS_PROMPT, { native: 'userPromptSubmitted', does: 'emit' }],
  },
  // preToolUse denies the tool when a hook ends with anything but 0, or is killed, and its text comes with the result,
  // too. So the text is given after the same call, where nothing can be denied.
  pre_tool_use: { fidelity: 'late', moment: 'result', note: 'late.after-call', wiring: AFTER_TOOL },
  post_tool_use: { fidelity: 'native', moment: 'result', note: VS_CODE_LATE, wiring: AFTER_TOOL },
  post_request: {
    fidelity: 'deferred',
    moment: 'next-prompt',
    note: 'deferred.next-prompt',
    wiring: [
      { native: 'agentStop', does: 'defer' },
      { native: 'userPromptSubmitted', does: 'emit-deferred' },
    ],
  },
  session_end: {
    fidelity: 'deferred',
    moment: 'next-session',
    note: 'deferred.next-session',
    wiring: [
      { native: 'sessionStart', does: 'emit-deferred' },
      { native: 'userPromptSubmitted', does: 'mark-turn' },
      { native: 'sessionEnd', does: 'defer' },
    ],
  },
};

/** Fields of a sub-agent's payloads; the last one is VS Code's. */
const SUB_AGENT = ['parentAgentId', 'agentId', 'agent_id'];

const toolResult = (text: string): Readonly<Record<string, unknown>> => ({
  toolResult: { resultType: 'success', textResultForLlm: text },
});
/** The last line is the command's end, by which its outcome is told. */
const COMMAND_RESULT = toolResult('done\n<shellId: 0 completed with exit code 0>');

/** Copilot CLI cuts the texts of all hooks at a tool after 10,240 units together (1.0.83 to 1.0.102). */
const AT_TOOL = { matchesTools: true, textsUsed: { cap: 10_000 } } as const;

// Of all hooks on a prompt the model reads the last text (1.0.83 to 1.0.102).
const prompt: NativeEvent = {
  textsUsed: 'last',
  alias: 'UserPromptSubmit',
  outputName: 'UserPromptSubmit',
  prompt: 'prompt',
  skipIf: SUB_AGENT,
  // A command in the background that ended.
  skipLike: { path: 'prompt', like: '^<system_notification>', holds: 'system_notification', by: 'client' },
  sample: { prompt: 'Please go on.' },
  // When another hook refuses the end of a turn, the event fires again with the reason as prompt.
  continuation: {
    time: 'timestamp',
    line: 'data.input.timestamp',
    prompt: { at: 'type', is: 'user.message' },
    turnEnd: { at: 'data.hookType', is: 'agentStop' },
    refused: { at: 'data.output.decision', is: 'block' },
    withinMs: 60_000,
  },
};

export const natives: Client['natives'] = {
  sessionStart: {
    textsUsed: 'last',
    // 1.0.87 uses one text, 1.0.88 all. The folder is that of the version that runs; COPILOT_CLI_BINARY_VERSION names the
    // program's, which may run a later one that was downloaded, or an earlier one (--prefer-version).
    allUsedFrom: { version: '1.0.88', env: 'COPILOT_CLI_RESOLVED_DIST_DIR' },
    outputName: 'SessionStart',
    sample: { source: 'new', initialPrompt: 'Please go on.' },
  },
  userPromptSubmitted: prompt,
  postToolUse: {
    ...AT_TOOL,
    outputName: 'PostToolUse',
    output: RESULT,
    sample: toolResult('done'),
    toolSamples: { bash: COMMAND_RESULT, run_in_terminal: COMMAND_RESULT },
  },
  postToolUseFailure: {
    ...AT_TOOL,
    outputName: 'PostToolUseFailure',
    output: 'error',
    sample: { error: 'failed' },
  },
  agentStop: {
    outputName: 'Stop',
    skipIf: SUB_AGENT,
    turnEnd: 'transcriptPath',
    sample: { stopReason: 'end_turn', stop_hook_active: false },
  },
  preCompact: { outputName: 'PreCompact', sample: { trigger: 'manual', customInstructions: '' } },
  sessionEnd: { outputName: 'SessionEnd', sample: { reason: 'complete' } },
};
