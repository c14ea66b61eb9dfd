import type { Client } from '../client.ts';
import { CLAUDE_EVENTS, CLAUDE_NATIVES, WITH_FAILED_TOOLS } from '../dialects/claude.ts';

export const events: Client['events'] = {
  ...CLAUDE_EVENTS,
  // A failed tool, including a Bash command with an exit code other than 0, fires PostToolUseFailure instead.
  post_tool_use: { ...CLAUDE_EVENTS.post_tool_use, wiring: WITH_FAILED_TOOLS },
};

export const natives: Client['natives'] = {
  ...CLAUDE_NATIVES,
  UserPromptSubmit: {
    ...CLAUDE_NATIVES.UserPromptSubmit,
    maxTimeout: 30,
    // A command or an agent in the background that ended (2.1.329).
    skipLike: { path: 'prompt', like: '^<task-notification>', holds: 'task-notification', by: 'client' },
  },
  PostToolUse: {
    ...CLAUDE_NATIVES.PostToolUse,
    sample: { tool_response: { stdout: 'done', stderr: '', interrupted: false }, tool_use_id: 'fire' },
  },
  PostToolUseFailure: {
    matchesTools: true,
    output: 'error',
    sample: { error: 'Exit code 1', tool_use_id: 'fire' },
  },
  // All SessionEnd hooks together have 1.5 s unless a hook asks for more.
  SessionEnd: { ...CLAUDE_NATIVES.SessionEnd, maxTimeout: 5 },
};
