import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownPaths } from '../../src/base/paths.ts';
import { projectLockFolder } from '../../src/store/lock-folder.ts';
import { lockFile, withLock } from '../../src/store/process-lock.ts';
import { LONG } from '../effort.ts';
import { WINDOWS } from '../platform.ts';
import { CLI, cleanWorlds, makeWorld, type World } from './world.ts';

cleanWorlds();

const KILL_AT = join(import.meta.dirname, '../fixtures/kill-at.cjs');
const HOOKS = JSON.stringify({
  declarations: [
    { event: 'pre_request', context: 'Alive.', priority: 'suggestion' },
    { event: 'post_request', context: 'Kept.', priority: 'suggestion' },
  ],
});

/** Runs a command that is killed before a change of a file (see KILL_AT). */
async function killedAt(at: string, world: World, ...args: string[]): Promise<void> {
  const child = spawn(process.execPath, ['--require', KILL_AT, CLI, ...args], {
    cwd: world.project,
    env: { ...world.env, KILL_AT: at },
    stdio: 'ignore',
  });
  const signal = await new Promise((done) => child.on('close', (_, by) => done(by)));
  expect(signal).toBe('SIGKILL');
}

const INSTALL = 'install memo --client claude-code --declarations hooks.json --no-check --yes'.split(' ');
const PROJECT = [...INSTALL, '--scope', 'project'];
const USER = [...INSTALL, '--', 'sh', '-c', 'true'];

function worldWithServer(): World {
  const world = makeWorld();
  world.write('project/hooks.json', HOOKS);
  world.write('project/.mcp.json', '{"mcpServers":{"memo":{"command":"sh","args":["server.sh"]}}}');
  return world;
}

const ofUs = (world: World): string[] => Object.keys(world.files()).filter((path) => /mcphooks/.test(path));

describe.runIf(LONG && !WINDOWS)('what a killed uninstall left', () => {
  it.each([
    ['before it removes what hooks have stored', 'rmSync .*/kept'],
    ['when the record has forgotten the server', 'renameSync .*journal\\.commit.* .*journal\\.done'],
    ['before the record forgets the server', 'renameSync .*record\\.json'],
    ['before its journal goes', 'unlinkSync .*journal\\.done'],
  ])('%s is removed by the next one', async (_, at) => {
    const world = worldWithServer();
    const before = world.files();
    expect(await world.run(...USER)).toMatchObject({ code: 0 });
    expect(await world.run('fire', 'memo', 'post_request')).toMatchObject({ code: 0 });
    await killedAt(at, world, 'uninstall', 'memo');
    expect(await world.run('uninstall', '--all')).toMatchObject({ code: 0 });
    expect(world.files()).toEqual(before);
    expect(existsSync(join(world.home, '.local'))).toBe(false);
  });
});

it
  .runIf(LONG && !WINDOWS)
  .each([
    'renameSync .*settings\\.json',
    'renameSync .*mcphooks\\.lock\\.json',
    'rmdirSync .*/project/\\.mcphooks$',
  ])('a killed uninstall in a project enables no server: %s', async (at) => {
  const world = worldWithServer();
  expect(await world.run(...PROJECT)).toMatchObject({ code: 0 });
  expect(await world.run('disable', 'memo')).toMatchObject({ code: 0 });
  const uninstall = ['uninstall', 'memo', '--scope', 'project'];
  await killedAt(at, world, ...uninstall);
  expect(await world.run(...uninstall)).toMatchObject({ code: 0 });
  expect(await world.run(...PROJECT)).toMatchObject({ code: 0 });
  expect((await world.run('list')).stdout).toContain('disabled');
  expect(await world.run('enable', 'memo')).toMatchObject({ code: 0 });
  expect((await world.run('list')).stdout).not.toContain('disabled');
});

it.runIf(LONG)('an uninstall in a project that fails leaves the server disabled there', async () => {
  const world = worldWithServer();
  expect(await world.run(...PROJECT)).toMatchObject({ code: 0 });
  expect(await world.run('disable', 'memo')).toMatchObject({ code: 0 });
  const settings = join(world.project, '.claude/settings.json');
  chmodSync(settings, 0o400);
  expect(await world.run('uninstall', 'memo', '--scope', 'project')).toMatchObject({ code: 1 });
  chmodSync(settings, 0o600);
  expect(await world.run('install', '--frozen', '--scope', 'project', '--yes')).toMatchObject({ code: 0 });
  expect((await world.run('list')).stdout).toContain('disabled');
});

