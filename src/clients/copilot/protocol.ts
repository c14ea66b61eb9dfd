import type { HookProtocol } from '../protocol.ts';

/** What a tool answered: Copilot CLI, its other dialect, VS Code. */
export const RESULT = ['toolResult.textResultForLlm', 'tool_result.text_result_for_llm', 'tool_response'];

/**
 * Copilot CLI sends camelCase fields to events in camelCase, without the event's name, and takes text at the top of a
 * document (1.0.83 to 1.0.102). VS Code, which reads the same file, sends snake_case and takes nested text (read in its
 * source). Both texts in one document reach Copilot's model once.
 */
export const protocol: HookProtocol = {
  input: {
    session: ['sessionId', 'session_id'],
    toolName: ['toolName', 'tool_name'],
    toolInput: ['toolArgs', 'tool_input'],
  },
  output: {
    text: ['additionalContext', 'hookSpecificOutput.additionalContext'],
    fixed: { 'hookSpecificOutput.hookEventName': '{event}' },
  },
  startFolderEnv: 'COPILOT_PROJECT_DIR',
};
