import { CLIENT_IDS } from '../../clients/client.ts';
import { EVENTS } from '../../declarations/types.ts';
import { ALLOW_START, APPROVALS, CLIENT, HOOKS, JSON_FLAG, REST, SCOPE, SOURCE, TIMEOUT } from '../flags.ts';
import { BEHIND, type CommandRow, GROUPS, INSTALLED, SERVER } from './row.ts';

export const LIST: CommandRow = {
  name: 'list',
  group: GROUPS.look,
  summary: 'what is installed, and its state on each client',
  description: 'Lists what is installed, and its state on each client. Reads files alone.',
  example: 'mcphooks list --check',
  options: [
    {
      flags: [
        { flag: '--check', sentence: 'ask the servers, too, whether they declare the same as was approved' },
        { ...TIMEOUT, implies: { check: true } },
        JSON_FLAG,
      ],
    },
  ],
  load: () => import('../commands/list.ts'),
};

export const EXPLAIN: CommandRow = {
  name: 'explain',
  group: GROUPS.look,
  summary: 'when each hook fires, and what the model reads then',
  description:
    'Explains hook by hook when it fires on each client, how, and the exact text that the model reads: of what is installed, else of what would be.',
  example: `mcphooks explain notebook --client ${CLIENT_IDS[1]}`,
  arguments: [SERVER, BEHIND],
  options: [{ flags: [CLIENT, SCOPE, JSON_FLAG] }, HOOKS, SOURCE, APPROVALS, REST],
  load: () => import('../commands/explain.ts'),
};

export const FIRE: CommandRow = {
  name: 'fire',
  group: GROUPS.look,
  summary: 'run an installed hook as its client would',
  description: 'Runs an installed hook as its client would, and prints what the model would read.',
  example: 'mcphooks fire notebook post_tool_use --input \'{"command":"git commit"}\'',
  arguments: [INSTALLED, ['<event>', EVENTS.join(', ')]],
  options: [
    {
      flags: [
        CLIENT,
        { flag: '--tool <name>', sentence: 'for tool events (default: Bash)' },
        {
          flag: '--input <json>',
          sentence: 'what the tool is given (default: {"command":"git commit"})',
        },
        { flag: '--payload <file>', sentence: 'more fields of what the client sends, as JSON' },
        SCOPE,
        ALLOW_START,
        JSON_FLAG,
      ],
    },
  ],
  load: () => import('../commands/fire.ts'),
};

export const DOCTOR: CommandRow = {
  name: 'doctor',
  group: GROUPS.look,
  summary: 'what would stop hooks from firing here, and its remedy',
  description: 'Finds what would stop hooks from firing here, and says what mends it.',
  example: 'mcphooks doctor',
  options: [
    {
      flags: [
        { flag: '--check', sentence: 'reach the servers, too' },
        { ...TIMEOUT, implies: { check: true } },
        JSON_FLAG,
      ],
    },
  ],
  load: () => import('../commands/doctor.ts'),
};
