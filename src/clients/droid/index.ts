import type { Client } from '../client.ts';
import { conditions } from './conditions.ts';
import { events, natives, OLDER } from './events.ts';
import { gates } from './gates.ts';
import { hooks } from './hooks.ts';
import { home, mcp } from './mcp.ts';
import { plugin } from './plugin.ts';
import { protocol } from './protocol.ts';
import { PROJECT, TRUST } from './steps.ts';
import { tools } from './tools.ts';

/** Facts observed on Droid 0.215.0. */
export const droid: Client = {
  id: 'droid',
  title: 'Droid',
  program: { binary: 'droid', npmPackages: ['droid', '@factory/cli'] },
  proved: { oldest: '0.215.0', newest: '0.225.2', how: 'sessions' },
  older: OLDER,
  home,
  hooks,
  protocol,
  events,
  natives,
  conditions,
  tools,
  // 60,000 characters passed whole.
  limits: { unit: 'utf16' },
  mcp,
  gates,
  plugin,
  nextSteps: { user: [TRUST], project: [PROJECT, TRUST] },
};
