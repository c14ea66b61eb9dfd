import { describe, expect, it } from 'vitest';
import { programHash } from '../../src/edit/module.ts';
import { LONG } from '../effort.ts';
import { WINDOWS } from '../platform.ts';
import { commit, installForTeam, teamWorld } from '../project/team.ts';
import { own } from './home.ts';
import { cleanWorlds, makeWorld, serverEntry, type World } from './world.ts';

cleanWorlds();

// What a client loads as code is ours whole: an older program is renewed like a script, an altered one is drift.

const PLUGIN = 'home/.config/opencode/plugins/mcphooks-memo.js';
const RECORD = 'home/.local/state/mcphooks/record.json';
const HOOK = { event: 'pre_request', context: 'Keep answers short.', priority: 'suggestion' };

async function installedWorld(): Promise<World> {
  const world = makeWorld();
  world.write('home/declared.json', JSON.stringify({ declarations: [HOOK] }));
  const { command, args } = serverEntry(`${world.home}/declared.json`, `${world.home}/started.log`);
  const mcp = { memo: { type: 'local', command: [command, ...args] } };
  world.write('home/.config/opencode/opencode.json', JSON.stringify({ mcp }));
  expect(await world.run('install', 'memo', '--client', 'opencode', '--yes')).toMatchObject({ code: 0 });
  return world;
}

const alter = (world: World, path = PLUGIN): string => {
  const text = world.read(path).replace('// A plugin', '// Another plugin');
  world.write(path, text);
  return text;
};
const stateOf = async (world: World): Promise<unknown> =>
  JSON.parse((await world.run('list', '--json')).stdout).servers[0].clients[0].state;

describe("the program of a client's plugin", () => {
  it.runIf(LONG)('of an earlier version is no drift, and is renewed without a question', async () => {
    const world = await installedWorld();
    const now = world.read(PLUGIN);
    const record = JSON.parse(world.read(RECORD));
    record.servers[0].clients.opencode.program = programHash(PLUGIN, alter(world));
    world.write(RECORD, JSON.stringify(record));
    expect(await world.run('diff')).toMatchObject({ code: 0, stdout: 'memo: as installed\n' });
    expect(await stateOf(world)).toBe('current');
    const renewed = await world.run('install', 'memo');
    expect(renewed).toMatchObject({ code: 0 });
    expect(renewed.stdout).toContain('+ // A plugin');
    expect(world.read(PLUGIN)).toBe(now);
    expect((await world.run('install', 'memo')).stderr).toContain('Nothing to do');
    expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
    expect(Object.keys(world.files())).not.toContain(PLUGIN);
  });

  it('needs no node, of which doctor says nothing then', async () => {
    const world = await installedWorld();
    const path = own(world, 'opencode/UserPromptSubmit');
    world.write(path, world.read(path).replace(/node='.*'/, "node='/gone/node'"));
    world.env.PATH = world.project;
    const { stdout } = await world.run('doctor', '--json');
    const codes = JSON.parse(stdout).findings.map(({ code }: { code: string }) => code);
    // A script for Windows names no node, so it is as it was.
    expect(codes).toEqual(['doctor.no-client', ...(WINDOWS ? [] : ['doctor.own-altered'])]);
  });

  it('that somebody altered is drift, and is restored', async () => {
    const world = await installedWorld();
    const now = world.read(PLUGIN);
    alter(world);
    const { code, stdout } = await world.run('diff');
    expect([code, stdout]).toEqual([2, expect.stringContaining('mcphooks-memo.js')]);
    expect(await stateOf(world)).toBe('edited');
    expect((await world.run('doctor')).stdout).toContain('mcphooks-memo.js');
    expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
    expect(world.read(PLUGIN)).toBe(now);
    expect(await world.run('diff')).toMatchObject({ code: 0 });
  });

  it.runIf(LONG)(
    "that a pull request altered fails the project's check, with its hash altered, too",
    async () => {
      const world = teamWorld();
      await installForTeam(world, '--client', 'opencode');
      commit(world);
      const check = ['diff', '--offline', '--scope', 'project', '--json'];
      expect(await world.run(...check)).toMatchObject({ code: 0 });
      const path = 'project/.opencode/plugins/mcphooks-memo.js';
      const now = world.read(path);
      const before = programHash(path, now);
      const text = alter(world, path);
      expect(await world.run(...check)).toMatchObject({ code: 2 });
      const frozen = ['install', '--frozen', '--scope', 'project', '--yes'];
      expect(await world.run(...frozen)).toMatchObject({ code: 0 });
      expect(world.read(path)).toBe(now);
      alter(world, path);
      const lock = world.read('project/mcphooks.lock.json');
      expect(lock).toContain(before);
      world.write('project/mcphooks.lock.json', lock.replace(before, programHash(path, text)));
      expect(await world.run(...check)).toMatchObject({ code: 2 });
    },
  );
});
