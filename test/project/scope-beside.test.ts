import { expect, it } from 'vitest';
import { OUTPUTS } from '../../src/cli/json/outputs.ts';
import { homeWith, installClients } from '../cli/home.ts';
import { cleanWorlds } from '../cli/world.ts';
import { LONG } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';

cleanWorlds();
installsNodeHere({ servers: true });

const START = { event: 'session_start', context: 'Read your notes.', priority: 'suggestion' };
const PROMPT = { event: 'pre_request', context: 'Keep it short.', priority: 'suggestion' };

it.runIf(LONG)('names the scopes that have hooks, where the one that was asked for has none', async () => {
  const world = homeWith(START, PROMPT);
  const said = async (...args: string[]) => (await world.run(...args)).stderr;
  expect(await said('diff', '--scope', 'local')).toBe(
    "No hooks are installed. 'mcphooks scan' shows your servers that have some.\n",
  );
  await world.run('install', 'memo', '--yes', '--client', 'claude-code');
  for (const scope of ['local', 'project']) {
    const none = `No hooks are installed at scope ${scope}. Scope user has some`;
    expect(await said('diff', '--scope', scope)).toBe(`${none}: 'mcphooks diff'.\n`);
    expect(await said('uninstall', '--all', '--scope', scope)).toBe(`${none}: 'mcphooks uninstall --all'.\n`);
    for (const command of [
      ['uninstall', 'memo'],
      ['fire', 'memo', 'session_start'],
      ['explain', 'memo'],
    ])
      expect(await said(...command, '--scope', scope)).not.toContain('scope user\n');
  }
  await world.run('uninstall', 'memo');
  await world.run('install', 'memo', '--yes', '--client', 'claude-code', '--scope', 'local');
  expect(await said('diff')).toBe(
    "No hooks are installed at scope user. Scope local has some: 'mcphooks diff --scope local'.\n",
  );
});

it('diff names the other scopes with hooks, unless it was told which to compare', async () => {
  const world = homeWith(START);
  const said = async (...args: string[]) => (await world.run('diff', ...args)).stderr;
  for (const scope of ['local', 'user'])
    await world.run('install', 'memo', '--yes', '--client', 'claude-code', '--scope', scope);
  const local =
    "Only the hooks at scope user were compared. Scope local has some: 'mcphooks diff --scope local'.\n";
  expect(await said()).toBe(local);
  expect(await said('memo')).toBe('');
  expect(await said('--scope', 'user')).toBe('');
  expect(await said('--scope', 'local')).toBe('');
  expect((await world.runAs({ folder: 'home' }, 'diff')).stderr).toBe('');
  world.write('project/mcphooks.lock.json', '{}');
  expect(await said()).toContain("Scopes local and project have some: 'mcphooks diff --scope local', ");
});

it.runIf(LONG)(
  'tells which hooks at scope local are silent behind the own ones for all projects',
  async () => {
    const world = homeWith(START, PROMPT);
    installClients(world, { claude: '2.1.329 (Claude Code)' });
    const CLAUDE = ['--client', 'claude-code'];
    const install = ['install', 'memo', '--yes', ...CLAUDE];
    const found = async () => {
      const { stdout, code } = await world.run('doctor', '--json');
      const document = JSON.parse(stdout);
      expect(OUTPUTS.doctor.safeParse(document).error).toBeUndefined();
      const of = (all: { code: string }[]) => all.map((one) => one.code).filter((one) => /silent/.test(one));
      return [code, of(document.findings), of(document.remarks)];
    };
    await world.run(...install, '--scope', 'local', '--only', 'session_start');
    expect(await found()).toEqual([0, [], []]);
    expect((await world.run(...install, '--only', 'pre_request')).stdout.replace(/\s+/g, ' ')).toContain(
      '(--scope local); there, only these give text, so hook 1 (session_start) of that install gives none',
    );
    const fire = async (event: string) =>
      (await world.run('fire', 'memo', event, '--scope', 'local', ...CLAUDE)).stdout;
    expect(await fire('session_start')).toContain(
      'another install of your own takes precedence here, and has no hook for session_start',
    );
    expect(await found()).toEqual([1, ['doctor.local-silent'], []]);
    const { stdout } = await world.run('doctor');
    expect(stdout).toContain('so hook 1 (session_start) of that install gives none');
    expect(stdout).toContain('→ keep one: mcphooks uninstall memo, or mcphooks uninstall --scope local memo');
    const planned = await world.run(...install, '--reset');
    expect(planned.stdout.replace(/\s+/g, ' ')).not.toContain('of that install');
    expect(await fire('session_start')).toContain('your own hooks of this server give the text here');
    expect(await found()).toEqual([0, [], ['doctor.local-silent']]);
  },
);
