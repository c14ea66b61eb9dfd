import { CLAUDE_INPUT } from '../dialects/claude.ts';
import type { HookProtocol } from '../protocol.ts';

export const protocol: HookProtocol = { input: CLAUDE_INPUT, startFolderEnv: 'QWEN_PROJECT_DIR' };
