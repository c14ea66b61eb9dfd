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
  YES,
} from '../flags.ts';
import { BEHIND, type CommandRow, GROUPS, SERVER } from './row.ts';

export const EXPORT: CommandRow = {
  name: 'export',
  group: GROUPS.share,
  summary: 'pack its hooks as a plugin or extension',
  description:
    "Packs a server's hooks as a plugin or extension, for the clients' own channels. Shows what becomes of them, asks, and writes it.",
  example: `mcphooks export notebook --format ${PLUGIN_FORMATS.slice(0, 2).join(',')} --out ./hooks`,
  arguments: [SERVER, BEHIND],
  options: [
    {
      flags: [
        FORMATS,
        {
          flag: '--out <dir>',
          sentence: 'a new or empty folder, or an earlier export of the same server',
          required: true,
        },
        { flag: '--with-server', sentence: 'put the MCP server into it, too' },
        DRY_RUN,
        { flag: '--verbose', sentence: 'show every file whole' },
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
  summary: 'check declarations: faults, warnings, how they come out',
  description:
    'Checks declarations as their author: faults, warnings, and how each comes out on each client.',
  example: 'mcphooks lint declarations.json\n  mcphooks lint notebook -- node server.mjs',
  arguments: [['<file|server>', 'a JSON file of declarations, or a server to ask'], BEHIND],
  options: [
    {
      flags: [
        CLIENT,
        {
          flag: '--format <format>',
          sentence: 'github: annotations of a workflow; markdown: for its summary',
          of: ['text', 'github', 'markdown'],
        },
        JSON_FLAG,
      ],
    },
    HOOKS,
    SOURCE,
    { heading: 'To approve without a question:', flags: [ALLOW_START] },
    LITTLE_REST,
  ],
  load: () => import('../commands/lint.ts'),
};

export const SCHEMA: CommandRow = {
  name: 'schema',
  group: GROUPS.authors,
  summary: 'print a JSON Schema',
  description: 'Prints the JSON Schema of declarations, the configuration, the record or a --json document.',
  example: 'mcphooks schema declarations > declarations.schema.json',
  arguments: [['[name]', 'which one; without it, the names of all']],
  load: () => import('../commands/schema.ts'),
};

export const COMPLETIONS: CommandRow = {
  name: 'completions',
  group: GROUPS.rest,
  summary: 'complete commands, options and servers in a shell',
  description: 'Prints what makes a shell complete commands, options and names of servers.',
  example: 'source <(mcphooks completions bash)    # in ~/.bashrc',
  arguments: [['<shell>', 'bash, zsh or fish']],
  load: () => import('../commands/completions.ts'),
};
