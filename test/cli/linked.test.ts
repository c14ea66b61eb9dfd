import {
  chmodSync,
  existsSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LONG } from '../effort.ts';
import { COMMIT, homeWith } from './home.ts';
import { cleanWorlds, type World } from './world.ts';

cleanWorlds();

const DATA = '.local/share/mcphooks';
const STATE = '.local/state/mcphooks';
const CLAUDE = 'home/.claude/settings.json';
const OTHER = ['install', 'other', '--yes', '--declarations', '../home/hooks.json', '--no-check'];

/** A home with hooks of `memo`, and of another server. */
async function withTwo(client = 'claude-code'): Promise<World> {
  const world = homeWith(COMMIT);
  world.write('home/hooks.json', JSON.stringify({ declarations: [COMMIT] }));
  for (const words of [['install', 'memo', '--yes'], OTHER])
    expect(await world.run(...words, '--client', client)).toMatchObject({ code: 0 });
  return world;
}

/** Puts a folder or file elsewhere, with a link in its place. */
function link(world: World, path: string): string {
  const [at, elsewhere] = [join(world.home, path), join(world.home, 'elsewhere')];
  mkdirSync(elsewhere);
  renameSync(at, join(elsewhere, 'it'));
  symlinkSync(join(elsewhere, 'it'), at);
  return at;
}

describe('hook scripts behind a link in our own folders', () => {
  it.each(
    (
      [
        ['the folder of all servers', /hooks(?=\/memo\/)/],
        ['the folder of the server', /hooks\/memo(?=\/)/],
        ['a script', /hooks\/memo\/.*\/PostToolUse$/],
      ] as const
    ).slice(0, LONG ? undefined : 1),
  )('stay at an uninstall, which names the link: %s', async (_, place) => {
    const world = await withTwo();
    const script =
      Object.keys(world.files()).find((path) => /hooks\/memo\/.*\/PostToolUse$/.test(path)) ?? '';
    const { index = 0, 0: end = '' } = place.exec(script) ?? {};
    const at = link(world, script.slice('home/'.length, index + end.length));
    const ran = await world.run('uninstall', 'memo');
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('symbolic link') });
    expect(ran.stderr).toContain(at);
    expect(world.read(CLAUDE)).not.toContain('hooks/memo');
    // What lies behind the link may be other servers', too.
    const [, named = ''] = /Remove (.*), then/.exec(ran.stderr) ?? [];
    rmSync(named, { recursive: true });
    if (end === 'hooks') expect((await world.run('list')).stdout).toMatch(/other +● current/);
    expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
  });

  it.runIf(LONG)('are named, too, where the record is lost', async () => {
    const world = await withTwo();
    link(world, `${DATA}/hooks/memo`);
    rmSync(join(world.home, STATE, 'record.json'));
    expect(await world.run('uninstall', 'memo')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('symbolic link'),
    });
  });

  it.runIf(LONG)('that belong to another client are no fault', async () => {
    const world = homeWith(COMMIT);
    for (const client of ['claude-code', 'codex'])
      expect(await world.run('install', 'memo', '--yes', '--client', client)).toMatchObject({ code: 0 });
    const [script = ''] = Object.keys(world.files()).filter((path) => /claude-code\/PostToolUse$/.test(path));
    link(world, dirname(script).slice('home/'.length));
    expect(await world.run('uninstall', 'memo', '--client', 'codex')).toMatchObject({ code: 0, stderr: '' });
  });

  it.runIf(LONG)('are not said to be gone where a file of a client can not be written', async () => {
    const world = await withTwo();
    link(world, `${DATA}/hooks/memo`);
    chmodSync(join(world.home, '.claude/settings.json'), 0o444);
    const { code, stderr } = await world.run('uninstall', 'memo');
    expect(code).toBe(1);
    expect(stderr).toContain('read-only');
    expect(stderr).not.toContain('hooks are off');
  });
});

