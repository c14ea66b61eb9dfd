import type { Client } from '../client.ts';
import { CLAUDE_EVENTS, CLAUDE_NATIVES } from '../dialects/claude.ts';

export const events: Client['events'] = CLAUDE_EVENTS;

export const natives: Client['natives'] = {
  ...CLAUDE_NATIVES,
  // Fires for each task of a sub-agent too, with agent_id in the payload.
  UserPromptSubmit: { ...CLAUDE_NATIVES.UserPromptSubmit, skipIf: 'agent_id' },
  SessionEnd: { ...CLAUDE_NATIVES.SessionEnd, maxTimeout: 3 },
};
