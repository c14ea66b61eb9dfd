import type { Client } from '../client.ts';
import { conditions } from './conditions.ts';
import { events, natives } from './events.ts';
import { gates } from './gates.ts';
import { hooks } from './hooks.ts';
import { home, mcp } from './mcp.ts';
import { plugin } from './plugin.ts';
import { protocol } from './protocol.ts';
import { PROJECT_START } from './steps.ts';
import { tools } from './tools.ts';

/** Facts observed on Claude Code 2.1.118 to 2.1.329; versions are named where they differ. */
export const claudeCode: Client = {
  id: 'claude-code',
  title: 'Claude Code',
  program: {
    binary: 'claude',
    npmPackages: ['@anthropic-ai/claude-code'],
    versionInPath: /\/versions\/(\d+\.\d+\.\d+)$/,
  },
  proved: { oldest: '2.1.118', newest: '2.1.332', how: 'sessions' },
  home,
  hooks,
  protocol,
  events,
  natives,
  conditions,
  tools,
  limits: { unit: 'utf16', perHandler: 10_000 },
  mcp,
  gates,
  plugin,
  // Claude Code refuses this handler at session start. Plain text of a tool's answer doesn't reach the model (2.1.329).
  mcpTool: {
    events: ['pre_request', 'pre_tool_use', 'post_tool_use'],
    needsDocument: true,
    variables: {
      session_id: '${session_id}',
      tool_name: '${tool_name}',
      tool_input: '${tool_input}',
      tool_output: '${tool_response}',
    },
  },
  nextSteps: { user: [], project: [PROJECT_START] },
};
