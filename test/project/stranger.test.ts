import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/base/sha256.ts';
import { ODD_FILES } from '../base/odd-files.ts';
import { cleanWorlds, madeOnce, type World } from '../cli/world.ts';
import { LONG, sample } from '../effort.ts';
import { marking } from '../platform.ts';
import { commit, installForTeam, installIn, mate, projectFiles, START, teamWorld } from './team.ts';

cleanWorlds();
const LOCK = 'mcphooks.lock.json';
const PROJECT = ['--scope', 'project'];
const ALL = ['--client', 'claude-code,codex,gemini-cli'];

/** Every file and link below a folder, no link followed. */
const standing = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((e) => !e.isDirectory())
      .map((e) => [e, join(e.parentPath, e.name)] as const)
      .map(([e, path]) => [
        path,
        e.isSymbolicLink() ? readlinkSync(path) : e.isFile() ? readFileSync(path, 'latin1') : 'odd',
      ]),
  );
const all = (world: World): Record<string, string> => standing(join(world.home, '..'));

/** A world in which the team has installed, and somebody has been at the checkout. */
const checkout = madeOnce(async () => {
  const ada = teamWorld();
  await installForTeam(ada, ...ALL);
  commit(ada);
  return mate(ada);
});

describe('links in a checkout', () => {
  it
    .runIf(LONG)
    .each(sample(['.mcphooks', '.mcphooks/hooks', '.mcphooks/hooks/memo', '.mcphooks/runtime'], 2))(
    'of a folder of ours lead to nothing that uninstall removes: %s',
    async (folder) => {
      const world = await checkout();
      for (const path of ['hooks/memo/mine', 'memo/mine', 'runtime/mine', 'fire.cjs', 'mine'])
        world.write(`home/code/${path}`, 'mine');
      rmSync(join(world.project, folder), { recursive: true });
      symlinkSync(join(world.home, 'code'), join(world.project, folder));
      const before = all(world);
      expect(await world.run('uninstall', 'memo', ...PROJECT)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(join(world.home, 'code')),
      });
      expect(all(world)).toEqual(before);
    },
  );

  it('lead nowhere where nothing is installed either', async () => {
    const world = teamWorld();
    world.write('home/code/hooks/memo/mine', 'mine');
    world.write('home/code/runtime/mine', 'mine');
    symlinkSync(join(world.home, 'code'), join(world.project, '.mcphooks'));
    const before = all(world);
    expect(await world.run('uninstall', 'memo', ...PROJECT)).toMatchObject({ code: 1 });
    expect(all(world)).toEqual(before);
  });

  it.each(['home/mine', 'project/tools/server.mjs'].slice(0, LONG ? 2 : 1))(
    'of a file among ours leave the file: %s',
    async (path) => {
      const world = await checkout();
      if (path === 'home/mine') world.write(path, 'mine');
      const file = join(world.home, '..', path);
      const link = join(world.project, '.mcphooks/hooks/memo/more');
      symlinkSync(file, link);
      const before = all(world);
      const text = readFileSync(file, 'utf8');
      expect(await world.run('install', '--frozen', '--yes', ...PROJECT)).toMatchObject({ code: 1 });
      expect(all(world)).toEqual(before);
      expect(await world.run('uninstall', 'memo', ...PROJECT)).toMatchObject({ code: 0 });
      expect([readlinkSync(link), readFileSync(file, 'utf8')]).toEqual([file, text]);
    },
  );

  const paths = sample([LOCK, '.claude/settings.json', '.codex/config.toml'], 2);
  it.each(paths.map((path, turn) => [path, turn] as const))(
    'that dangle or lead out are written through by nothing: %s',
    async (path, turn) => {
      const ada = await checkout();
      const text = ada.read(`project/${path}`);
      for (const there of [true, false]) {
        rmSync(join(ada.project, path), { force: true });
        if (there) ada.write('home/mine', text);
        else rmSync(join(ada.home, 'mine'));
        symlinkSync(join(ada.home, 'mine'), join(ada.project, path));
        const before = standing(ada.home);
        const commands = [
          ['uninstall', 'memo'],
          ['install', '--frozen', '--yes'],
          ['install', 'memo', '--yes', '--declarations', 'tools/hooks.json', '--no-check', ...ALL],
        ];
        for (const args of sample(commands, 2, turn + Number(there))) await ada.run(...args, ...PROJECT);
        expect(standing(ada.home), String(there)).toEqual(before);
      }
    },
  );

  it('in place of own files make these altered, not missing', async () => {
    const world = await checkout();
    const path =
      Object.keys(world.files()).find((one) => one.includes('/codex/') && one.endsWith('.json')) ?? '';
    const file = join(world.home, '..', path);
    renameSync(file, join(world.home, 'same'));
    symlinkSync(join(world.home, 'same'), file);
    const { servers } = JSON.parse((await world.run('list', '--json')).stdout);
    const codes = servers[0].clients.flatMap((one: { findings: { code: string }[] }) =>
      one.findings.map(({ code }) => code),
    );
    expect(codes).toContain('doctor.own-altered');
    expect(codes).not.toContain('doctor.own-gone');
  });

  it('beside a path in the lock file lead to nothing that enable removes or disable makes', async () => {
    const world = await checkout();
    symlinkSync(join(world.home, 'code'), join(world.project, '.mcphooks/hooks/mcphooks'));
    const lock = JSON.parse(world.read(`project/${LOCK}`));
    lock.servers[0].clients.codex.own['.mcphooks/hooks/mcphooks/hooks/memo/a/b/c'] = '0';
    world.write(`project/${LOCK}`, JSON.stringify(lock));
    for (const path of ['code/hooks/memo/disabled', 'code/mine']) {
      rmSync(join(world.home, 'code'), { recursive: true, force: true });
      world.write(`home/${path}`, 'mine');
      const found = () => [standing(join(world.home, 'code')), standing(world.project)];
      const before = found();
      for (const command of ['enable', 'disable', 'enable']) {
        expect(await world.run(command, 'memo'), command).toMatchObject({ code: 0 });
        expect(found(), command).toEqual(before);
      }
    }
  });

  it('beside a path in the lock file lead an install to no code cache', async () => {
    const world = await checkout();
    const folder = '.mcphooks/hooks/mcphooks/x/future/mcphooks';
    world.write('home/code/runtime/0123456789abcdef/mine.cjs', 'mine');
    world.write('home/code/runtime/0123456789abcdef/mine.cjs.x.cache', 'mine');
    mkdirSync(join(world.project, folder, '..'), { recursive: true });
    symlinkSync(join(world.home, 'code'), join(world.project, folder));
    const lock = JSON.parse(world.read(`project/${LOCK}`));
    const own = { [`${folder}/runtime/0123456789abcdef/start.cjs`]: '0' };
    lock.servers[0].clients.future = { file: '.future/hooks.json', digest: '0', entries: [], own };
    world.write(`project/${LOCK}`, JSON.stringify(lock));
    const before = standing(join(world.home, 'code'));
    await installIn(world, ...PROJECT);
    expect(standing(join(world.home, 'code'))).toEqual(before);
  });

  it('into the folder of git are followed by nothing', async () => {
    const world = teamWorld();
    rmSync(join(world.project, '.codex/config.toml'));
    symlinkSync('../.git/config', join(world.project, '.codex/config.toml'));
    const before = world.read('project/.git/config');
    const args = ['--yes', '--declarations', 'tools/hooks.json', '--no-check', '--client', 'codex'];
    expect(await world.run('install', 'memo', ...args, ...PROJECT)).toMatchObject({ code: 1 });
    expect(world.read('project/.git/config')).toBe(before);
  });
});

