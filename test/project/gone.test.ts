import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { keptTextsFolder, TAG_FILE } from '../../src/fire/own-folders.ts';
import { COMMIT, homeWith } from '../cli/home.ts';
import { cleanWorlds, makeWorld, type World } from '../cli/world.ts';
import { LONG } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { WINDOWS } from '../platform.ts';

cleanWorlds();
installsNodeHere();

/** A home with hooks of `memo` for oneself in a project, whose folder was moved then. */
async function withMovedProject(): Promise<World> {
  const world = makeWorld();
  world.write('home/hooks.json', JSON.stringify({ declarations: [COMMIT] }));
  world.write('home/.claude/settings.json', '{}\n');
  mkdirSync(join(world.project, '.git'));
  const given = ['--declarations', '../home/hooks.json', '--no-check', '--client', 'claude-code', '--yes'];
  expect(await world.run('install', 'memo', '--scope', 'local', ...given)).toMatchObject({ code: 0 });
  renameSync(world.project, `${world.project}-moved`);
  mkdirSync(world.project);
  return world;
}

it.each([[['--all']], [['memo']]])(
  'uninstall %j removes what was installed for oneself in a project that is gone',
  async (words) => {
    const world = await withMovedProject();
    renameSync(world.project, join(world.home, 'elsewhere'));
    const folder = 'home';
    const before = world.files();
    await world.runAs({ folder }, 'uninstall', 'other');
    expect(world.files()).toEqual(before);
    const planned = await world.runAs({ folder }, 'uninstall', ...words, '--dry-run');
    expect(planned.code, planned.stderr).toBe(2);
    const ran = await world.runAs({ folder }, 'uninstall', ...words);
    expect(ran, ran.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Hooks of memo removed'),
    });
    expect(Object.keys(world.files()).filter((path) => path.startsWith('home/.local'))).toEqual([]);
    const again = await world.runAs({ folder }, 'uninstall', ...words);
    expect(again).toMatchObject({ code: 0, stdout: '' });
  },
);

it('uninstall of a server at --scope local in another project leaves it', async () => {
  const world = await withMovedProject();
  renameSync(world.project, join(world.home, 'elsewhere'));
  mkdirSync(join(world.home, 'other/.git'), { recursive: true });
  const before = world.files();
  await world.runAs({ folder: 'home/other' }, 'uninstall', 'memo', '--scope', 'local');
  expect(world.files()).toEqual(before);
});

it('uninstall of a server at --scope local keeps what its hooks in another project have said', async () => {
  const world = homeWith({ event: 'pre_request', context: 'Keep answers short.', priority: 'suggestion' });
  const folders = ['project', 'home/other'];
  for (const folder of folders) {
    mkdirSync(join(world.home, '..', folder, '.git'), { recursive: true });
    const install = ['install', 'memo', '--scope', 'local', '--cooldown', '3600', '--yes'];
    const ran = await world.runAs({ folder }, ...install, '--client', 'claude-code');
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
  }
  const fire = ['fire', 'memo', 'pre_request', '--scope', 'local', '--session', 's1'];
  const say = async () => (await world.run(...fire)).stdout;
  expect(await say()).toContain('Keep answers short.');
  for (const folder of [...folders].reverse()) {
    expect(await say()).not.toContain('Keep answers short.');
    const ran = await world.runAs({ folder }, 'uninstall', 'memo', '--scope', 'local');
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
  }
  expect(Object.keys(world.files()).filter((path) => path.startsWith('home/.local'))).toEqual([]);
});

const TWO = [['memo', '--scope', 'local'], ['other']];

/** Returns a world in which two servers are installed, one at scope local. */
async function withTwo(): Promise<World> {
  const world = homeWith({ event: 'pre_request', context: 'Keep answers short.', priority: 'suggestion' });
  mkdirSync(join(world.project, '.git'), { recursive: true });
  const entry = JSON.parse(world.read('home/.claude.json')).mcpServers.memo;
  world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: entry, other: entry } }));
  for (const args of TWO) {
    const ran = await world.run('install', ...args, '--yes', '--client', 'claude-code');
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
  }
  return world;
}

it("uninstall at --scope local removes what hooks of an earlier version kept with the state of the user's own", async () => {
  const world = await withTwo();
  const state = join(world.home, '.local/state/mcphooks');
  const kept = keptTextsFolder(state, 'claude-code', 'memo');
  mkdirSync(kept, { recursive: true });
  writeFileSync(join(kept, '1.json'), '{}');
  const ran = await world.run('uninstall', 'memo', '--scope', 'local');
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  expect(existsSync(kept)).toBe(false);
});

it.skipIf(WINDOWS)('uninstall at --scope local does not need to read the tag of projects', async () => {
  const world = await withTwo();
  const tag = join(world.home, '.local/state/mcphooks', TAG_FILE);
  symlinkSync(tag, tag);
  for (const args of TWO) {
    const ran = await world.run('uninstall', ...args, '--yes');
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
  }
});

it.each([true, false])('uninstall --all asks whether the log goes, too: %s', async (says) => {
  const world = await withMovedProject();
  renameSync(world.project, join(world.home, 'elsewhere'));
  const log = 'home/.local/state/mcphooks/hooks.log';
  world.write(log, '');
  const ran = await world.runAs({ folder: 'home', says }, 'uninstall', '--all');
  expect(ran, ran.stderr).toMatchObject({ code: 0 });
  expect(Object.keys(world.files()).filter((path) => path.startsWith('home/.local'))).toEqual(
    says ? [] : [log],
  );
});

it('diff in the folder that was moved says that there are entries', async () => {
  const world = await withMovedProject();
  const { code, stderr } = await world.runAs({ folder: 'project-moved' }, 'diff');
  expect([code, stderr]).toEqual([0, expect.stringContaining("'mcphooks list' shows them")]);
});

it('uninstall --all --scope local in the folder that was moved removes it, too', async () => {
  const world = await withMovedProject();
  renameSync(world.project, join(world.home, 'elsewhere'));
  const ran = await world.runAs({ folder: 'project-moved' }, 'uninstall', '--all', '--scope', 'local');
  expect(ran, ran.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Hooks of memo removed'),
  });
  expect(Object.keys(world.files()).filter((path) => path.startsWith('home/.local'))).toEqual([]);
});

it('uninstall of another server, or in a folder that is there, leaves it', async () => {
  const world = await withMovedProject();
  const before = world.files();
  for (const words of [['other'], ['memo'], ['--all']])
    expect(await world.runAs({ folder: 'home' }, 'uninstall', ...words)).toMatchObject({
      code: 0,
      stdout: '',
    });
  expect(world.files()).toEqual(before);
});

it.runIf(LONG)(
  'uninstall of a server of the user leaves it, too, until that is all there is of the server',
  async () => {
    const world = await withMovedProject();
    renameSync(world.project, join(world.home, 'elsewhere'));
    const given = ['--declarations', 'hooks.json', '--no-check', '--client', 'claude-code', '--yes'];
    const run = (...words: string[]) => world.runAs({ folder: 'home' }, ...words);
    const before = Object.keys(world.files());
    expect(await run('install', 'memo', ...given)).toMatchObject({ code: 0 });
    expect(await run('uninstall', 'memo')).toMatchObject({ code: 0 });
    expect(Object.keys(world.files())).toEqual(before);
    expect(await run('uninstall', 'memo')).toMatchObject({ code: 0 });
    expect(Object.keys(world.files()).filter((path) => path.startsWith('home/.local'))).toEqual([]);
  },
);
