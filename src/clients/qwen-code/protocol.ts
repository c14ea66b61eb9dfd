import { INPUT_WITH_AGENTS } from '../dialects/claude.ts';
import type { HookProtocol } from '../protocol.ts';

export const protocol: HookProtocol = { input: INPUT_WITH_AGENTS, startFolderEnv: 'QWEN_PROJECT_DIR' };
