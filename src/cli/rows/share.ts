import { PLUGIN_FORMATS } from '../../clients/index.ts';
import {
  ALLOW_START,
  CLIENT,
  DRY_RUN,
  FEW_APPROVALS,
  FORMATS,
  HOOKS,
  JSON_FLAG,
  LITTLE_REST,
  SOURCE,
  START_APPROVAL,
  TIMEOUT,
  VERIFY_SECONDS,
  YES,
} from '../flags.ts';
import { type CommandRow, GROUPS, SERVER, SERVER_COMMAND } from './row.ts';

export const EXPORT: CommandRow = {
  name: 'export',
  group: GROUPS.share,
  summary: 'pack its hooks as a plugin or extension',
  description:
    "Packs a server's hooks as a plugin or extension, for the clients' own marketplaces. Shows the plan, asks, and writes it.",
  example: `mcphooks export notebook --format ${PLUGIN_FORMATS.slice(0, 2).join(',')} --out ./hooks`,
  arguments: [SERVER, SERVER_COMMAND],
  options: [
    {
      flags: [
        FORMATS,
        {
          flag: '--out <dir>',
          sentence: 'a new or empty folder, or an earlier export of the same server',
          required: true,
        },
        { flag: '--with-server', sentence: 'also include the MCP server' },
        DRY_RUN,
        { flag: '--verbose', sentence: 'show every file in full' },
        YES,
        JSON_FLAG,
      ],
    },
    HOOKS,
    SOURCE,
    FEW_APPROVALS,
    LITTLE_REST,
  ],
  load: () => import('../commands/export.ts'),
};

export const LINT: CommandRow = {
  name: 'lint',
  group: GROUPS.authors,
  summary: 'check declarations: faults, warnings, result by client',
  description: 'Checks declarations for their author: faults, warnings, and the result on each client.',
  example: 'mcphooks lint declarations.json\n  mcphooks lint notebook -- node server.mjs',
  arguments: [['<file|server>', 'a JSON file of declarations, or a server to ask'], SERVER_COMMAND],
  options: [
    {
      flags: [
        CLIENT,
        {
          flag: '--format <format>',
          sentence: 'github: workflow annotations; markdown: for its summary',
          of: ['text', 'github', 'markdown'],
        },
        JSON_FLAG,
      ],
    },
    HOOKS,
    SOURCE,
    START_APPROVAL,
    LITTLE_REST,
  ],
  load: () => import('../commands/lint.ts'),
};

export const INIT: CommandRow = {
  name: 'init',
  group: GROUPS.authors,
  summary: "propose a declarations file from a server's tools",
  description:
    "Proposes a declarations file from a server's tools, for you to edit. Prints JSON on stdout or writes a new file; the reasons go to stderr.",
  example: 'mcphooks init notebook -o hooks.json',
  arguments: [SERVER, SERVER_COMMAND],
  options: [
    {
      flags: [
        { flag: '-o, --out <file>', sentence: 'write it to this new file' },
        ...SOURCE.flags.filter(({ flag }) => /^--(?:from|url|header|timeout) /.test(flag)),
        ALLOW_START,
      ],
    },
  ],
  load: () => import('../commands/init.ts'),
};

export const CATALOGUE: CommandRow = {
  name: 'catalogue',
  group: GROUPS.look,
  summary: 'reviewed hooks for servers that declare none',
  description:
    'Lists the catalogue entries, shows one with its texts, or checks them against their real servers.',
  example:
    'mcphooks catalogue show memory\n  mcphooks catalogue verify memory -- npx -y @modelcontextprotocol/server-memory',
  arguments: [
    ['<action>', 'list, show or verify'],
    ['[id]', 'an entry'],
    ['[command...]', 'with verify: start its server like this'],
  ],
  options: [
    { flags: [{ ...YES, sentence: 'with verify: run packages without a question' }, JSON_FLAG] },
    {
      heading: 'With verify:',
      flags: [
        { flag: '--url <url>', sentence: 'reach its server here' },
        { ...TIMEOUT, sentence: `for connecting to the server (default: ${VERIFY_SECONDS})` },
        ALLOW_START,
      ].map((flag) => ({ ...flag, needs: 'verify' })),
    },
  ],
  load: () => import('../commands/catalogue.ts'),
};

export const SCHEMA: CommandRow = {
  name: 'schema',
  group: GROUPS.authors,
  summary: 'print a JSON Schema',
  description: 'Prints the JSON Schema of declarations, the configuration, the record or a --json document.',
  example: 'mcphooks schema declarations > declarations.schema.json',
  arguments: [['[name]', 'a schema; without it, all names are listed']],
  load: () => import('../commands/schema.ts'),
};

export const COMPLETIONS: CommandRow = {
  name: 'completions',
  group: GROUPS.rest,
  summary: 'print a shell completion script',
  description: 'Prints a shell completion script for commands, options and server names.',
  example: 'source <(mcphooks completions bash)    # in ~/.bashrc',
  arguments: [['<shell>', 'bash, zsh, fish or powershell']],
  load: () => import('../commands/completions.ts'),
};
