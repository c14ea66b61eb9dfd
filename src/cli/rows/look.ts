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
import { type CommandRow, GROUPS, INSTALLED_SERVER, SERVER, SERVER_COMMAND } from './row.ts';

export const SCAN: CommandRow = {
  name: 'scan',
  group: GROUPS.hooks,
  summary: 'find your MCP servers and the hooks for them',
  description:
    'Lists the MCP servers of all clients, and whether they declare hooks or the catalogue has some for them. Starts no server without --check.',
  example: 'mcphooks scan',
  options: [
    {
      flags: [
        { flag: '--check', sentence: 'ask the servers whether they declare hooks' },
        { ...TIMEOUT, needs: '--check' },
        JSON_FLAG,
      ],
    },
  ],
  load: () => import('../commands/scan.ts'),
};

export const LIST: CommandRow = {
  name: 'list',
  group: GROUPS.look,
  summary: 'show what is installed, and its state on each client',
  description:
    'Lists what is installed, and its state on each client. Only reads files, unless --check is given; but first completes or reverts an interrupted run.',
  example: 'mcphooks list --check',
  options: [
    {
      flags: [
        { flag: '--check', sentence: 'also ask the servers whether their hooks changed since the approval' },
        { ...TIMEOUT, needs: '--check' },
        { ...ALLOW_START, needs: '--check' },
        JSON_FLAG,
      ],
    },
  ],
  load: () => import('../commands/list.ts'),
};

export const EXPLAIN: CommandRow = {
  name: 'explain',
  group: GROUPS.look,
  summary: 'show when each hook fires and what the model reads',
  description:
    'Shows for each hook when and how it fires on each client, and the exact text that the model reads: as installed, else as it would be installed.',
  example: `mcphooks explain notebook --client ${CLIENT_IDS[1]}`,
  arguments: [SERVER, SERVER_COMMAND],
  options: [{ flags: [CLIENT, SCOPE, JSON_FLAG] }, HOOKS, SOURCE, APPROVALS, REST],
  load: () => import('../commands/explain.ts'),
};

export const FIRE: CommandRow = {
  name: 'fire',
  group: GROUPS.look,
  summary: 'run an installed hook as its client would',
  description: 'Runs an installed hook as its client would, and prints what the model would read.',
  example: "mcphooks fire notebook post_tool_use --input 'git commit'",
  arguments: [INSTALLED_SERVER, ['<event>', EVENTS.join(', ')]],
  options: [
    {
      flags: [
        CLIENT,
        { flag: '--tool <name>', sentence: 'the tool, for tool events (default: one that a hook accepts)' },
        {
          flag: '--input <json>',
          sentence: "the tool's input, or a command for Bash (default: one that a hook accepts)",
        },
        {
          flag: '--session <id>',
          sentence: 'use this session, so that cooldowns apply (default: a new one)',
        },
        {
          flag: '--payload <file>',
          sentence: "JSON file with more fields of the client's payload; -: stdin",
        },
        SCOPE,
        ALLOW_START,
        JSON_FLAG,
      ],
    },
  ],
  load: () => import('../commands/fire.ts'),
};

const ONLY = ['[server]', 'only its hooks'] as const;

export const LOG: CommandRow = {
  name: 'log',
  group: GROUPS.look,
  summary: 'show the texts that hooks gave: when and where',
  description:
    'Shows the texts that hooks gave, newest last, and why matching hooks gave none. Reads only the log on this machine (docs/privacy.md).',
  example: 'mcphooks log notebook --since 2d',
  arguments: [ONLY],
  options: [
    {
      flags: [
        { flag: '--follow', sentence: 'keep printing new lines, until Ctrl+C' },
        {
          flag: '--session <id>',
          sentence: 'one session, from its start; the first characters of its id are enough',
        },
        CLIENT,
        SINCE,
        { flag: '--json', sentence: 'one JSON document per line' },
      ],
    },
  ],
  load: () => import('../commands/log.ts'),
};

export const STATS: CommandRow = {
  name: 'stats',
  group: GROUPS.look,
  summary: 'count how often hooks fired, how much text, how long',
  description:
    'Counts by hook, client and day, from the log: how often hooks fired and gave a text, how much of the context the texts took, and how long the fires took. Runs of mcphooks fire are not counted. Its advice rests on fires since an install last changed.',
  example: 'mcphooks stats --since 7d',
  arguments: [ONLY],
  options: [
    { flags: [CLIENT, SINCE, { flag: '--svg <file>', sentence: 'also draw it as a picture' }, JSON_FLAG] },
  ],
  load: () => import('../commands/stats.ts'),
};

export const DOCTOR: CommandRow = {
  name: 'doctor',
  group: GROUPS.look,
  summary: 'find what stops hooks from firing here, and the fix',
  description: 'Finds what would stop hooks from firing here, and says how to fix it.',
  example: 'mcphooks doctor notebook --check',
  arguments: [ONLY],
  options: [
    {
      flags: [
        {
          flag: '--check',
          sentence:
            'also contact the servers, each by the one definition that its install reads, and call the tools of their hooks that are read-only and get fixed arguments',
        },
        { ...TIMEOUT, needs: '--check' },
        { ...ALLOW_START, needs: '--check' },
        JSON_FLAG,
      ],
    },
  ],
  load: () => import('../commands/doctor.ts'),
};
