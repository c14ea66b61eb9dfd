import type { Client } from '../client.ts';
import { conditions } from './conditions.ts';
import { events, natives } from './events.ts';
import { gates } from './gates.ts';
import { hooks } from './hooks.ts';
import { home, mcp } from './mcp.ts';
import { plugin } from './plugin.ts';
import { protocol } from './protocol.ts';
import { PROJECT_START, RESTART } from './steps.ts';
import { tools } from './tools.ts';

/** Facts observed on Qwen Code 0.21.10 to 0.24.4; versions are named where they differ. */
export const qwenCode: Client = {
  id: 'qwen-code',
  title: 'Qwen Code',
  program: { binary: 'qwen', npmPackages: ['@qwen-code/qwen-code'] },
  proved: { oldest: '0.21.10', newest: '0.24.4', how: 'sessions' },
  home,
  hooks,
  protocol,
  events,
  natives,
  conditions,
  tools,
  // 60,000 characters reached the model whole.
  limits: { unit: 'utf16', escapesAngles: true },
  mcp,
  gates,
  plugin,
  nextSteps: { user: [RESTART], project: [PROJECT_START, RESTART] },
};
