import type { HookProtocol } from '../protocol.ts';

export const protocol: HookProtocol = {
  input: {
    // The SDK sends both with one value (1.0.32).
    session: ['conversation_id', 'session_id'],
    toolName: 'tool_name',
    toolInput: 'tool_input',
    event: 'hook_event_name',
    sample: { generation_id: 'fire', model: 'unknown', transcript_path: null },
  },
  output: { text: ['additional_context'] },
  startFolderEnv: 'CURSOR_PROJECT_DIR',
};