it.each(['calls', 'tools', 'sessions', 'kept', 'warm'].slice(0, LONG ? undefined : 1))(
  'a link in place of the state folder %s holds up no uninstall, and leads nowhere',
  async (name) => {
    const world = homeWith(COMMIT);
    expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
    const before = world.write('home/mine/file', 'mine');
    rmSync(join(world.home, STATE, name), { recursive: true, force: true });
    symlinkSync(dirname(before), join(world.home, STATE, name));
    expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
    expect(world.read(CLAUDE)).toBe('{\n  "model": "opus"\n}\n');
    expect(world.read('home/mine/file')).toBe('mine');
    expect(readlinkSync(join(world.home, STATE, name))).toBe(dirname(before));
  },
);

it.runIf(LONG).each<[string, (at: string) => void]>([
  ['a link to nothing', (at) => symlinkSync('nowhere', at)],
  ['a folder', (at) => mkdirSync(at)],
])('%s beside the files of a joint entry is no server', async (_, make) => {
  const world = homeWith(COMMIT);
  world.write('home/hooks.json', JSON.stringify({ declarations: [COMMIT] }));
  expect(await world.run(...OTHER, '--client', 'droid')).toMatchObject({ code: 0 });
  const settings = 'home/.factory/settings.json';
  expect(world.read(settings)).toContain('joint');
  make(join(world.home, DATA, 'joint/droid/PostToolUse.d/for-nobody'));
  expect((await world.run('list')).stdout).not.toContain('for-nobody');
  expect(await world.run('uninstall', 'other')).toMatchObject({ code: 0 });
  expect(existsSync(join(dirname(world.home), settings))).toBe(false);
});

it.runIf(LONG)('a server whose file beside a joint entry is a link keeps the entry', async () => {
  const world = await withTwo('droid');
  link(world, `${DATA}/joint/droid/PostToolUse.d/other`);
  expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
  const { stdout } = await world.run('list');
  expect(stdout).toMatch(/^other /m);
  expect(stdout).not.toContain('missing');
});

it.runIf(LONG)('a link in place of the folder of joint entries is named', async () => {
  const world = await withTwo('droid');
  link(world, `${DATA}/joint/droid`);
  const ran = await world.run('uninstall', 'memo');
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('symbolic link') });
});

it.runIf(LONG)(
  'a stray file in the folder of a server that is gone keeps neither log nor session',
  async () => {
    const world = await withTwo();
    writeFileSync(join(world.home, DATA, 'hooks/memo/.DS_Store'), '');
    expect(
      await world.run('fire', 'other', 'post_tool_use', '--tool', 'Bash', '--input', 'git commit'),
    ).toMatchObject({ code: 0 });
    for (const name of ['memo', 'other'])
      expect(await world.run('uninstall', name)).toMatchObject({ code: 0 });
    expect(Object.keys(world.files()).filter((path) => path.startsWith(`home/${STATE}`))).toEqual([]);
  },
);

it.runIf(LONG)(
  'a file of another that is named like a part of the log stays, and is no failure',
  async () => {
    const world = homeWith(COMMIT);
    expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
    world.write(`home/${STATE}/hooks.log.bak`, 'mine');
    const { code, stdout } = await world.run('uninstall', '--all', '--json');
    expect([code, JSON.parse(stdout).status]).toEqual([0, 'uninstalled']);
    expect(world.read(`home/${STATE}/hooks.log.bak`)).toBe('mine');
  },
);

it('an uninstall of what is not installed does nothing, also where a folder of ours was removed', async () => {
  const world = homeWith(COMMIT);
  world.write('home/hooks.json', JSON.stringify({ declarations: [COMMIT] }));
  expect(await world.run(...OTHER, '--client', 'claude-code,cursor')).toMatchObject({ code: 0 });
  rmSync(join(world.home, '.cursor'), { recursive: true });
  const before = world.files();
  const ran = await world.run('uninstall', 'typo');
  expect(ran).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('Nothing to do') });
  expect(world.files()).toEqual(before);
});