describe.runIf(!WINDOWS)('a killed install into a project', () => {
  it('is completed by the command that switches its hooks off', async () => {
    const world = worldWithServer();
    world.write('project/.claude/settings.json', '{}');
    await killedAt('renameSync .*mcphooks\\.lock\\.json$', world, ...PROJECT);
    expect(await world.run('disable', 'memo')).toMatchObject({ code: 0 });
    expect((await world.run('list')).stdout).toContain('disabled');
  });

  it.runIf(LONG)('is reverted by list, also where the project has no file of a client', async () => {
    const world = worldWithServer();
    const before = world.files();
    const at = 'renameSync .*preparing.* .*commit';
    await killedAt(at, world, ...PROJECT);
    expect(ofUs(world)).not.toEqual([]);
    expect((await world.run('doctor')).stdout).toContain('interrupted');
    expect(await world.run('list')).toMatchObject({ code: 0 });
    expect(world.files()).toEqual(before);
    expect(existsSync(join(world.home, '.local'))).toBe(false);
  });

  it.runIf(LONG)('is completed without advice to delete what it left', async () => {
    const world = worldWithServer();
    world.write('project/.claude/settings.json', '{}');
    await killedAt('renameSync .*preparing.* .*commit', world, ...PROJECT);
    const doctor = await world.run('doctor', '--json');
    expect(JSON.parse(doctor.stdout).findings).toMatchObject([{ code: 'doctor.interrupted' }]);
    const { code, stderr } = await world.run(...PROJECT);
    expect(code).toBe(0);
    expect(stderr).not.toContain('delete');
  });

  it.runIf(LONG)('that can’t be completed stops no command of the user’s own hooks', async () => {
    const world = worldWithServer();
    await killedAt('renameSync .*preparing.* .*commit', world, ...PROJECT);
    const journal = ofUs(world).find((path) => path.includes('journal.')) as string;
    world.write(journal, '{');
    const { code, stderr } = await world.run(...USER);
    expect(code).toBe(0);
    expect(stderr.match(/journal\.\w+\.json/g)).toHaveLength(1);
    const list = await world.run('list');
    expect([list.code, list.stdout]).toEqual([1, expect.stringContaining('memo')]);
    expect(list.stderr).toMatch(/journal\.\w+\.json/);

    // Said once, whatever number of scopes the command reads.
    const gone = ['one', 'two'].map((name) => join(world.home, '..', name));
    for (const folder of gone) {
      mkdirSync(folder);
      cpSync(join(world.project, 'hooks.json'), join(folder, 'hooks.json'));
      const words = ['install', 'note', ...INSTALL.slice(2), '--scope', 'local', '--', 'sh', '-c', 'true'];
      expect(await world.runAs({ folder: basename(folder) }, ...words)).toMatchObject({ code: 0 });
      rmSync(folder, { recursive: true });
    }
    const all = await world.run('uninstall', '--all');
    expect(all.stderr.match(/journal\.\w+\.json/g)).toHaveLength(1);
    expect(world.files()).not.toHaveProperty(['home/.local/state/mcphooks/record.json']);
  });
});

it.each([
  ['project', ['list']],
  ['user', ['diff', '--scope', 'project', '--offline']],
] as const)('a command waits for no run at a scope that isn’t its own: %s, %j', async (scope, args) => {
  const world = worldWithServer();
  expect(await world.run(...PROJECT)).toMatchObject({ code: 0 });
  const { state } = ownPaths(world.env);
  const folder = scope === 'user' ? state : projectLockFolder(state, world.project);
  await withLock(folder, async () => {
    expect(await world.run(...args)).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(lockFile(folder))).toBe(true);
  });
});

it.runIf(LONG && !WINDOWS).each([
  [['list'], 'renameSync .*preparing.* .*commit', false],
  [['diff', '--scope', 'project', '--offline'], 'renameSync .*commit.* .*done', true],
])(
  'a killed install of who has no home is ended from the temporary folder by %j',
  async (next, at, isDone) => {
    const world = worldWithServer();
    const before = world.files();
    const temporary = join(world.home, '../tmp');
    mkdirSync(temporary);
    Object.assign(world.env, { HOME: '/dev/null', TMPDIR: temporary });
    await killedAt(at, world, ...PROJECT);
    const left = readdirSync(temporary, { recursive: true }).map(String);
    expect(left).toEqual(expect.arrayContaining([expect.stringMatching(/projects.*journal/)]));
    expect(await world.spawn(...next)).toMatchObject({ code: 0 });
    expect(readdirSync(temporary)).toEqual([]);
    if (isDone) expect(ofUs(world)).toContain('project/mcphooks.lock.json');
    else expect(world.files()).toEqual(before);
  },
);
