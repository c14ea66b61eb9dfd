import type { Client } from '../client.ts';
import { CLAUDE_INPUT } from '../dialects/claude.ts';
import { conditions } from './conditions.ts';
import { events, natives } from './events.ts';
import { gates } from './gates.ts';
import { hooks } from './hooks.ts';
import { home, mcp } from './mcp.ts';
import { plugin } from './plugin.ts';
import { PROJECT_START, RESTART, TRUST } from './steps.ts';
import { tools } from './tools.ts';

/** Facts observed on Gemini CLI 0.61.0. */
export const geminiCli: Client = {
  id: 'gemini-cli',
  title: 'Gemini CLI',
  program: { binary: 'gemini', npmPackages: ['@google/gemini-cli'] },
  proved: { oldest: '0.61.0', newest: '0.61.0', how: 'sessions' },
  home,
  hooks,
  protocol: { input: CLAUDE_INPUT, startFolderEnv: 'GEMINI_PROJECT_DIR' },
  events,
  natives,
  conditions,
  tools,
  // Gemini CLI cuts a tool's result with its context to the first 8,000 and last 32,000 characters.
  limits: { unit: 'code-points', perHandler: 30_000, escapesAngles: true },
  mcp,
  gates,
  plugin,
  nextSteps: { user: [RESTART, TRUST], project: [PROJECT_START, RESTART] },
};