describe('a lock or a journal that a stranger left in a checkout', () => {
  const READING = [
    ['list'],
    ['doctor'],
    ['explain', 'memo', ...PROJECT],
    ['diff', '--offline', ...PROJECT],
    ['install', '--frozen', '--yes', ...PROJECT],
  ];
  const mine = (of: World, path: string, more: object = {}) => ({
    path: join(of.home, '..', path),
    target: join(of.home, '..', path),
    fresh: join(of.project, '.mcphooks/evil'),
    old: join(of.home, 'old'),
    before: sha256('mine'),
    after: sha256('evil'),
    ...more,
  });
  const journal = (world: World): string => {
    const folders = [join(world.home, 'empty'), world.project];
    const ops = [
      mine(world, 'home/mine'),
      mine(world, 'home/new', { before: null }),
      mine(world, 'home/mine', { path: join(world.project, LOCK) }),
      mine(world, 'project/tools/server.mjs', { before: sha256(world.read('project/tools/server.mjs')) }),
      mine(world, 'project/.git/hooks/pre-commit', { before: null }),
      mine(world, 'project/.claude/settings.json', {
        before: sha256(world.read('project/.claude/settings.json')),
      }),
    ];
    return JSON.stringify({ format: 1, ops, made: folders, emptied: folders });
  };
  const held = (world: World): string =>
    JSON.stringify({ pid: 1, host: `not-${world.home}`, since: new Date().toISOString(), nonce: 'n' });
  const odd = (make: (path: string) => void) => (world: World, path: string) =>
    make(join(world.project, path));
  const cases: [string, (world: World) => void][] = [
    ...['preparing', 'commit', 'undo', 'done'].map((phase): [string, (world: World) => void] => [
      `journal.${phase}.json`,
      (world) => void world.write(`project/.mcphooks/journal.${phase}.json`, journal(world)),
    ]),
    ['journal.tmp', (world) => void world.write('project/.mcphooks/journal.tmp', journal(world))],
    ['lock of another machine', (world) => void world.write('project/.mcphooks/lock', held(world))],
    ['lock.next', (world) => void world.write('project/.mcphooks/lock.next', held(world))],
    ...ODD_FILES.slice(0, 2).flatMap(([title, make]) =>
      ['lock', 'journal.commit.json'].map((name): [string, (world: World) => void] => [
        `${name}: ${title}`,
        (world) => odd(make)(world, `.mcphooks/${name}`),
      ]),
    ),
  ];

  const rows = sample(cases, 2).map(([name, leave], turn) => [name, leave, turn] as const);
  it.each(LONG ? rows : rows.slice(0, 1))(
    'makes no command write, remove or wait: %s',
    async (_, leave, turn) => {
      const world = await checkout();
      world.write('home/mine', 'mine');
      world.write('home/old', 'mine');
      mkdirSync(join(world.home, 'empty'));
      world.write('project/.mcphooks/evil', 'evil');
      leave(world);
      const before = all(world);
      for (const args of sample(READING, 2, turn)) {
        const began = performance.now();
        const { stdout, stderr } = await world.run(...args);
        expect(performance.now() - began, args.join(' ')).toBeLessThan(10_000);
        expect(stdout + stderr).not.toMatch(/\n\s+at |unforeseen|interrupted/i);
        expect(all(world), args.join(' ')).toEqual(before);
      }
      expect(await world.run('uninstall', 'memo', ...PROJECT)).toMatchObject({ code: 0 });
      expect(readdirSync(world.home).sort()).toEqual(['empty', 'mine', 'old']);
      expect(world.read('project/tools/server.mjs')).toBe(before[join(world.project, 'tools/server.mjs')]);
      expect(Object.keys(all(world)).filter((path) => path.includes('.git/hooks/pre-commit'))).toEqual(
        Object.keys(before).filter((path) => path.includes('.git/hooks/pre-commit')),
      );
    },
  );

  it.runIf(LONG)(
    'an interrupted change of a project is ended by the journal on the machine that began it',
    async () => {
      const world = await checkout();
      const name = sha256(realpathSync(world.project)).slice(0, 16);
      const journal = join('home/.local/state/mcphooks/projects', name, 'journal.commit.json');
      const settings = join(world.project, '.claude/settings.json');
      const op = {
        path: settings,
        target: settings,
        fresh: join(world.project, '.claude/.mcphooks-0123456789ab-0.new'),
        old: join(world.project, '.claude/.mcphooks-0123456789ab-0.old'),
        before: sha256(world.read('project/.claude/settings.json')),
        after: sha256(`${world.read('project/.claude/settings.json')}\n`),
      };
      writeFileSync(op.fresh, `${world.read('project/.claude/settings.json')}\n`);
      world.write(journal, JSON.stringify({ format: 1, ops: [op], made: [], emptied: [] }));
      expect((await world.run('doctor')).stdout).toContain('journal.commit.json');
      expect(await world.run('list')).toMatchObject({ code: 0 });
      expect(world.read('project/.claude/settings.json')).toMatch(/\n\n$/);
      expect(Object.keys(world.files())).not.toContain(journal);
    },
  );
});

