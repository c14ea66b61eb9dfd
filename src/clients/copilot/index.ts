import type { Client } from '../client.ts';
import { conditions } from './conditions.ts';
import { events, natives } from './events.ts';
import { gates } from './gates.ts';
import { hooks } from './hooks.ts';
import { home, mcp } from './mcp.ts';
import { plugin } from './plugin.ts';
import { protocol } from './protocol.ts';
import { PROJECT_TRUST, RESTART } from './steps.ts';
import { tools } from './tools.ts';

/** Facts observed on Copilot CLI 1.0.83 and 1.0.102. */
export const copilot: Client = {
  id: 'copilot',
  title: 'Copilot CLI',
  program: { binary: 'copilot', npmPackages: ['@github/copilot'] },
  proved: { oldest: '1.0.83', newest: '1.0.102', how: 'sessions' },
  home,
  hooks,
  protocol,
  events,
  natives,
  conditions,
  tools,
  // Texts of all hooks at a tool are cut after 10,240 units together; elsewhere 60,000 pass.
  limits: { unit: 'utf16', perHandler: 60_000 },
  mcp,
  gates,
  plugin,
  nextSteps: { user: [RESTART], project: [PROJECT_TRUST, RESTART] },
};
