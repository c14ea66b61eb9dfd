import { CLIENT_IDS } from '../../clients/client.ts';
import {
  APPROVALS,
  CLIENT,
  DRY_RUN,
  HOOKS,
  INSTALL_CLIENT,
  JSON_FLAG,
  REST,
  SCOPE,
  SOURCE,
  VERBOSE,
  YES,
} from '../flags.ts';
import { type CommandRow, GROUPS, INSTALLED_SERVER, SERVER, SERVER_COMMAND } from './row.ts';

export const INSTALL: CommandRow = {
  name: 'install',
  group: GROUPS.hooks,
  summary: 'install its hooks, after showing the plan and asking',
  description: "Shows how a server's hooks will be installed in each client, asks, and installs them.",
  example: `mcphooks install notebook --client ${CLIENT_IDS.slice(0, 2).join(',')} --dry-run`,
  arguments: [['[server]', SERVER[1]], SERVER_COMMAND],
  options: [
    {
      heading: 'Common options:',
      flags: [
        INSTALL_CLIENT,
        DRY_RUN,
        VERBOSE,
        YES,
        { flag: '--accept-changed', sentence: 'with --yes: also approve changes since the last approval' },
        JSON_FLAG,
      ],
    },
    {
      heading: 'For a project and its team:',
      flags: [
        SCOPE,
        {
          flag: '--frozen',
          sentence: "install exactly what the project's lock file holds, or fail",
          implies: { scope: 'project' },
        },
      ],
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
  summary: 'show what changed since you approved',
  description: 'Compares the installed hooks with what the servers declare now, and with the files on disk.',
  example: 'mcphooks diff --offline',
  arguments: [['[server]', 'only this one'], SERVER_COMMAND],
  options: [
    {
      flags: [
        { flag: '--offline', sentence: 'compare the approved hooks with the files; contact no server' },
        VERBOSE,
        INSTALL_CLIENT,
        SCOPE,
        {
          flag: '--format <format>',
          sentence: 'markdown: for a pull request comment',
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
  summary: 'remove its hooks from all clients, or from some',
  description:
    "Removes a server's hooks from all clients, or from those given with --client. Every other byte of their files stays.",
  example: 'mcphooks uninstall notebook',
  arguments: [['[server]', INSTALLED_SERVER[1]]],
  options: [
    {
      flags: [
        { flag: '--all', sentence: 'every server' },
        CLIENT,
        { flag: '--dry-run', sentence: 'show what would be removed, write nothing' },
        SCOPE,
        { flag: '--edited', sentence: 'also remove entries that were edited by hand, and show them' },
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
  arguments: [INSTALLED_SERVER],
  options: [{ flags: [JSON_FLAG] }],
  load: async () => (await import('../commands/switch.ts'))[name],
});

export const DISABLE = switchRow(
  'disable',
  'turn its hooks off without removing them',
  "Turns a server's hooks off in all clients, also in running sessions, without removing anything.",
);

export const ENABLE = switchRow('enable', 'turn them on again', 'Turns disabled hooks on again.');