describe('what a lock file says of how to reach a server', () => {
  it('starts nothing that was not approved on this machine', async () => {
    const ada = teamWorld();
    const given = ['--client', 'claude-code', '--yes', '--', START.command, ...START.args];
    expect(await ada.run('install', 'memo', ...PROJECT, ...given)).toMatchObject({ code: 0 });
    // Who named it here approved it.
    expect(await ada.run('diff', ...PROJECT)).toMatchObject({ code: 0 });
    commit(ada);
    const bob = mate(ada);
    const lock = JSON.parse(bob.read(`project/${LOCK}`));
    Object.assign(lock.servers[0].given, marking('pwned'));
    bob.write(`project/${LOCK}`, JSON.stringify(lock));
    for (const args of [
      ['diff', ...PROJECT],
      ['doctor', '--check'],
      ['list', '--check'],
      ['explain', 'memo', ...PROJECT],
      ['fire', 'memo', 'session_start', ...PROJECT],
      ['install', '--frozen', '--yes', ...PROJECT],
      ['install', 'memo', '--yes', '--accept-changed', ...PROJECT],
      ['install', 'memo', '--dry-run', ...PROJECT],
    ]) {
      await bob.run(...args);
      expect(Object.keys(projectFiles(bob)), String(args)).not.toContain('pwned');
    }
    const refused = await bob.run('diff', ...PROJECT);
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('--allow-start') });
    expect(refused.stderr).toContain(LOCK);
  });
});

