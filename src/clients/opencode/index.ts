import type { Client } from '../client.ts';
import { conditions } from './conditions.ts';
import { events, NEWER, natives } from './events.ts';
import { gates } from './gates.ts';
import { hooks } from './hooks.ts';
import { home, mcp } from './mcp.ts';
import { protocol } from './protocol.ts';
import { INSTALLS, RESTART } from './steps.ts';
import { tools } from './tools.ts';

/**
 * Facts observed on OpenCode 1.18.33; sessions of 1.18.3 pass, too. OpenCode's hooks are functions of a plugin: program.js,
 * which starts hook scripts.
 */
export const opencode: Client = {
  id: 'opencode',
  title: 'OpenCode',
  program: { binary: 'opencode', npmPackages: ['opencode-ai'], runsScripts: true },
  proved: { oldest: '1.18.3', newest: '1.18.33', how: 'sessions' },
  newer: NEWER,
  home,
  hooks,
  protocol,
  events,
  natives,
  conditions,
  tools,
  // 300,000 characters reached the model whole. A server's own result is cut behind our text.
  limits: { unit: 'utf16' },
  mcp,
  gates,
  nextSteps: { user: [RESTART, INSTALLS], project: [RESTART, INSTALLS] },
};
