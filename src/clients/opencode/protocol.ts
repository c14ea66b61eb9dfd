import { CLAUDE_INPUT } from '../dialects/claude.ts';
import type { HookProtocol } from '../protocol.ts';

/** What program.js hands to a hook script, and reads of its document. */
export const protocol: HookProtocol = { input: { ...CLAUDE_INPUT, sample: {} } };
