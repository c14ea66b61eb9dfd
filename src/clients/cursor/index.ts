import type { Client } from '../client.ts';
import { conditions } from './conditions.ts';
import { events, natives } from './events.ts';
import { gates } from './gates.ts';
import { hooks } from './hooks.ts';
import { home, mcp } from './mcp.ts';
import { protocol } from './protocol.ts';
import { CONFIRM, PROJECT, RESTART } from './steps.ts';
import { tools } from './tools.ts';

/** Facts observed by driving the hook runtime of npm @cursor/sdk 1.0.18 to 1.0.32; editor and CLI were not run. */
export const cursor: Client = {
  id: 'cursor',
  title: 'Cursor',
  program: { binary: 'cursor' },
  proved: { oldest: '1.0.18', newest: '1.0.32', how: 'runtime', of: '@cursor/sdk' },
  home,
  hooks,
  protocol,
  events,
  natives,
  conditions,
  tools,
  limits: { unit: 'utf16', perHandler: 9_000 },
  mcp,
  gates,
  nextSteps: { user: [RESTART, CONFIRM], project: [PROJECT, RESTART, CONFIRM] },
};
