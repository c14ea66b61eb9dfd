import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LONG } from '../effort.ts';
import { commit, installForTeam, mate, projectFiles, teamWorld } from '../project/team.ts';
import { COMMIT, declare, homeWith } from './home.ts';
import { cleanWorlds, serverEntry, type World } from './world.ts';

cleanWorlds();

const RECORD = 'home/.local/state/mcphooks/record.json';

const update = async (world: World, ...words: string[]) => {
  declare(world, { ...COMMIT, context: `Text ${Math.random()}.` });
  return world.run('install', 'memo', '--yes', '--accept-changed', ...words);
};

const clientsOf = async (world: World): Promise<string[]> => {
  const { servers } = JSON.parse((await world.run('list', '--json')).stdout);
  return servers[0].clients.map((one: { client: string }) => one.client).sort();
};

it.runIf(LONG)(
  'clients that were chosen at an install stay the only ones, until others are named or the options are reset',
  async () => {
    const world = homeWith(COMMIT);
    expect(await world.run('install', 'memo', '--yes', '--client', 'codex')).toMatchObject({ code: 0 });
    const ran = await update(world);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toMatch(
      /not for Claude Code and Gemini CLI, since the clients were chosen before; to add them: --client claude-code,gemini-cli/,
    );
    expect(await clientsOf(world)).toEqual(['codex']);
    await update(world, '--client', 'gemini-cli');
    const { stdout } = await update(world);
    expect(stdout).toContain('not for Claude Code, since');
    expect(await clientsOf(world)).toEqual(['codex', 'gemini-cli']);
    expect((await update(world, '--reset')).stdout).not.toContain('since the clients were chosen');
    expect(await clientsOf(world)).toEqual(['claude-code', 'codex', 'gemini-cli']);
  },
);

it('an install brings back no client from which the hooks were removed', async () => {
  const world = homeWith(COMMIT);
  await world.run('install', 'memo', '--yes');
  await world.run('uninstall', 'memo', '--client', 'codex');
  expect(await update(world)).toMatchObject({ code: 0 });
  expect(await clientsOf(world)).toEqual(['claude-code', 'gemini-cli']);
  expect(await world.run('diff')).toMatchObject({ code: 0 });
});

it('clients that a person chose at the question of the first install stay the only ones', async () => {
  const world = homeWith(COMMIT);
  const decisions = ['choose', 'yes'] as const;
  let turn = 0;
  const ask = {
    decide: async () => decisions[turn++] ?? 'no',
    choose: async () => ({ only: ['1'], clients: ['claude-code' as const] }),
  };
  expect(await world.runAs({ says: true, ask }, 'install', 'memo')).toMatchObject({ code: 0 });
  expect(await clientsOf(world)).toEqual(['claude-code']);
  expect(await update(world)).toMatchObject({ code: 0 });
  expect(await clientsOf(world)).toEqual(['claude-code']);
});

it('an uninstall from a client without the hooks, and an install that adds none, choose nothing', async () => {
  const world = homeWith(COMMIT);
  await world.run('install', 'memo', '--yes', '--client', 'claude-code,codex,gemini-cli');
  const record = JSON.parse(world.read(RECORD));
  delete record.servers[0].clientsChosen;
  world.write(RECORD, JSON.stringify(record));
  const files = () => ({ ...world.files(), 'home/started.log': '' });
  const before = files();
  for (const words of [
    ['uninstall', 'memo', '--client', 'cursor', '--dry-run'],
    ['uninstall', 'memo', '--client', 'cursor'],
    ['uninstall', '--all', '--client', 'cursor'],
    ['install', 'memo', '--yes', '--client', 'codex'],
  ])
    expect(await world.run(...words)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Nothing to do'),
    });
  expect(files()).toEqual(before);
});

it('a plan for a scope advises no client that has no hooks there', async () => {
  const world = homeWith(COMMIT);
  const local = ['install', 'memo', '--yes', '--scope', 'local'];
  expect(await world.run(...local, '--client', 'claude-code')).toMatchObject({ code: 0 });
  const { stdout, code } = await world.run(...local, '--cooldown', '60');
  expect(code).toBe(0);
  expect(stdout).not.toContain('were chosen before');
});

it('a teammate updates the clients of the lock file alone, though a project file defines the server for another', async () => {
  const ada = teamWorld();
  await installForTeam(ada, '--client', 'codex');
  commit(ada);
  const bob = mate(ada);
  const before = Object.keys(projectFiles(bob)).sort();
  await installForTeam(bob);
  expect(Object.keys(projectFiles(bob)).sort()).toEqual(before);
});

/** A home in which Claude Code has the server from a plugin, Codex by itself, and Gemini CLI doesn't have it. */
function homeWithPlugin() {
  const world = homeWith({ ...COMMIT, matcher: { tool_name: 'mcp__memo__*' } });
  const entry = serverEntry(join(world.home, 'declared.json'));
  const registry = { plugins: { 'kit@market': [{ installPath: join(world.home, 'kit') }] } };
  world.write('home/.claude.json', '{}');
  world.write('home/.claude/settings.json', '{ "enabledPlugins": { "kit@market": true } }');
  world.write('home/.claude/plugins/installed_plugins.json', JSON.stringify(registry));
  world.write('home/kit/.claude-plugin/plugin.json', '{ "name": "kit" }');
  world.write('home/kit/.mcp.json', JSON.stringify({ mcpServers: { memo: entry } }));
  world.write('home/.gemini/settings.json', '{}');
  return { world, command: ['--', entry.command, ...entry.args] };
}

it('a command on the command line starts the server that clients know by this name, a plugin too', async () => {
  const { world, command } = homeWithPlugin();
  expect(await world.run('install', 'memo', '--yes', ...command)).toMatchObject({ code: 0 });
  expect(await clientsOf(world)).toEqual(['claude-code', 'codex']);
  expect(world.read('home/.claude/settings.json')).toContain('mcp__plugin_kit_memo__');
  expect(await world.run('diff')).toMatchObject({ code: 0 });
});

it('lint knows the server of a plugin by its bare name, as an install does', async () => {
  const { world, command } = homeWithPlugin();
  for (const reached of [[], command]) {
    const { stdout } = await world.run('lint', 'memo', '--json', '--client', 'claude-code', ...reached);
    const { warnings, clients } = JSON.parse(stdout);
    expect(warnings.map(({ code }: { code: string }) => code)).not.toContain('lint.server-other');
    expect(clients[0].hooks).toMatchObject([{ fidelity: 'native' }]);
  }
});