describe('fire in a project', () => {
  const FIRE = ['fire', 'memo', 'session_start', '--client', 'claude-code', ...PROJECT];

  it('starts the server only when that was approved on this machine', async () => {
    const bob = await checkout();
    const refused = await bob.run(...FIRE);
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    const hash = /--allow-start ([0-9a-f]{64})/.exec(refused.stderr)?.[1] ?? '';
    const done = await bob.run(...FIRE, '--allow-start', hash);
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('noted') });
  });

  it('runs no script that a stranger altered together with the lock file', async () => {
    const bob = await checkout();
    const shim = Object.keys(projectFiles(bob)).find((p) => p.endsWith('claude-code/UserPromptSubmit')) ?? '';
    const text = bob.read(`project/${shim}`);
    const evil = `#!/bin/sh\ntouch pwned\n`;
    bob.write(`project/${shim}`, evil);
    bob.write(`project/${LOCK}`, bob.read(`project/${LOCK}`).replaceAll(sha256(text), sha256(evil)));
    const fire = ['fire', 'memo', 'pre_request', ...PROJECT];
    const refused = async (why: string) =>
      expect(await bob.run(...fire)).toMatchObject({
        code: 3,
        stdout: '',
        stderr: expect.stringContaining(why),
      });
    await refused('Restore the lock file from git');
    expect((await bob.run('install', '--frozen', ...PROJECT, '--yes')).code).toBe(1);
    bob.write('project/.mcp.json', bob.read('project/.mcp.json').replace('hooks.json', 'other.json'));
    await refused(".mcp.json: changed since 'memo' was approved for the project: definition");
    const lock = JSON.parse(bob.read(`project/${LOCK}`));
    bob.write(`project/${LOCK}`, JSON.stringify({ ...lock, mcphooks: '0.0.1' }));
    await refused('written by mcphooks 0.0.1');
    expect(Object.keys(projectFiles(bob))).not.toContain('pwned');
  });
});
