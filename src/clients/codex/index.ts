import type { Client } from '../client.ts';
import { INPUT_WITH_AGENTS } from '../dialects/claude.ts';
import { conditions } from './conditions.ts';
import { events, natives } from './events.ts';
import { gates } from './gates.ts';
import { hooks } from './hooks.ts';
import { home, mcp } from './mcp.ts';
import { plugin } from './plugin.ts';
import { PROJECT_TRUST, TRUST } from './steps.ts';
import { tools } from './tools.ts';

/** Facts observed on Codex 0.169.0. */
export const codex: Client = {
  id: 'codex',
  title: 'Codex',
  program: { binary: 'codex', npmPackages: ['@openai/codex'] },
  proved: { oldest: '0.169.0', newest: '0.171.0', how: 'sessions' },
  home,
  hooks,
  protocol: { input: INPUT_WITH_AGENTS },
  events,
  natives,
  conditions,
  tools,
  limits: { unit: 'utf8' },
  mcp,
  gates,
  plugin,
  // Plain text of an answer is context at these two events only.
  mcpTool: {
    events: ['session_start', 'pre_request'],
    needsDocument: false,
    variables: { session_id: '${session_id}' },
  },
  nextSteps: { user: [TRUST], project: [PROJECT_TRUST, TRUST] },
};
