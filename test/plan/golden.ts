import { readFileSync } from 'node:fs';
import { ownPaths } from '../../src/base/paths.ts';
import type { Client, ClientId } from '../../src/clients/client.ts';
import { CLIENTS } from '../../src/clients/index.ts';
import type { Declaration } from '../../src/declarations/types.ts';
import type { PlanInput } from '../../src/plan/input.ts';
import { planInstall } from '../../src/plan/install.ts';
import { DEFAULT_OPTIONS } from '../../src/plan/options.ts';
import { userScope } from '../../src/plan/scopes/user-scope.ts';
import type { Plan } from '../../src/plan/types.ts';
import { dialectOf } from '../../src/servers/definitions/resolve.ts';
import { emptyRecord } from '../../src/store/record.ts';
import { filesOf } from '../files.ts';

const SCRIPT = readFileSync(new URL('../../templates/shim.sh', import.meta.url), 'utf8');
const JOINT = {
  script: readFileSync(new URL('../../templates/joint.sh', import.meta.url), 'utf8'),
  program: { name: 'joint.cjs', text: '' },
};

const LOG = { name: 'log.sh', text: '' };
const START = { name: 'start.cjs', text: '' };

/** Ends the line of data in a program. */
const END = '/* end of hooks */;';

/** A home that is the same on every machine. */
export const HOME = '/home/user';

/** Said where a golden tree differs. */
export const RENEW =
  'to renew it: UPDATE_SNAPSHOTS=1 npx vitest run test/plan/snapshots.test.ts test/export/golden.test.ts';

export interface Scenario {
  declarations: Declaration[];
  /** Files of the home before, by path relative to it. */
  before?: Record<string, string>;
  options?: Partial<PlanInput['options']>;
  aliases?: string[];
}

/** A plan's input for one client, from nothing but the scenario: no file, clock or random number of this machine. */
export function inputFor(scenario: Scenario, client: ClientId): PlanInput {
  const before = scenario.before ?? {};
  return {
    server: 'notebook',
    slug: 'notebook',
    tag: '1f2e3d4c',
    declared: {
      declarations: scenario.declarations,
      from: { kind: 'server', era: 'initialize', place: 'hooks' },
      serverName: 'notebook-server',
    },
    options: { ...DEFAULT_OPTIONS, ...scenario.options },
    clients: [client],
    aliasOn: { [client]: 'notebook' },
    aliases: { [client]: scenario.aliases ?? ['notebook'] },
    toolAccess: {
      shown: 'node server.mjs',
      at: {
        source: {
          client: 'claude-code',
          scope: 'user',
          file: `${HOME}/.claude.json`,
          pointer: ['mcpServers', 'notebook'],
        },
        hash: 'a'.repeat(64),
        dialect: dialectOf({ client: 'claude-code', scope: 'user' }),
      },
    },
    reading: { record: emptyRecord(), bytes: null },
    versions: () => ({}),
    hooksOff: () => [],
    documentTools: [],
    approvals: {},
    scope: userScope({ HOME }, ownPaths({ HOME }, 'linux'), { platform: 'linux', node: '/usr/bin/node' }),
    env: { HOME },
    runtime: () => ({
      hash: '0123456789abcdef',
      files: [],
      script: SCRIPT,
      joint: JOINT,
      warm: [],
      start: START,
      log: LOG,
    }),
    now: '2026-01-02T03:04:05.000Z',
    files: filesOf(
      Object.fromEntries(Object.entries(before).map(([path, text]) => [`${HOME}/${path}`, text])),
    ),
  };
}

export function planFor(scenario: Scenario, client: ClientId): Plan {
  return planInstall(inputFor(scenario, client));
}

/** What stands after the line of data in the program of a client whose hooks are code. */
const PROGRAMS = CLIENTS.flatMap(({ hooks }) =>
  hooks.user.flatMap(({ program }) => program?.split(END)[1] ?? []),
);

/**
 * What the plan would write, by path relative to the home; record and runtime apart, they are no compiled files. Hook
 * scripts are alike, and so are programs but for their line of data: a golden tree names them in place of their text.
 */
export function compiledFiles(plan: Plan): Map<string, string> {
  const files = plan.changes.filter((c) => !/\/record\.json$|\/mcphooks\/runtime\//.test(c.path));
  return new Map(
    files.map((c) => {
      const text = Buffer.from(c.after ?? []).toString();
      const template = c.path.includes('/mcphooks/joint/') ? 'joint' : 'shim';
      const program = PROGRAMS.find((rest) => text.endsWith(END + rest));
      const shown = program === undefined ? text : `${text.slice(0, -program.length)}\n(as in the program)\n`;
      return [c.path.slice(HOME.length + 1), c.mode === 0o700 ? `templates/${template}.sh\n` : shown];
    }),
  );
}

export const clients: readonly Client[] = CLIENTS;
