/** A lock file that has lost a client of a server in a merge, while the client's file still has the entries. */
import { expect, it } from 'vitest';
import { LOCK } from '../../src/base/paths.ts';
import type { World } from '../cli/world.ts';
import { LONG } from '../effort.ts';
import { installedTeams, projectFiles } from './team.ts';

const PROJECT = ['--scope', 'project'];
const DIFF = ['diff', 'memo', ...PROJECT, '--offline'];
const CLIENTS = ['claude-code', 'codex', 'copilot'];
const teamWith = installedTeams();

/** The project in which the lock file lists the server for these clients alone; without any, not at all. */
async function losing(...listed: string[]): Promise<{ world: World; before: Record<string, string> }> {
  const world = await teamWith('--client', CLIENTS.join());
  const before = projectFiles(world);
  const lock = JSON.parse(world.read(`project/${LOCK}`));
  for (const server of lock.servers)
    server.clients = Object.fromEntries(listed.map((client) => [client, server.clients[client]]));
  const servers = listed.length === 0 ? [] : lock.servers;
  world.write(`project/${LOCK}`, JSON.stringify({ ...lock, servers }, null, 2));
  return { world, before };
}

/** Files of clients' scripts. */
const scriptsOf = (world: World, ...clients: string[]): string[] =>
  Object.keys(projectFiles(world)).filter((path) => clients.some((id) => path.includes(`/${id}/`)));

const advice = (client: string): string =>
  `'mcphooks install ${PROJECT.join(' ')} memo --client ${client}' adopts them`;

it.runIf(LONG)(
  'an install leaves the scripts of entries that the lock file has lost, and names them',
  async () => {
    const { world, before } = await losing('claude-code', 'copilot');
    const own = scriptsOf(world, ...CLIENTS);
    const { code, stderr } = await world.run('install', 'memo', ...PROJECT, '--yes');
    expect(code).toBe(0);
    expect(stderr).toContain(advice('codex'));
    expect(scriptsOf(world, ...CLIENTS)).toEqual(own);
    const diff = await world.run(...DIFF);
    expect(diff).toMatchObject({ code: 2, stdout: 'memo: as installed\n' });
    expect(diff.stderr).toContain(advice('codex'));
    const adopted = await world.run('install', 'memo', ...PROJECT, '--client', 'codex', '--yes');
    expect([adopted.code, adopted.stderr]).toEqual([0, expect.not.stringContaining('lock file')]);
    expect(JSON.parse(world.read(`project/${LOCK}`)).servers[0].clients).toHaveProperty('codex');
    expect({ ...projectFiles(world), [LOCK]: '' }).toEqual({ ...before, [LOCK]: '' });
    expect(await world.run(...DIFF)).toMatchObject({ code: 0, stderr: '' });
  },
);

it.runIf(LONG)('of a server that the lock file has lost, each client is adopted or removed', async () => {
  const { world } = await losing();
  const own = scriptsOf(world, ...CLIENTS);
  const diff = await world.run('diff', ...PROJECT, '--offline');
  for (const client of CLIENTS) expect(diff.stderr).toContain(advice(client));
  expect(diff.stderr).toContain("First adopt or remove the hooks that the lock file doesn't list");
  expect(diff.stderr).not.toContain('delete them');
  const install = ['install', 'memo', ...PROJECT, '--client', 'claude-code', '--yes'];
  const { code, stderr } = await world.run(...install);
  expect(code).toBe(0);
  expect(stderr).toContain(advice('codex'));
  expect(stderr).not.toContain(advice('claude-code'));
  expect(scriptsOf(world, ...CLIENTS)).toEqual(own);
  const files = projectFiles(world);
  expect(await world.run('install', ...PROJECT, '--frozen', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(advice('copilot')),
  });
  expect(projectFiles(world)).toEqual(files);
  for (const client of ['codex', 'copilot'])
    expect(await world.run('uninstall', 'memo', ...PROJECT, '--client', client)).toMatchObject({ code: 0 });
  expect(scriptsOf(world, 'codex', 'copilot')).toEqual([]);
  expect(await world.run(...DIFF)).toMatchObject({ code: 0, stderr: '' });
});

const JOINT = '.mcphooks/runtime/joint.cjs';

it.runIf(LONG)(
  'a write removes programs that no server needs any more, and are as mcphooks wrote them',
  async () => {
    const { world, before } = await losing('claude-code');
    const uninstall = ['uninstall', 'memo', ...PROJECT, '--client'];
    await world.run(...uninstall, 'codex');
    // The scripts for Copilot need it.
    expect(projectFiles(world)).toHaveProperty([JOINT]);
    world.write(`project/${JOINT}`, `${before[JOINT]}// mine\n`);
    await world.run(...uninstall, 'copilot');
    expect(projectFiles(world)).toHaveProperty([JOINT]);
    const diff = await world.run(...DIFF);
    expect([diff.code, diff.stderr]).toEqual([2, expect.stringContaining(JOINT)]);
    expect(diff.stderr).toContain('Find out where they come from, and delete them.');
    world.write(`project/${JOINT}`, before[JOINT] ?? '');
    expect(await world.run(...DIFF)).toMatchObject({ code: 2 });
    expect(await world.run('install', 'memo', ...PROJECT, '--yes')).toMatchObject({ code: 0 });
    expect(await world.run(...DIFF)).toMatchObject({ code: 0, stderr: '' });
    expect(projectFiles(world)).not.toHaveProperty([JOINT]);
  },
);

it.runIf(LONG)(
  'scripts of a server that nothing lists are removed by the command that diff names',
  async () => {
    const { world } = await losing();
    world.write('project/.claude/settings.json', '{}');
    for (const client of ['codex', 'copilot'])
      await world.run('uninstall', 'memo', ...PROJECT, '--client', client, '--edited');
    const stray = '.mcphooks/hooks/memo/mine.txt';
    world.write(`project/${stray}`, '');
    const { code, stderr } = await world.run('diff', ...PROJECT, '--offline');
    expect(code).toBe(2);
    expect(stderr).toContain("'mcphooks uninstall --scope project memo' removes the hook scripts of memo.");
    expect(stderr).toContain('Find out where the other files come from, and delete them.');
    await world.run('uninstall', 'memo', ...PROJECT);
    expect(Object.keys(projectFiles(world)).filter((path) => path.includes('mcphooks'))).toEqual([stray]);
  },
);

it.runIf(LONG)('an update and an uninstall leave them, too', async () => {
  const { world } = await losing('claude-code');
  const lost = scriptsOf(world, 'codex', 'copilot');
  const hooks = JSON.parse(world.read('project/tools/hooks.json'));
  hooks.declarations[1].context = 'Answer briefly.';
  world.write('project/tools/hooks.json', JSON.stringify(hooks));
  const update = ['install', 'memo', ...PROJECT, '--yes', '--accept-changed'];
  expect(await world.run(...update)).toMatchObject({ code: 0 });
  expect(scriptsOf(world, 'codex', 'copilot')).toEqual(lost);
  const uninstall = ['uninstall', 'memo', ...PROJECT];
  expect(await world.run(...uninstall, '--client', 'claude-code')).toMatchObject({ code: 0 });
  expect(scriptsOf(world, ...CLIENTS)).toEqual(lost);
  expect(Object.keys(projectFiles(world))).toContain('.mcphooks/runtime/fire.cjs');
  expect(await world.run(...uninstall)).toMatchObject({ code: 0 });
  expect(Object.keys(projectFiles(world)).filter((path) => path.includes('mcphooks'))).toEqual([]);
});
