import { CLIENT_IDS } from '../../clients/client.ts';
import { EVENTS } from '../../declarations/types.ts';
import {
  ALLOW_START,
  APPROVALS,
  CLIENT,
  HOOKS,
  JSON_FLAG,
  REST,
  SCOPE,
  SINCE,
  SOURCE,
  TIMEOUT,
} from '../flags.ts';
import { BEHIND, type CommandRow, GROUPS, INSTALLED, SERVER } from './row.ts';

export const SCAN: CommandRow = {
  name: 'scan',
  group: GROUPS.hooks,
  summary: 'your MCP servers, and which hooks there are for them',
  description:
    'Shows the MCP servers of all clients: what each is, and whether it declares hooks or the catalogue has some for it. Starts nothing without --check.',
  example: 'mcphooks scan',
  options: [
    {
      flags: [
        { flag: '--check', sentence: 'ask the servers whether they declare hooks' },
        { ...TIMEOUT, implies: { check: true } },
        JSON_FLAG,
      ],
    },
  ],
  load: () => import('../commands/scan.ts'),
};

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
  example: "mcphooks fire notebook post_tool_use --input 'git commit'",
  arguments: [INSTALLED, ['<event>', EVENTS.join(', ')]],
  options: [
    {
      flags: [
        CLIENT,
        { flag: '--tool <name>', sentence: 'for tool events (default: Bash)' },
        {
          flag: '--input <json>',
          sentence: "the tool's input, or a command for Bash (default: git commit)",
        },
        { flag: '--session <id>', sentence: 'in this session, so that cooldowns count (default: a new one)' },
        { flag: '--payload <file>', sentence: 'more fields of what the client sends, as JSON' },
        SCOPE,
        ALLOW_START,
        JSON_FLAG,
      ],
    },
  ],
  load: () => import('../commands/fire.ts'),
};

const LOGGED = ['[server]', 'only its hooks'] as const;

export const LOG: CommandRow = {
  name: 'log',
  group: GROUPS.look,
  summary: 'what hooks gave: when, where, in which session',
  description:
    'Shows the texts that hooks gave, newest last, and why hooks that matched gave none. Reads the log on this machine alone (docs/privacy.md).',
  example: 'mcphooks log notebook --since 2d',
  arguments: [LOGGED],
  options: [
    {
      flags: [
        { flag: '--follow', sentence: 'go on with what comes, until Ctrl+C' },
        { flag: '--session <id>', sentence: 'one session, from its start; the first characters are enough' },
        CLIENT,
        SINCE,
        { flag: '--json', sentence: 'one JSON document a line' },
      ],
    },
  ],
  load: () => import('../commands/log.ts'),
};

export const STATS: CommandRow = {
  name: 'stats',
  group: GROUPS.look,
  summary: 'how often hooks fired, how much text, how long',
  description:
    'Counts what the log holds: by hook, client and day, how often hooks fired and gave a text, how much of the context the texts took, and how long fires took. Tries by fire do not count.',
  example: 'mcphooks stats --since 7d',
  arguments: [LOGGED],
  options: [
    { flags: [CLIENT, SINCE, { flag: '--svg <file>', sentence: 'draw it as a picture, too' }, JSON_FLAG] },
  ],
  load: () => import('../commands/stats.ts'),
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
