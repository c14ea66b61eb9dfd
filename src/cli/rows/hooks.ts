import { CLIENT_IDS } from '../../clients/client.ts';
import { APPROVALS, CLIENT, DRY_RUN, HOOKS, JSON_FLAG, REST, SCOPE, SOURCE, VERBOSE, YES } from '../flags.ts';
import { BEHIND, type CommandRow, GROUPS, INSTALLED, SERVER } from './row.ts';

export const INSTALL: CommandRow = {
  name: 'install',
  group: GROUPS.hooks,
  summary: 'show what its hooks become in each client, ask, write',
  description: "Shows what a server's hooks become in each client, asks, and writes it.",
  example: `mcphooks install notebook --client ${CLIENT_IDS.slice(0, 2).join(',')} --dry-run`,
  arguments: [['[server]', SERVER[1]], BEHIND],
  options: [
    {
      heading: 'Most needed:',
      flags: [
        CLIENT,
        DRY_RUN,
        VERBOSE,
        YES,
        { flag: '--accept-changed', sentence: 'with --yes: approve what changed since it was approved' },
        JSON_FLAG,
      ],
    },
    {
      heading: 'For a project and its team:',
      flags: [SCOPE, { flag: '--frozen', sentence: 'install just what the lock file holds, or fail' }],
    },
    HOOKS,
    SOURCE,
    APPROVALS,
    REST,
  ],
  load: () => import('../commands/install.ts'),
};

export const DIFF: CommandRow = {
  name: 'diff',
  group: GROUPS.hooks,
  summary: 'what has changed since: server, approval, files',
  description: 'Compares what is installed with what the servers declare now, and with the files.',
  example: 'mcphooks diff --offline',
  arguments: [['[server]', 'only this one'], BEHIND],
  options: [
    {
      flags: [
        { flag: '--offline', sentence: 'compare what was approved with the files, ask no server' },
        VERBOSE,
        CLIENT,
        SCOPE,
        {
          flag: '--format <format>',
          sentence: 'markdown: for a comment on a pull request',
          of: ['text', 'markdown'],
        },
        JSON_FLAG,
      ],
    },
    HOOKS,
    SOURCE,
    APPROVALS,
    REST,
  ],
  load: () => import('../commands/diff.ts'),
};

export const UNINSTALL: CommandRow = {
  name: 'uninstall',
  group: GROUPS.hooks,
  summary: 'take its hooks out of all clients, or of some',
  description:
    "Takes a server's hooks out of all clients, or of those that --client names. Every other byte of their files stays.",
  example: 'mcphooks uninstall notebook',
  arguments: [['[server]', INSTALLED[1]]],
  options: [
    {
      flags: [
        { flag: '--all', sentence: 'every server' },
        CLIENT,
        { flag: '--dry-run', sentence: 'show what would be removed, write nothing' },
        SCOPE,
        { flag: '--edited', sentence: 'take out entries that were edited by hand, too, and show them' },
        JSON_FLAG,
      ],
    },
  ],
  load: () => import('../commands/uninstall.ts'),
};

const switchRow = (name: 'disable' | 'enable', summary: string, description: string): CommandRow => ({
  name,
  group: GROUPS.hooks,
  summary,
  description,
  example: `mcphooks ${name} notebook`,
  arguments: [INSTALLED],
  options: [{ flags: [JSON_FLAG] }],
  load: async () => (await import('../commands/switch.ts'))[name],
});

export const DISABLE = switchRow(
  'disable',
  'silence its hooks without removing them',
  "Silences a server's hooks in all clients, in running sessions too, without removing anything.",
);

export const ENABLE = switchRow(
  'enable',
  'let them speak again',
  'Lets hooks speak again that were disabled.',
);
