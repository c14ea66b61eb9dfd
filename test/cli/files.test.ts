import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { ownPaths } from '../../src/base/paths.ts';
import { LARGEST_FILE } from '../../src/base/read-file.ts';
import { CLIENT_IDS } from '../../src/clients/client.ts';
import { LONG, sample } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { homeEnv, slashed, WINDOWS } from '../platform.ts';
import { homeWith } from './home.ts';
import { cleanWorlds, madeOnce, makeWorld, serverEntry, type World } from './world.ts';

cleanWorlds();
installsNodeHere({ servers: true });

const SAY = { event: 'pre_request', context: 'A word.', priority: 'suggestion' };
const AFTER = {
  event: 'post_tool_use',
  matcher: { tool_name: 'Bash' },
  context: 'Ran.',
  priority: 'suggestion',
};
const CLIENTS = 'claude-code,codex,gemini-cli';
const SETTINGS = 'home/.claude/settings.json';

function installs(world: World, declarations: object[] = [SAY], clients = CLIENTS, ...flags: string[]) {
  const file = world.write('home/overlay.json', JSON.stringify({ declarations }));
  return world.run('install', 'memo', '--declarations', file, '--client', clients, '--yes', ...flags);
}

const installed = madeOnce(async (declarations: object[] = [SAY], clients: string = CLIENTS) => {
  const world = makeWorld();
  expect((await installs(world, declarations, clients)).code).toBe(0);
  return world;
});

const code = (stdout: string): string | undefined => JSON.parse(stdout).faults[0]?.code;

describe("a client's file", () => {
  it.runIf(LONG)('behind symlinks stays behind them, with its mode', async () => {
    const world = makeWorld();
    const dotfile = world.write('home/dotfiles/claude.json', '{\n  "a": 1\n}\n');
    chmodSync(dotfile, 0o600);
    const link = world.write(SETTINGS, '');
    rmSync(link);
    symlinkSync('../dotfiles/claude.json', link);
    mkdirSync(join(world.home, 'dotfiles/codex'));
    symlinkSync('dotfiles/codex', join(world.home, '.codex'));
    expect((await installs(world)).code).toBe(0);
    expect([readlinkSync(link), statSync(dotfile).mode & 0o777]).toEqual(['../dotfiles/claude.json', 0o600]);
    expect(readFileSync(dotfile, 'utf8')).toContain('/hooks/memo/');
    expect(existsSync(join(world.home, 'dotfiles/codex/config.toml'))).toBe(true);
    expect((await world.run('uninstall', 'memo')).code).toBe(0);
    expect([lstatSync(link).isSymbolicLink(), readFileSync(dotfile, 'utf8')]).toEqual([
      true,
      '{\n  "a": 1\n}\n',
    ]);
    expect(readdirSync(join(world.home, 'dotfiles/codex'))).toEqual([]);
  });

  it.runIf(LONG)('that is the file of another client, too, is refused for the second', async () => {
    const world = makeWorld();
    const path = 'home/.gemini/settings.json';
    const before = '{\n  // mine\n}\n';
    world.write(path, before);
    symlinkSync('.gemini', join(world.home, '.qwen'));
    const shared = 'through a link, this is the file of Gemini CLI, too';
    const both = await installs(world, [SAY], 'gemini-cli,qwen-code');
    expect([both.code, both.stderr.replace(/\s+/g, ' ')]).toEqual([1, expect.stringContaining(shared)]);
    expect(world.read(path)).toBe(before);
    expect((await installs(world, [SAY], 'gemini-cli')).code).toBe(0);
    const text = world.read(path);
    const second = await installs(world, [SAY], 'qwen-code');
    expect([second.code, second.stderr.replace(/\s+/g, ' ')]).toEqual([1, expect.stringContaining(shared)]);
    expect(world.read(path)).toBe(text);
    expect((await world.run('uninstall', 'memo')).code).toBe(0);
    expect(world.read(path)).toBe(before);
  });

  it('with one of our entries in a comment has no hooks, and is named by no later uninstall', async () => {
    const world = makeWorld();
    const path = 'home/.gemini/settings.json';
    world.write(path, '{\n  "a": 1\n}\n');
    expect((await installs(world, [SAY], 'gemini-cli')).code).toBe(0);
    const commented = world.read(path).replace(/^.*"command".*$/gm, '//$&');
    world.write(path, commented);
    expect((await world.run('uninstall', 'memo')).code).toBe(0);
    for (const flags of [[], ['--edited']]) {
      const { code, stdout, stderr } = await world.run('uninstall', 'memo', ...flags);
      expect([code, stdout, stderr]).toEqual([0, '', expect.stringContaining('no hooks from')]);
    }
    expect(world.read(path)).toBe(commented);
  });

  it('that is read-only is refused, and with it the whole command', async () => {
    const world = makeWorld();
    world.write('home/.codex/config.toml', '# mine\n');
    chmodSync(world.write(SETTINGS, '{}'), 0o400);
    const { stdout, code: exit } = await installs(world, [SAY], CLIENTS, '--json');
    expect([exit, code(stdout)]).toEqual([1, 'apply.read-only']);
    expect(world.read(SETTINGS) + world.read('home/.codex/config.toml')).toBe('{}# mine\n');
    expect(readdirSync(join(world.home, '.claude'))).toEqual(['settings.json']);
    expect(existsSync(join(world.home, '.local/share'))).toBe(false);
  });

  it.runIf(LONG)('that became read-only stops an uninstall, which says that the hooks are off', async () => {
    const world = makeWorld();
    world.write(SETTINGS, '{}');
    expect((await installs(world)).code).toBe(0);
    const text = world.read(SETTINGS);
    const stored = ['hooks.log', 'sessions/0123456789abcdef/one', 'kept/0123456789abcdef/one'];
    for (const name of stored) world.write(`home/.local/state/mcphooks/${name}`, name);
    chmodSync(join(world.home, '.claude/settings.json'), 0o400);
    const { code: exit, stderr } = await world.run('uninstall', 'memo');
    expect([exit, world.read(SETTINGS)]).toEqual([1, text]);
    expect(stderr.replace(/\s+/g, ' ')).toContain(
      'its hooks are off, since their scripts are removed already; no other file was changed',
    );
    expect(Object.keys(world.files()).filter((path) => path.includes('/hooks/memo/'))).toEqual([]);
    for (const name of stored) expect(world.read(`home/.local/state/mcphooks/${name}`)).toBe(name);
    chmodSync(join(world.home, '.claude/settings.json'), 0o600);
    expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
    expect(world.read(SETTINGS)).toBe('{}');
    expect(existsSync(join(world.home, '.local/state/mcphooks'))).toBe(false);
  });

  it('keeps its mode where mcphooks has one of its own', async () => {
    const world = makeWorld();
    const file = world.write('home/.copilot/hooks/mcphooks.json', '{ "version": 1, "hooks": {} }\n');
    const mode = () => statSync(file).mode & 0o777;
    chmodSync(file, 0o640);
    expect((await installs(world, [SAY], 'copilot')).code).toBe(0);
    expect([readFileSync(file, 'utf8'), mode()]).toEqual([expect.stringContaining('/mcphooks/'), 0o640]);
    expect((await world.run('uninstall', 'memo')).code).toBe(0);
    expect([readFileSync(file, 'utf8'), mode()]).toEqual(['{ "version": 1, "hooks": {} }\n', 0o640]);
  });

  it('keeps CRLF and a byte order mark', async () => {
    const world = makeWorld();
    world.write(SETTINGS, '\ufeff{\r\n\t"a": 1\r\n}\r\n');
    world.write('home/.codex/config.toml', '\ufeffa = 1\r\n');
    const before = world.files();
    expect((await installs(world)).code).toBe(0);
    for (const file of [SETTINGS, 'home/.codex/config.toml']) expect(world.read(file)).not.toMatch(/[^\r]\n/);
    await world.run('uninstall', 'memo');
    expect(world.files()).toEqual({ ...before, 'home/overlay.json': world.files()['home/overlay.json'] });
  });

  it('that its client would drop for its size is not made so', async () => {
    const world = makeWorld();
    const text = `{"a": "${'x'.repeat(1_999_900)}"}`;
    world.write(SETTINGS, text);
    const { stdout, code: exit } = await installs(world, [SAY], CLIENTS, '--json');
    expect([exit, code(stdout)]).toEqual([1, 'edit.too-large']);
    expect(world.read(SETTINGS)).toBe(text);
    expect(existsSync(join(world.home, '.codex'))).toBe(false);
  });
});

describe('homes', () => {
  const forbidden = WINDOWS ? /["|]/ : /\0/;
  const names = ['a b', `it's "q"`, `it's ’q’`, 'häß 記憶', 'a;b&c|d', 'a;b&c', '#x', '%s\\n', '$HOME'];
  it.runIf(LONG).each(
    sample(
      names.filter((name) => !forbidden.test(name)),
      LONG ? 3 : 9,
      2,
    ),
  )('of any name: %j', async (name) => {
    const world = makeWorld();
    const home = dirname(world.write(`${name}/x`, ''));
    Object.assign(world.env, homeEnv(home));
    const dollar = name.includes('$');
    // Gemini CLI would replace the variable in the command; the others take it as it stands.
    if (dollar) {
      const refused = await installs(world, [SAY], CLIENTS, '--json');
      expect([refused.code, code(refused.stdout)]).toEqual([1, 'plan.path-forbidden']);
    }
    const clients = dollar ? 'claude-code,codex' : CLIENTS;
    expect((await installs(world, [SAY], clients)).code).toBe(0);
    const { stdout } = await world.run('fire', 'memo', 'pre_request', '--json');
    const texts = JSON.parse(stdout).clients.map((c: object) => JSON.stringify(c).includes('A word.'));
    expect(texts).toEqual(clients.split(',').map(() => true));
    const settings = JSON.parse(readFileSync(join(home, '.claude/settings.json'), 'utf8'));
    const { command, args } = settings.hooks.UserPromptSubmit[0].hooks[0];
    const words = args ? [command, ...args] : ['/bin/sh', '-c', command];
    const payload = JSON.stringify({
      session_id: 's',
      hook_event_name: 'UserPromptSubmit',
      cwd: world.project,
    });
    const ran = spawnSync(words[0], words.slice(1), { env: world.env, input: payload, encoding: 'utf8' });
    expect(ran.stdout).toContain('A word.');
    expect((await world.run('uninstall', 'memo')).code).toBe(0);
    expect(readdirSync(home)).toEqual(['x']);
  });

  it('XDG folders count when they are absolute, and shims are found after they moved', async () => {
    const world = makeWorld();
    world.env.XDG_DATA_HOME = 'relative';
    world.env.XDG_STATE_HOME = '';
    expect((await installs(world, [SAY], 'claude-code')).code).toBe(0);
    expect(existsSync(join(world.home, '.local/share/mcphooks/hooks/memo'))).toBe(true);
    expect(readdirSync(world.project)).toEqual([]);
    world.env.XDG_DATA_HOME = join(world.home, 'elsewhere');
    expect((await world.run('uninstall', 'memo')).code).toBe(0);
    expect(existsSync(join(world.home, '.local/share/mcphooks/hooks/memo/'))).toBe(false);
  });
});

describe('after own folders moved', () => {
  /** The world's files, at another place. */
  const movedTo = (world: World, home: string): void => {
    renameSync(world.home, home);
    Object.assign(world, { home });
    Object.assign(world.env, homeEnv(home));
  };

  it.each([[[]], [['install']]])(
    'an uninstall leaves no folder that mcphooks made: after %j',
    async (first) => {
      const world = makeWorld();
      const folders = () => readdirSync(world.home, { recursive: true }).toSorted();
      mkdirSync(join(world.home, '.claude'));
      const file = world.write('home/overlay.json', JSON.stringify({ declarations: [SAY] }));
      const before = folders();
      const install = ['install', 'memo', '--client', 'claude-code,cursor', '--no-check', '--yes'];
      expect((await world.run(...install, '--declarations', file)).code).toBe(0);
      movedTo(world, `${world.home}-new`);
      const again = [...install, '--declarations', join(world.home, 'overlay.json')];
      for (const words of [...first.map(() => again), ['uninstall', '--all']])
        expect((await world.run(...words)).code).toBe(0);
      expect(folders()).toEqual(before);
    },
  );

  it('an uninstall finds the folders that did not move with the state folder', async () => {
    const world = makeWorld();
    expect((await installs(world, [SAY], 'claude-code')).code).toBe(0);
    // Its parent has the name that it had before.
    world.env.XDG_STATE_HOME = join(world.home, 'elsewhere/state');
    mkdirSync(join(world.home, 'elsewhere'));
    renameSync(join(world.home, '.local/state'), world.env.XDG_STATE_HOME);
    expect((await world.run('uninstall', 'memo')).code).toBe(0);
    expect(existsSync(join(world.home, '.local/share'))).toBe(false);
  });

  it.runIf(LONG).each<[string, (world: World) => string]>([
    [
      'the data folder',
      (world) => {
        world.env.XDG_DATA_HOME = join(world.home, 'elsewhere');
        mkdirSync(world.env.XDG_DATA_HOME);
        renameSync(join(world.home, '.local/share/mcphooks'), join(world.home, 'elsewhere/mcphooks'));
        return join(world.home, '.local/share/mcphooks');
      },
    ],
    [
      'the home',
      (world) => {
        const { home } = world;
        movedTo(world, `${home}-new`);
        return `${home}/`;
      },
    ],
  ])('diff says so, and an install names the new place in all clients: %s', async (_, move) => {
    const world = makeWorld();
    const mine = {
      '.claude/settings.json': '{"u":1}',
      '.codex/config.toml': '# mine\na = 1\n',
      '.gemini/settings.json': '{ /* mine */ }\n',
    };
    for (const [path, text] of Object.entries(mine)) world.write(`home/${path}`, text);
    expect((await installs(world, [SAY, AFTER], CLIENT_IDS.join())).code).toBe(0);
    const old = move(world);
    expect((await world.run('diff', '--offline')).code).toBe(2);
    const file = join(world.home, 'overlay.json');
    const again = ['install', 'memo', '--declarations', file, '--no-check', '--yes'];
    expect(await world.run(...again)).toMatchObject({ code: 0 });
    const files = Object.entries(world.files()).filter(([path]) => !path.endsWith('overlay.json'));
    expect(files.filter(([, text]) => text.includes(old)).map(([path]) => path)).toEqual([]);
    expect(await world.run('diff', '--offline')).toMatchObject({ code: 0 });
    expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
    const left = Object.entries(world.files()).filter(([path]) => !path.endsWith('overlay.json'));
    expect(Object.fromEntries(left.map(([path, text]) => [path.replace(/^home[^/]*\//, ''), text]))).toEqual(
      mine,
    );
  });
});

it.runIf(LONG)('from a copy of a home, nothing of that home is changed', async () => {
  const world = makeWorld();
  world.write('home/.claude/settings.json', '{"u":1}');
  expect((await installs(world, [SAY, AFTER], CLIENTS)).code).toBe(0);
  const before = world.files();
  const copy = `${world.home}-copy`;
  cpSync(world.home, copy, { recursive: true });
  Object.assign(world.env, homeEnv(copy));
  const file = join(copy, 'overlay.json');
  const install = ['install', 'memo', '--declarations', file, '--no-check', '--yes', '--json'];
  for (const words of [
    install,
    ['uninstall', 'memo', '--json'],
    ['list', '--json'],
    ['disable', 'memo', '--json'],
  ]) {
    const { code: exit, stdout } = await world.run(...words);
    expect([words[0], exit, code(stdout)]).toEqual([words[0], 1, 'record.copied']);
  }
  rmSync(join(ownPaths(world.env).state, 'record.json'));
  expect(await world.run(...install)).toMatchObject({ code: 0 });
  expect(readFileSync(join(copy, '.claude/settings.json'), 'utf8')).not.toContain(join(world.home, '.local'));
  expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
  const here = Object.entries(world.files()).filter(([path]) => !path.startsWith('home-copy/'));
  expect(Object.fromEntries(here)).toEqual(before);
});

it('a record in another folder of the same home is no copy', async () => {
  const world = await installed([SAY], 'claude-code');
  world.env.XDG_STATE_HOME = join(world.home, 'state');
  expect((await installs(world, [SAY], 'claude-code')).code).toBe(0);
  expect(await world.run('list')).toMatchObject({ code: 0 });
});

it.runIf(LONG)(
  'hook scripts in a data folder that a variable no longer names go with the next install',
  async () => {
    const world = makeWorld();
    const file = world.write('home/other.json', JSON.stringify({ declarations: [SAY] }));
    const other = ['install', 'other', '--declarations', file, '--client', 'codex', '--no-check', '--yes'];
    expect((await installs(world, [SAY, AFTER])).code).toBe(0);
    expect((await world.run(...other)).code).toBe(0);
    const old = () => Object.keys(world.files()).filter((path) => path.includes('.local/share/mcphooks/'));
    world.env.XDG_DATA_HOME = join(world.home, 'elsewhere');
    expect((await installs(world, [SAY], CLIENTS, '--accept-changed')).code).toBe(0);
    expect(old().filter((path) => path.includes('/hooks/memo/'))).toEqual([]);
    // What the other server's hooks need stays.
    expect(old().filter((path) => path.endsWith('/fire.cjs'))).toHaveLength(1);
    expect((await world.run(...other)).code).toBe(0);
    expect(old()).toEqual([]);
    expect((await world.run('diff', '--offline')).code).toBe(0);
    expect((await world.run('uninstall', '--all')).code).toBe(0);
    expect(Object.keys(world.files())).toEqual(['home/other.json', 'home/overlay.json']);
  },
);

it.each(LONG ? ['uninstall', 'update'] : ['uninstall'])(
  'hooks for one project are known after the data folder changed: %s',
  async (act) => {
    const world = makeWorld();
    mkdirSync(join(world.project, '.git'));
    const install = (...flags: string[]) =>
      installs(world, [SAY], 'claude-code', '--scope', 'local', ...flags);
    world.env.XDG_DATA_HOME = join(world.home, 'elsewhere');
    expect(await install()).toMatchObject({ code: 0 });
    const old = () => Object.keys(world.files()).filter((path) => path.startsWith('home/elsewhere/'));
    expect(old()).not.toEqual([]);
    delete world.env.XDG_DATA_HOME;
    if (act === 'update') {
      // It switches the hooks of a project off.
      const disabledFile = 'home/elsewhere/mcphooks/hooks/memo/disabled';
      world.write(disabledFile, '');
      // The file of this install goes.
      expect(await world.run('disable', 'memo')).toMatchObject({ code: 0 });
      expect(old().filter((path) => path.endsWith('/disabled'))).toHaveLength(2);
      expect(await install('--hook-timeout', '20')).toMatchObject({ code: 0 });
      expect(old()).toEqual([disabledFile]);
      rmSync(join(world.home, 'elsewhere'), { recursive: true });
      expect(await world.run('diff', '--offline', '--scope', 'local')).toMatchObject({ code: 0 });
    }
    expect(await world.run('uninstall', 'memo', '--scope', 'local')).toMatchObject({ code: 0, stderr: '' });
    expect(Object.keys(world.files())).toEqual(['home/overlay.json']);
  },
);

it.runIf(LONG)('entries in two folders of Droid are no edits after the data folder changed', async () => {
  const world = makeWorld();
  const before = {
    'home/.factory/settings.json': '{"u":1}',
    'home/other/.factory/settings.json': '{"u":2}',
    'home/other/.factory/hooks.json': '{"PreToolUse":[]}',
  };
  for (const [path, text] of Object.entries(before)) world.write(path, text);
  const install = () => installs(world, [SAY, AFTER, { ...SAY, event: 'session_start' }], 'droid');
  const other = { FACTORY_HOME_OVERRIDE: join(world.home, 'other') };
  Object.assign(world.env, other);
  expect(await install()).toMatchObject({ code: 0 });
  delete world.env.FACTORY_HOME_OVERRIDE;
  world.env.XDG_DATA_HOME = join(world.home, 'elsewhere');
  expect(await install()).toMatchObject({ code: 0 });
  // An update there is none of edits, either.
  Object.assign(world.env, other);
  const { stdout } = await world.run('diff', '--offline');
  expect(stdout).not.toContain('edited by hand');
  delete world.env.FACTORY_HOME_OVERRIDE;
  expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
  const { 'home/overlay.json': _, ...left } = world.files();
  expect(left).toEqual(before);
});

it.runIf(LONG)('an update in another data folder removes superseded scripts in the one before', async () => {
  const world = makeWorld();
  const install = (...flags: string[]) => installs(world, [SAY], 'codex', ...flags);
  world.env.XDG_DATA_HOME = join(world.home, 'elsewhere');
  expect(await install()).toMatchObject({ code: 0 });
  expect(await install('--cooldown', '60')).toMatchObject({ code: 0 });
  delete world.env.XDG_DATA_HOME;
  expect(await install('--cooldown', '60')).toMatchObject({ code: 0 });
  expect(Object.keys(world.files()).filter((path) => path.startsWith('home/elsewhere/'))).toEqual([]);
  expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
  expect(Object.keys(world.files())).toEqual(['home/overlay.json']);
});

it.each(LONG ? ['uninstall', 'uninstall --client'] : ['uninstall'])(
  'an uninstall also removes superseded scripts in another data folder: %s',
  async (how) => {
    const world = makeWorld();
    world.env.XDG_DATA_HOME = join(world.home, 'elsewhere');
    const install = (...flags: string[]) => installs(world, [SAY], 'claude-code,codex', ...flags);
    expect(await install()).toMatchObject({ code: 0 });
    expect(await install('--cooldown', '60')).toMatchObject({ code: 0 });
    const mine = 'home/elsewhere/mcphooks/hooks/memo/notes.txt';
    world.write(mine, 'mine');
    const superseded = () =>
      Object.keys(world.files()).filter((path) => path.includes('/codex/UserPromptSubmit.json'));
    expect(superseded()).toHaveLength(2);
    delete world.env.XDG_DATA_HOME;
    if (how !== 'uninstall') {
      expect(await world.run('uninstall', 'memo', '--client', 'claude-code')).toMatchObject({ code: 0 });
      // Running sessions use the others.
      expect(superseded()).toHaveLength(2);
    }
    expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
    expect(Object.keys(world.files())).toEqual([mine, 'home/overlay.json']);
  },
);

it.runIf(LONG)(
  'entries in two folders of a client, which a variable names, are both known and removed',
  async () => {
    const world = makeWorld();
    const before = {
      [SETTINGS]: '{"u":1}',
      'home/work/settings.json': '{"u":2}',
      'home/.codex/config.toml': '# mine\n',
      'home/codex/config.toml': '# work\n',
    };
    for (const [path, text] of Object.entries(before)) world.write(path, text);
    const work = {
      CLAUDE_CONFIG_DIR: join(world.home, 'work'),
      CODEX_HOME: join(world.home, 'codex'),
    };
    const atHome = { ...world.env };
    const use = (env: Record<string, string>): void => {
      for (const name of Object.keys(work)) delete world.env[name];
      Object.assign(world.env, env);
    };
    const current = async (): Promise<void> => {
      const { servers } = JSON.parse((await world.run('list', '--json')).stdout);
      const rows = servers[0].clients.map((c: { findings: { code: string }[] }) =>
        c.findings.map((f) => f.code),
      );
      expect(rows.flat().filter((found: string) => found !== 'doctor.untrusted')).toEqual([]);
      expect((await world.run('diff', '--offline')).code).toBe(0);
    };
    const clients = 'claude-code,codex';
    for (const last of [atHome, work]) {
      for (const env of [atHome, work, atHome]) {
        use(env);
        expect((await installs(world, [SAY], clients)).code).toBe(0);
        await current();
      }
      use(work);
      await current();
      use(last);
      expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
      const { 'home/overlay.json': _, ...left } = world.files();
      expect(left).toEqual(before);
    }
  },
);

describe('two folders of Claude Code', () => {
  const EDIT = { ...AFTER, matcher: { tool_name: 'Edit' } };
  /** Does it in the folder that the variable names; without a name, in the usual one. */
  const within = async <T>(world: World, folder: string | undefined, act: () => Promise<T>): Promise<T> => {
    if (folder !== undefined) world.env.CLAUDE_CONFIG_DIR = join(world.home, folder);
    const result = await act();
    delete world.env.CLAUDE_CONFIG_DIR;
    return result;
  };
  const install = (world: World, declarations: object[], ...flags: string[]) =>
    installs(world, declarations, 'claude-code', '--accept-changed', ...flags);
  const TWO = 'home/two/settings.json';

  it.runIf(LONG)('have entries of their own, of which an update takes none for edited', async () => {
    const world = makeWorld();
    await install(world, [AFTER]);
    await within(world, 'two', () => install(world, [AFTER]));
    await install(world, [EDIT], '--hook-timeout', '20');
    const { stdout } = await within(world, 'two', () => install(world, [EDIT], '--hook-timeout', '20'));
    expect(stdout).not.toContain('edited by hand');
    expect(world.read(TWO)).toMatch(/"matcher": "Edit.*"timeout": 20/s);
    const edited = world.read(SETTINGS).replace('"timeout": 20', '"timeout": 77');
    world.write(SETTINGS, edited);
    expect(await within(world, 'two', () => world.run('uninstall', 'memo'))).toMatchObject({ code: 0 });
    expect(world.read(SETTINGS)).toContain('"timeout": 77');
    expect(existsSync(join(world.home, 'two/settings.json'))).toBe(false);
  });

  it.runIf(LONG)('of which one still has an earlier text are told apart by doctor', async () => {
    const world = makeWorld();
    const found = async () => {
      const { stdout } = await world.run('doctor', '--json');
      const findings: { code: string }[] = JSON.parse(stdout).findings;
      return findings.filter(({ code }) => code === 'doctor.other-folder');
    };
    await within(world, 'two', () => install(world, [AFTER]));
    await install(world, [AFTER]);
    expect(await found()).toEqual([]);
    await install(world, [EDIT]);
    expect(await found()).toMatchObject([
      {
        where: join(world.home, 'two/settings.json'),
        fix: expect.stringContaining('CLAUDE_CONFIG_DIR'),
      },
    ]);
    await within(world, 'two', () => install(world, [EDIT]));
    expect(await found()).toEqual([]);
  });

  it('keep the scripts that their entries name, and for a week those that they named before', async () => {
    const world = makeWorld();
    const folder = join(world.home, '.local/share/mcphooks/hooks/memo');
    const digests = (): string[] => readdirSync(folder).sort();
    const age = (): void => {
      for (const name of digests()) utimesSync(join(folder, name), 1, 1);
    };
    await within(world, 'two', () => install(world, [AFTER]));
    const [first = ''] = digests();
    expect(await install(world, [EDIT])).toMatchObject({ code: 0 });
    const both = digests();
    expect(both).toHaveLength(2);
    // The other folder still has the earlier hooks.
    expect(world.read(TWO)).toContain(first);
    age();
    expect(await install(world, [EDIT])).toMatchObject({ code: 0 });
    expect(digests()).toEqual(both);
    // Sessions there began with the earlier ones.
    expect(await within(world, 'two', () => install(world, [EDIT]))).toMatchObject({ code: 0 });
    expect(world.read(TWO)).not.toContain(first);
    expect(digests()).toEqual(both);
    age();
    expect(await install(world, [EDIT])).toMatchObject({ code: 0 });
    expect(digests()).toEqual(both.filter((name) => name !== first));
  });

  it.runIf(LONG)('one of which is gone have nothing to do with each other', async () => {
    const world = makeWorld();
    await install(world, [SAY]);
    rmSync(join(world.home, '.claude'), { recursive: true });
    world.write(TWO, '{"hooks": {}}');
    await within(world, 'two', () => install(world, [SAY]));
    expect(await within(world, 'two', () => world.run('uninstall', 'memo'))).toMatchObject({ code: 0 });
    expect(world.read(TWO)).toBe('{"hooks": {}}');
  });

  it.runIf(LONG)('one that lost its entries says nothing about the other', async () => {
    const world = makeWorld();
    world.write(TWO, '{"u":1}');
    await within(world, 'two', () => install(world, [SAY]));
    await install(world, [SAY], '--hook-timeout', '25');
    world.write(SETTINGS, '{"u":2}');
    expect(await within(world, 'two', () => world.run('uninstall', 'memo'))).toMatchObject({ code: 0 });
    const { 'home/overlay.json': _, ...left } = world.files();
    expect(left).toEqual({ [SETTINGS]: '{"u":2}', [TWO]: '{"u":1}' });
  });

  it.runIf(!WINDOWS)('that are one, through a link, are one', async () => {
    const world = makeWorld();
    world.write('home/two/settings.json', '{"u":1}');
    symlinkSync('two', join(world.home, '.claude'));
    await within(world, 'two', () => install(world, [SAY]));
    await install(world, [AFTER]);
    expect((await world.run('diff', '--offline')).code).toBe(0);
    expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
    expect(world.read(TWO)).toBe('{"u":1}');
  });

  it.runIf(LONG)('an edited entry stays after its folder moved', async () => {
    for (const again of [false, true]) {
      const world = makeWorld();
      await install(world, [SAY]);
      world.write(SETTINGS, world.read(SETTINGS).replace('"timeout": 10', '"timeout": 77'));
      renameSync(join(world.home, '.claude'), join(world.home, 'two'));
      if (again) await within(world, 'two', () => install(world, [AFTER]));
      expect(await within(world, 'two', () => world.run('uninstall', 'memo'))).toMatchObject({ code: 0 });
      expect(world.read(TWO)).toContain('"timeout": 77');
      await within(world, 'two', () => world.run('uninstall', 'memo', '--edited'));
      expect(existsSync(join(world.home, 'two/settings.json'))).toBe(false);
    }
  });
});

it.runIf(LONG)('the bytes of a file that keeps an edited entry are known until it goes', async () => {
  const world = makeWorld();
  const before = { [SETTINGS]: '{"hooks": { }}', 'home/.gemini/settings.json': '{"hooks": { }}' };
  for (const [path, text] of Object.entries(before)) world.write(path, text);
  await installs(world, [SAY], 'claude-code,gemini-cli');
  world.write(SETTINGS, world.read(SETTINGS).replace('"timeout": 10', '"timeout": 77'));
  for (const client of ['claude-code', 'gemini-cli'])
    expect(await world.run('uninstall', 'memo', '--client', client)).toMatchObject({ code: 0 });
  expect(await world.run('uninstall', 'memo', '--edited')).toMatchObject({ code: 0 });
  const { 'home/overlay.json': _, ...left } = world.files();
  expect(left).toEqual(before);
});

it.runIf(LONG)('the bytes of a file are known, too, where another server of it goes last', async () => {
  const world = makeWorld();
  world.write(SETTINGS, '{}');
  const file = world.write('home/other.json', JSON.stringify({ declarations: [SAY] }));
  for (const name of ['a', 'b'])
    await world.run(
      'install',
      name,
      '--declarations',
      file,
      '--no-check',
      '--yes',
      '--client',
      'claude-code',
    );
  world.write(SETTINGS, world.read(SETTINGS).replace('"timeout": 10', '"timeout": 77'));
  expect(await world.run('uninstall', '--all')).toMatchObject({ code: 0 });
  expect(world.read(SETTINGS)).toContain('77');
  expect(await world.run('uninstall', '--all', '--edited')).toMatchObject({ code: 0 });
  expect(world.files()).toEqual({ [SETTINGS]: '{}', 'home/other.json': world.read('home/other.json') });
});

it.runIf(LONG)('servers of one entry are missing where an update names another data folder', async () => {
  const world = makeWorld();
  const file = world.write('home/other.json', JSON.stringify({ declarations: [SAY] }));
  const install = (name: string) =>
    world.run('install', name, '--declarations', file, '--no-check', '--yes', '--client', 'cursor');
  for (const name of ['a', 'b']) expect(await install(name)).toMatchObject({ code: 0 });
  world.env.XDG_DATA_HOME = join(world.home, 'elsewhere');
  expect(await install('a')).toMatchObject({ code: 0 });
  expect(await world.run('diff', 'a', '--offline')).toMatchObject({ code: 0 });
  expect(await world.run('diff', 'b', '--offline')).toMatchObject({ code: 2 });
  expect(await install('b')).toMatchObject({ code: 0 });
  expect(await world.run('diff', '--offline')).toMatchObject({ code: 0 });
});

it('own files are for their owner alone, whatever the umask', async () => {
  const world = makeWorld();
  const old = process.umask(0);
  try {
    await installs(
      world,
      [SAY, { event: 'post_request', context: 'Over.', priority: 'suggestion' }],
      `${CLIENTS},copilot`,
    );
    await world.run('fire', 'memo', 'post_request');
  } finally {
    process.umask(old);
  }
  const modes = ['.local/share/mcphooks', '.local/state/mcphooks'].flatMap((top) =>
    ['', ...(readdirSync(join(world.home, top), { recursive: true }) as string[])].map((path) => {
      const full = join(world.home, top, path);
      return [full, statSync(full).mode & 0o777, statSync(full).isDirectory()] as const;
    }),
  );
  expect(modes.length).toBeGreaterThan(15);
  for (const [path, mode, folder] of modes) {
    const shim = /\/(claude-code|codex|copilot|gemini-cli)\/[A-Za-z]+$/.test(path);
    expect([path, mode]).toEqual([path, folder || shim ? 0o700 : 0o600]);
  }
  // A new file of a client is for everybody to read; one that holds only our hooks isn't.
  const inHome = ['.claude/settings.json', '.copilot/hooks/mcphooks.json'].map((path) =>
    join(world.home, path),
  );
  expect(inHome.map((path) => statSync(path).mode & 0o777)).toEqual([0o644, 0o600]);
});

it('files of a project and of an export have the modes that the umask gives: a group may share the checkout', async () => {
  const world = makeWorld();
  world.write('project/hooks.json', JSON.stringify({ declarations: [SAY] }));
  const hooks = ['--declarations', 'hooks.json', '--no-check', '--yes'];
  const old = process.umask(0o002);
  try {
    const clients = 'claude-code,copilot,opencode';
    const install = ['install', 'memo', '--scope', 'project', '--client', clients];
    expect(await world.run(...install, ...hooks)).toMatchObject({ code: 0 });
    const pack = ['export', 'memo', '--format', 'claude-plugin', '--out', 'plugin'];
    expect(await world.run(...pack, ...hooks)).toMatchObject({ code: 0 });
  } finally {
    process.umask(old);
  }
  const made = (readdirSync(world.project, { recursive: true }) as string[]).filter(
    (path) => path !== 'hooks.json' && !path.startsWith('.git/') && path !== '.git',
  );
  for (const part of ['mcphooks.lock.json', '.mcphooks', '.claude', '.github', '.opencode', 'plugin'])
    expect(made.join('\n')).toContain(part);
  for (const path of made) {
    const full = join(world.project, path);
    const stat = statSync(full);
    const runs = stat.isDirectory() || readFileSync(full, 'utf8').startsWith('#!');
    expect([path, stat.mode & 0o777]).toEqual([path, runs ? 0o775 : 0o664]);
  }
});

it('a client whose file can not be read, and may have the server, is named by the plan', async () => {
  const world = makeWorld();
  world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: serverEntry('/none') } }));
  world.write('home/.gemini/settings.json', '{\n  "mcpServers": {,}\n}\n');
  const file = world.write('home/overlay.json', JSON.stringify({ declarations: [SAY] }));
  const asked = ['install', 'memo', '--declarations', file, '--dry-run', '--no-check'];
  const { stdout, code } = await world.run(...asked);
  expect([code, slashed(stdout)]).toEqual([
    2,
    expect.stringMatching(/Gemini CLI may have .*settings\.json:2:18/),
  ]);
  const { notes } = JSON.parse((await world.run(...asked, '--json')).stdout).plan;
  expect(notes).toMatchObject([{ code: 'client.unread' }]);
  expect((await world.run(...asked, '--client', 'claude-code')).stdout).not.toContain('Gemini CLI');
  expect(slashed((await world.run(...asked, '--client', 'gemini-cli')).stdout)).toMatch(
    /Gemini CLI may have another definition of this server .*settings\.json:2:18/,
  );
  world.write('home/.gemini/settings.json', '{}');
  world.write('home/.gemini/mcp-server-enablement.json', '{,}');
  expect((await world.run(...asked)).stdout).not.toContain('Gemini CLI');
});

describe('between install and uninstall', () => {
  it('what the user edited stays and is reported', async () => {
    const world = makeWorld();
    world.write(SETTINGS, '{}');
    await installs(world, [SAY, AFTER], 'claude-code');
    const settings = JSON.parse(world.read(SETTINGS));
    settings.hooks.UserPromptSubmit[0].hooks[0].timeout = 99;
    settings.hooks.UserPromptSubmit.push({ hooks: [{ type: 'command', command: 'mine' }] });
    world.write(SETTINGS, JSON.stringify(settings, null, 3));
    const { stdout, code: exit } = await world.run('uninstall', 'memo', '--json');
    expect(exit).toBe(0);
    expect(JSON.parse(stdout).removals[0].server).toBe('memo');
    expect(JSON.parse(stdout).removals[0].clients[0].entries).toContainEqual({
      event: 'UserPromptSubmit',
      key: 'UserPromptSubmit',
      kind: 'kept-edited',
    });
    const left = JSON.parse(world.read(SETTINGS));
    expect(left.hooks).toEqual({ UserPromptSubmit: settings.hooks.UserPromptSubmit });
  });

  it.runIf(LONG)('a file that its client wrote anew loses our entries and nothing else', async () => {
    const world = makeWorld();
    const entry = serverEntry('/none');
    const settings = {
      ui: { theme: 'x' },
      mcpServers: { memo: entry },
      hooks: { AfterTool: [{ hooks: [{ type: 'command', command: 'mine' }] }] },
    };
    world.write('home/.gemini/settings.json', `${JSON.stringify(settings)}\n`);
    world.write(SETTINGS, '{"model":"opus"}');
    world.write('home/.codex/config.toml', 'model = "x"\n[a]\nb = 1\n');
    await installs(world, [SAY, AFTER]);
    // Gemini CLI 0.61.0 prints two spaces and no final newline; Claude Code adds keys; Codex adds tables.
    const gemini = JSON.parse(world.read('home/.gemini/settings.json'));
    gemini.hooksConfig = {
      disabled: ['mcphooks:memo:AfterTool', 'mine', 'mcphooks:memo2:AfterTool', 'mcphooks:memo:x:y'],
    };
    world.write('home/.gemini/settings.json', JSON.stringify(gemini, null, 2));
    const claude = JSON.parse(world.read(SETTINGS));
    world.write(SETTINGS, JSON.stringify({ permissions: { allow: ['Bash(ls)'] }, ...claude }, null, 2));
    world.write(
      'home/.codex/config.toml',
      world
        .read('home/.codex/config.toml')
        .replace('[a]\n', '[projects."/x"]\ntrust_level = "trusted"\n\n[a]\n'),
    );
    expect((await world.run('diff', '--offline')).code).toBe(0);
    expect((await installs(world, [SAY, AFTER])).code).toBe(0);
    expect(JSON.parse(world.read('home/.gemini/settings.json')).hooksConfig).toEqual(gemini.hooksConfig);
    expect((await world.run('uninstall', 'memo')).code).toBe(0);
    expect(world.read('home/.gemini/settings.json')).toBe(
      JSON.stringify(
        { ...settings, hooksConfig: { disabled: ['mine', 'mcphooks:memo2:AfterTool', 'mcphooks:memo:x:y'] } },
        null,
        2,
      ),
    );
    expect(world.read(SETTINGS)).toBe(
      JSON.stringify({ permissions: { allow: ['Bash(ls)'] }, model: 'opus' }, null, 2),
    );
    expect(world.read('home/.codex/config.toml')).toBe(
      'model = "x"\n[projects."/x"]\ntrust_level = "trusted"\n\n[a]\nb = 1\n',
    );
  });

  it("leaves the list of a project's switched-off hooks too, byte for byte but for our names", async () => {
    const world = makeWorld();
    await installs(world, [SAY], 'gemini-cli');
    const text =
      '{ // mine\n  "hooksConfig": { "disabled": [ "a", "mcphooks:memo:BeforeAgent", /* b */ "b" ] } }';
    world.write('project/.gemini/settings.json', text);
    expect((await world.run('uninstall', 'memo')).code).toBe(0);
    expect(world.read('project/.gemini/settings.json')).toBe(
      text.replace(' "mcphooks:memo:BeforeAgent",', ''),
    );
  });
});

/** In a path, or in a path that JSON or TOML quotes. */
const OURS = /[/\\]mcphooks[/\\]+hooks[/\\]+memo[/\\]/;

describe('an entry that was edited by hand', () => {
  const before = {
    [SETTINGS]: '{\n  "model": "opus"\n}\n',
    'home/.codex/config.toml': '# mine\nmodel = "o"\n',
    'home/.gemini/settings.json': '{\n  // mine\n  "ui": {}\n}\n',
  };

  it.runIf(LONG)('stays where its declaration goes, at every later install, too', async () => {
    const world = makeWorld();
    for (const [path, text] of Object.entries(before)) world.write(path, text);
    expect((await installs(world, [SAY, AFTER])).code).toBe(0);
    // On the line of the entry, in any client's form on any system.
    const timeout = /((?:UserPromptSubmit|BeforeAgent)\b.*?timeout\W+)10(?:000)?\b/;
    for (const path of Object.keys(before)) {
      expect(world.read(path)).toMatch(timeout);
      world.write(path, world.read(path).replace(timeout, '$177'));
    }
    for (let time = 0; time < 3; time++) {
      expect((await installs(world, [AFTER], CLIENTS, '--accept-changed')).code).toBe(0);
      for (const path of Object.keys(before)) expect(world.read(path)).toMatch(/"?timeout"?\W+77/);
    }
    expect((await world.run('uninstall', 'memo')).code).toBe(0);
    for (const path of Object.keys(before)) expect(world.read(path)).toMatch(/"?timeout"?\W+77/);
  });

  it('stays where an earlier version recorded it, which did not say in which file it is', async () => {
    const world = makeWorld();
    await installs(world, [SAY, AFTER], 'claude-code');
    world.write(SETTINGS, world.read(SETTINGS).replace('"timeout": 10', '"timeout": 77'));
    await installs(world, [AFTER], 'claude-code', '--accept-changed');
    const record = 'home/.local/state/mcphooks/record.json';
    const { check: _, ...recorded } = JSON.parse(world.read(record));
    const [edited] = recorded.servers[0].clients['claude-code'].edited;
    expect(edited).toHaveProperty('file');
    delete edited.file;
    world.write(record, JSON.stringify(recorded));
    expect((await world.run('uninstall', 'memo')).code).toBe(0);
    expect(world.read(SETTINGS)).toContain('"timeout": 77');
  });

  it.runIf(LONG)(
    'stays where the server declares nothing any more, and where hooks move into a plugin',
    async () => {
      const timeout = /((?:UserPromptSubmit|BeforeAgent)\b.*?timeout\W+)10(?:000)?\b/;
      const edited = async (): Promise<World> => {
        const world = homeWith(SAY, AFTER);
        expect((await world.run('install', 'memo', '--yes')).code).toBe(0);
        for (const path of Object.keys(before)) {
          expect(world.read(path)).toMatch(timeout);
          world.write(path, world.read(path).replace(timeout, '$177'));
        }
        return world;
      };
      const stays = (world: World): void => {
        for (const path of Object.keys(before)) expect(world.read(path)).toMatch(/"?timeout"?\W+77/);
      };
      const empty = await edited();
      const declared = empty.read('home/declared.json');
      empty.write('home/declared.json', '{"declarations":[]}');
      for (let time = 0; time < 3; time++) {
        expect(await empty.run('install', 'memo', '--yes', '--accept-changed')).toMatchObject({ code: 0 });
        stays(empty);
      }
      const { servers } = JSON.parse((await empty.run('list', '--json')).stdout);
      expect(servers[0].clients.map(({ state }: { state: string }) => state)).toEqual(
        Array(3).fill('edited'),
      );
      const doctor = (await empty.run('doctor', 'memo')).stdout;
      expect(doctor.match(/the entry was edited by hand: /g)).toHaveLength(3);
      empty.write('home/declared.json', declared);
      expect(await empty.run('install', 'memo', '--yes', '--accept-changed')).toMatchObject({ code: 0 });
      stays(empty);
      for (const path of Object.keys(before))
        expect(empty.read(path).match(/[/\\](?:UserPromptSubmit|BeforeAgent)\b/g)).toHaveLength(1);
      const moved = await edited();
      for (let time = 0; time < 3; time++) {
        expect(await moved.run('install', 'memo', '--yes', '--target', 'plugin')).toMatchObject({ code: 0 });
        stays(moved);
      }
      expect(await moved.run('uninstall', 'memo')).toMatchObject({ code: 0 });
      stays(moved);
      expect(await moved.run('uninstall', 'memo', '--edited')).toMatchObject({ code: 0 });
      for (const path of Object.keys(before)) expect(moved.read(path)).not.toMatch(/"?timeout"?\W+77/);
    },
  );

  it('stays at an uninstall, which says where, and leaves with --edited, which shows it', async () => {
    const world = makeWorld();
    for (const [path, text] of Object.entries(before)) world.write(path, text);
    expect((await installs(world, [SAY, AFTER])).code).toBe(0);
    const edit = (path: string, from: RegExp, to: string): void => {
      const text = world.read(path);
      expect(text).toMatch(from);
      world.write(path, text.replace(from, to));
    };
    edit(SETTINGS, /"timeout": 10 /, '"timeout": 10, "mine": "a note" ');
    edit('home/.codex/config.toml', /^matcher = /m, '# slow here\nmatcher = ');
    edit('home/.gemini/settings.json', /"timeout": 10000/, '/* slow here */ "timeout": 11000');

    const out = await world.run('uninstall', 'memo');
    expect(out.code).toBe(0);
    const line = (path: string): number =>
      world
        .read(path)
        .split('\n')
        .findIndex((l) => OURS.test(l)) + 1;
    const said = slashed(out.stdout);
    expect(said).toContain(`~/.claude/settings.json:${line(SETTINGS)} keeps `);
    expect(said).toContain(`~/.gemini/settings.json:${line('home/.gemini/settings.json')} keeps `);
    expect(said).toMatch(/~\/\.codex\/config\.toml:\d+ keeps /);
    expect(out.stdout).toContain('--edited');
    for (const path of Object.keys(before)) expect(world.read(path).split(OURS)).toHaveLength(2);

    const listed = JSON.parse((await world.run('list', '--json')).stdout).servers[0].clients;
    expect(listed.map((c: { findings: { fix: string }[] }) => c.findings[0]?.fix)).toEqual(
      listed.map(({ client }: { client: string }) =>
        expect.stringContaining(`mcphooks uninstall memo --client ${client} --edited`),
      ),
    );

    const left = world.files();
    const dry = await world.run('uninstall', 'memo', '--edited', '--dry-run');
    expect(dry.code).toBe(2);
    expect(dry.stdout).toMatch(new RegExp(`^ *- .*${OURS.source}`, 'm'));
    expect(world.files()).toEqual(left);

    const gone = await world.run('uninstall', 'memo', '--edited');
    expect([gone.code, gone.stdout.match(new RegExp(`^ *- .*${OURS.source}`, 'gm'))?.length]).toEqual([0, 3]);
    for (const [path, text] of Object.entries(before)) expect(world.read(path)).toBe(text);
    expect((await world.run('list')).stderr).toContain('No hooks are installed.');
    for (const command of ['diff', 'doctor']) expect((await world.run(command)).code).toBe(0);
  });

  it.each([['user', SETTINGS], ...(LONG ? [['project', 'project/.claude/settings.json']] : [])])(
    'stays at later uninstalls, too, and goes once it is as it was written: scope %s',
    async (scope = '', file = '') => {
      const world = makeWorld();
      const overlay = world.write(
        `${scope === 'user' ? 'home' : scope}/overlay.json`,
        JSON.stringify({ declarations: [SAY, AFTER] }),
      );
      const asked = ['--declarations', overlay, '--client', 'claude-code', '--no-check', '--yes'];
      const at = ['--scope', scope];
      expect(await world.run('install', 'memo', ...asked, ...at)).toMatchObject({ code: 0 });
      const { hooks } = JSON.parse(world.read(file));
      const edited = structuredClone(hooks);
      edited.UserPromptSubmit[0].hooks[0].timeout = 77;
      edited.PostToolUse[0].matcher = 'Edit';
      world.write(file, JSON.stringify({ hooks: edited }));
      const { PostToolUseFailure: _, ...kept } = edited;
      for (let time = 0; time < 3; time++) {
        const { code, stdout } = await world.run('uninstall', 'memo', ...at);
        expect(code).toBe(0);
        expect(stdout.match(/ keeps \w+/g)).toEqual([' keeps UserPromptSubmit', ' keeps PostToolUse']);
        expect(stdout).toContain('--edited');
        expect(JSON.parse(world.read(file)).hooks).toEqual(kept);
        const { stderr } = await world.run('diff', ...at, '--offline');
        expect(stderr).toMatch(/'mcphooks uninstall .*memo .*--edited'/);
      }
      const { UserPromptSubmit, PostToolUse } = hooks;
      world.write(file, JSON.stringify({ hooks: { UserPromptSubmit, PostToolUse } }));
      expect(await world.run('uninstall', 'memo', ...at)).toMatchObject({ code: 0 });
      expect(Object.keys(world.files())).toEqual([expect.stringContaining('overlay.json')]);
    },
  );

  it.each([['project', 'project/.claude/settings.json'], ...(LONG ? [['user', SETTINGS]] : [])])(
    'so that another command runs its script is named by the uninstall that leaves it: scope %s',
    async (scope = '', file = '') => {
      const world = makeWorld();
      const overlay = world.write(
        `${scope === 'user' ? 'home' : scope}/overlay.json`,
        JSON.stringify({ declarations: [SAY] }),
      );
      const asked = ['--declarations', overlay, '--client', 'claude-code', '--no-check', '--yes'];
      const at = ['--scope', scope];
      expect(await world.run('install', 'memo', ...asked, ...at)).toMatchObject({ code: 0 });
      world.write(file, world.read(file).replace('"command": "', '"command": "date; '));
      const { code, stdout } = await world.run('uninstall', 'memo', ...at);
      expect(code).toBe(0);
      const line =
        world
          .read(file)
          .split('\n')
          .findIndex((l) => l.includes('date; ')) + 1;
      expect(slashed(stdout)).toContain(`settings.json:${line} keeps a hook for UserPromptSubmit`);
      // It may only mention the script.
      expect(stdout).toContain('if it runs them, remove it by hand');
      // It removes no command that mcphooks didn't write.
      expect(stdout).not.toContain('--edited');
    },
  );

  it.each(LONG ? ['as it is', 'updated', 'no longer declared'] : ['updated'])(
    'and that an uninstall left stays edited by the next install: %s',
    async (how) => {
      const world = makeWorld();
      const edit = (text: string) => text.replace('"timeout": 10', '"timeout": 77');
      const before = '{\n  "theme": "dark"\n}\n';
      world.write(SETTINGS, before);
      expect((await installs(world, [SAY], 'claude-code')).code).toBe(0);
      const installed = world.read(SETTINGS);
      const record = () => JSON.parse(world.read('home/.local/state/mcphooks/record.json'));
      world.write(SETTINGS, edit(installed));
      expect((await world.run('uninstall', 'memo')).stdout).toContain('keeps UserPromptSubmit');
      expect(record().kept).toHaveLength(1);
      const now = {
        'as it is': SAY,
        updated: { ...SAY, context: 'other' },
        'no longer declared': { ...SAY, event: 'session_start' },
      }[how];
      const again = await installs(world, [now ?? SAY], 'claude-code');
      expect(again.code, again.stderr).toBe(0);
      expect(record().kept?.length).toBe(how === 'no longer declared' ? 1 : undefined);
      expect(world.read(SETTINGS)).toContain('"timeout": 77');
      if (how === 'as it is') expect(world.read(SETTINGS)).toBe(edit(installed));
      expect((await world.run('uninstall', 'memo')).stdout).toContain('keeps UserPromptSubmit');
      expect(record().kept).toHaveLength(1);
      expect(world.read(SETTINGS)).toContain('"timeout": 77');
      expect((await world.run('uninstall', 'memo', '--edited')).code).toBe(0);
      expect(world.read(SETTINGS)).toBe(before);
    },
  );

  it.runIf(LONG).each(['a plugin', 'another folder'])(
    'and that an uninstall left stays edited by an install in %s, and by the one after it',
    async (where) => {
      const world = makeWorld();
      const edit = (text: string) => text.replace('"timeout": 10', '"timeout": 77');
      expect((await installs(world, [SAY], 'claude-code')).code).toBe(0);
      const edited = edit(world.read(SETTINGS));
      world.write(SETTINGS, edited);
      expect((await world.run('uninstall', 'memo')).stdout).toContain('keeps UserPromptSubmit');
      if (where === 'a plugin') {
        expect((await installs(world, [SAY], 'claude-code', '--target', 'plugin')).code).toBe(0);
        expect(world.read(SETTINGS)).toBe(edited);
        expect((await installs(world, [SAY], 'claude-code', '--target', 'settings')).code).toBe(0);
      } else {
        world.env.CLAUDE_CONFIG_DIR = join(world.home, 'other');
        expect((await installs(world, [SAY], 'claude-code')).code).toBe(0);
        expect((await world.run('uninstall', 'memo')).code).toBe(0);
        delete world.env.CLAUDE_CONFIG_DIR;
        expect(world.read(SETTINGS)).toBe(edited);
        expect((await installs(world, [SAY], 'claude-code')).code).toBe(0);
      }
      expect(world.read(SETTINGS)).toBe(edited);
    },
  );

  it.runIf(LONG)('in an entry for all servers stays edited when another server is installed', async () => {
    const world = makeWorld();
    const file = 'home/.factory/settings.json';
    const hooks = (name: string, event: string): string[] => {
      const path = world.write(`home/${name}.json`, JSON.stringify({ declarations: [{ ...SAY, event }] }));
      return ['install', name, '--declarations', path, '--no-check', '--client', 'droid', '--yes'];
    };
    const [memo, other] = [hooks('memo', 'pre_request'), hooks('other', 'session_start')];
    expect((await world.run(...memo)).code).toBe(0);
    expect(world.read(file)).toContain('"timeout": 30');
    world.write(file, world.read(file).replace('"timeout": 30', '"timeout": 77'));
    expect((await world.run('uninstall', 'memo')).stdout).toContain('keeps UserPromptSubmit');
    for (const args of [other, memo]) expect((await world.run(...args)).code).toBe(0);
    expect(world.read(file)).toContain('"timeout": 77');
  });

  it('that the user removed since is forgotten with the last server', async () => {
    const world = makeWorld();
    expect((await installs(world, [SAY], 'claude-code')).code).toBe(0);
    world.write(SETTINGS, world.read(SETTINGS).replace('"timeout": 10', '"timeout": 77'));
    expect((await world.run('uninstall', 'memo')).stdout).toContain('keeps UserPromptSubmit');
    rmSync(join(world.home, '.claude'), { recursive: true });
    const overlay = join(world.home, 'overlay.json');
    const asked = ['--declarations', overlay, '--client', 'claude-code', '--no-check', '--yes'];
    expect(await world.run('install', 'other', ...asked)).toMatchObject({ code: 0 });
    expect(await world.run('uninstall', 'other')).toMatchObject({ code: 0 });
    expect(Object.keys(world.files())).toEqual(['home/overlay.json']);
  });

  it('is looked for in no file that names none of ours and can not be read', async () => {
    const world = makeWorld();
    expect((await installs(world, [SAY], 'claude-code')).code).toBe(0);
    world.write(SETTINGS, '{,}');
    expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0, stderr: '' });
    expect(world.files()).toEqual({
      [SETTINGS]: '{,}',
      'home/overlay.json': world.read('home/overlay.json'),
    });
  });

  it('whose record and scripts are both gone is removed', async () => {
    const world = makeWorld();
    expect((await installs(world, [SAY], 'claude-code')).code).toBe(0);
    world.write(SETTINGS, world.read(SETTINGS).replace('"timeout": 10', '"timeout": 77'));
    rmSync(join(world.home, '.local'), { recursive: true });
    expect((await world.run('uninstall', 'memo')).code).toBe(0);
    expect(JSON.parse(world.read(SETTINGS))).toEqual({ hooks: { UserPromptSubmit: [] } });
  });

  it.runIf(LONG)('keeps what was edited at an update, which says so', async () => {
    const world = makeWorld();
    for (const [path, text] of Object.entries(before)) world.write(path, text);
    expect((await installs(world, [SAY, AFTER])).code).toBe(0);
    const edited = (path: string, from: RegExp, to: string): string => {
      const text = world.read(path).replace(from, to);
      expect(text).not.toBe(world.read(path));
      world.write(path, text);
      return text;
    };
    const texts = {
      [SETTINGS]: edited(SETTINGS, /"timeout": 10 /, '"timeout": 99,   "mine": "a note" '),
      'home/.codex/config.toml': edited('home/.codex/config.toml', /^matcher = /m, '# slow here\nmatcher = '),
      'home/.gemini/settings.json': edited('home/.gemini/settings.json', /"timeout": 10000/, '/* slow */ $&'),
    };
    const update = await installs(
      world,
      [SAY, { ...AFTER, context: 'Ran it.' }],
      CLIENTS,
      '--accept-changed',
    );
    expect(update.code).toBe(0);
    expect(update.stdout).toMatch(/the entry for \w+ was edited by hand: timeout, mine stay as edited/);
    const masked = (text: string): string =>
      text.replace(/(mcphooks[^a-z]+hooks[^a-z]+memo[^a-z0-9]+)\w+/g, '$1');
    for (const [path, text] of Object.entries(texts)) {
      expect(masked(world.read(path))).toBe(masked(text));
      expect(world.read(path)).not.toBe(text);
    }
  });

  it('beside a handler of the user leaves alone', async () => {
    const world = makeWorld();
    expect((await installs(world, [AFTER], 'claude-code')).code).toBe(0);
    const settings = JSON.parse(world.read(SETTINGS));
    const [group] = settings.hooks.PostToolUse;
    group.hooks[0].timeout = 99;
    group.hooks.push({ type: 'command', command: 'mine --token s3cret' });
    world.write(SETTINGS, JSON.stringify(settings, null, 2));
    const { stdout } = await world.run('uninstall', 'memo', '--edited');
    expect(stdout).not.toContain('s3cret');
    expect(Object.keys(world.files())).toEqual([SETTINGS, 'home/overlay.json']);
    expect(JSON.parse(world.read(SETTINGS)).hooks.PostToolUse).toEqual([
      {
        matcher: WINDOWS ? 'Bash|PowerShell' : 'Bash',
        hooks: [{ type: 'command', command: 'mine --token s3cret' }],
      },
    ]);
  });
});

describe("Codex's two files", () => {
  const chosen = async (world: World): Promise<string | undefined> => {
    const file = world.write('home/overlay.json', JSON.stringify({ declarations: [SAY] }));
    const asked = ['install', 'memo', '--declarations', file, '--client', 'codex', '--dry-run', '--json'];
    const { stdout } = await world.run(...asked);
    return JSON.parse(stdout).plan.clients[0].file?.split(/[/\\]/).at(-1);
  };
  const command = { type: 'command', command: 'x' };

  it('the one that holds hooks is taken, else config.toml', async () => {
    const world = makeWorld();
    expect(await chosen(world)).toBe('config.toml');
    world.write('home/.codex/hooks.json', JSON.stringify({ hooks: { Stop: [{ hooks: [command] }] } }));
    expect(await chosen(world)).toBe('hooks.json');
    world.write('home/.codex/config.toml', "[[hooks.Stop]]\nhooks = [{ type = 'command', command = 'x' }]\n");
    expect(await chosen(world)).toBe('config.toml');
  });

  it('entries stay where they stand', async () => {
    const world = makeWorld();
    expect((await installs(world, [SAY], 'codex')).code).toBe(0);
    world.write('home/.codex/hooks.json', JSON.stringify({ hooks: { Stop: [{ hooks: [command] }] } }));
    expect(await chosen(world)).toBe('config.toml');
  });

  const toml = 'home/.codex/config.toml';
  const json = 'home/.codex/hooks.json';
  const count = (world: World, file: string): number =>
    world.read(file).split(/[\\/]+hooks[\\/]+memo[\\/]/).length - 1;
  const NEW = { ...SAY, context: 'Something new.' };
  const END = { event: 'post_request', context: 'Note what is left.', priority: 'suggestion' };

  it.runIf(LONG)(
    'entries that the user moved to the other one are found there, and updated and removed there',
    async () => {
      const world = makeWorld();
      world.write(toml, 'a = 1\n');
      expect((await installs(world, [SAY], 'codex')).code).toBe(0);
      world.write(json, JSON.stringify({ hooks: parseToml(world.read(toml)).hooks }));
      world.write(toml, 'a = 1\n');
      // The record names the file, which hooks of a project read, too.
      const moved = await world.run('diff', '--offline');
      expect(moved).toMatchObject({ code: 2, stdout: expect.stringContaining('hooks.json') });
      expect((await installs(world, [SAY], 'codex')).code).toBe(0);
      expect([world.read(toml), count(world, json)]).toEqual(['a = 1\n', 1]);
      expect((await world.run('list')).stdout).not.toContain('missing');
      expect(await world.run('diff', '--offline')).toMatchObject({ code: 0 });
      expect((await installs(world, [NEW], 'codex', '--accept-changed')).code).toBe(0);
      expect([world.read(toml), count(world, json)]).toEqual(['a = 1\n', 1]);
      expect(await world.run('diff', '--offline')).toMatchObject({ code: 0 });
      expect((await world.run('uninstall', 'memo')).code).toBe(0);
      expect(world.read(toml)).toBe('a = 1\n');
      expect(world.read(json)).not.toContain('memo');
    },
  );

  it('entries that stand in both run once after an install', async () => {
    const world = makeWorld();
    expect((await installs(world, [SAY, END], 'codex')).code).toBe(0);
    const { Stop } = parseToml(world.read(toml)).hooks as { Stop: unknown[] };
    world.write(json, JSON.stringify({ hooks: { Stop: [{ hooks: [command] }, ...Stop] } }));
    expect(await world.run('diff', '--offline')).toMatchObject({ code: 2 });
    expect((await installs(world, [SAY, END], 'codex')).code).toBe(0);
    expect([count(world, toml), count(world, json)]).toEqual([2, 0]);
    expect(JSON.parse(world.read(json)).hooks.Stop[0]).toEqual({ hooks: [command] });
    expect(await world.run('diff', '--offline')).toMatchObject({ code: 0 });
  });

  it.each(['{ "hooks": mcphooks', '{ "hooks": { "Stop": [OURS, { "hooks": [{ "type": "command" }] }] } }'])(
    'one that Codex can not use is no reason to refuse entries in the other one: %s',
    async (text) => {
      const world = makeWorld();
      expect((await installs(world, [SAY, END], 'codex')).code).toBe(0);
      const { Stop } = parseToml(world.read(toml)).hooks as { Stop: unknown[] };
      world.write(json, text.replace('OURS', JSON.stringify(Stop[0])));
      expect((await installs(world, [NEW], 'codex', '--accept-changed')).code).toBe(0);
      expect(count(world, toml)).toBe(1);
    },
  );
});

describe('a record', () => {
  const record = 'home/.local/state/mcphooks/record.json';

  it('that is damaged is said once, kept aside, and does no harm', async () => {
    const world = makeWorld();
    world.write(SETTINGS, '{"a":1}');
    await installs(world);
    world.write(record, '{"schema": 1, "servers": [{]}');
    const offline = await world.run('diff', '--offline');
    expect(
      slashed(offline.stderr).split(slashed(`${world.home}/.local/state/mcphooks/record.json`)),
    ).toHaveLength(2);
    const again = await installs(world);
    expect([again.code, again.stderr.split('record.json').length]).toEqual([0, 2]);
    const aside = readdirSync(dirname(join(world.home, '../', record))).filter((f) =>
      f.startsWith('record.damaged'),
    );
    expect(aside).toHaveLength(1);
    expect((await world.run('uninstall', 'memo')).code).toBe(0);
    expect(JSON.parse(world.read(SETTINGS))).toEqual({ a: 1, hooks: { UserPromptSubmit: [] } });
    expect(world.read('home/.codex/config.toml')).not.toContain('mcphooks');
  });

  it('of a newer mcphooks is left alone, with all that it tells of', async () => {
    const world = await installed();
    world.write(record, world.read(record).replace('"schema": 1', '"schema": 2'));
    const before = world.files();
    for (const args of [['uninstall', 'memo'], ['diff'], ['uninstall', '--all']])
      expect((await world.run(...args)).code, args.join(' ')).toBe(1);
    expect((await installs(world)).code).toBe(1);
    expect(world.files()).toEqual(before);
  });
});

it('shims that went out of use stay for running sessions and go with an install a week later', async () => {
  const world = await installed([SAY], 'claude-code');
  const folder = join(world.home, '.local/share/mcphooks/hooks/memo');
  const digests = (): string[] => readdirSync(folder).sort();
  const age = (name: string, days: number): void => {
    const then = Date.now() / 1000 - days * 24 * 3600;
    utimesSync(join(folder, name), then, then);
  };
  const [first = ''] = digests();
  age(first, 30);
  expect((await installs(world, [AFTER], 'claude-code', '--accept-changed')).code).toBe(0);
  const second = digests().find((d) => d !== first) ?? '';
  // It was in use until now, however old it is.
  expect(digests()).toEqual([first, second].sort());
  expect(Date.now() - statSync(join(folder, first)).mtimeMs).toBeLessThan(3_600_000);
  age(first, 6);
  await installs(world, [AFTER], 'claude-code');
  expect(digests()).toEqual([first, second].sort());
  age(first, 8);
  age(second, 8);
  await installs(world, [AFTER], 'claude-code');
  expect(digests()).toEqual([second]);
});

it('shims that an install uses again stay, however long they were out of use', async () => {
  const world = await installed([SAY], 'claude-code');
  const folder = join(world.home, '.local/share/mcphooks/hooks/memo');
  const [first = ''] = readdirSync(folder);
  const scripts = (): string =>
    Object.keys(world.files())
      .filter((path) => path.includes(`/${first}/`))
      .join();
  const before = scripts();
  expect(before).not.toBe('');
  expect((await installs(world, [AFTER], 'claude-code', '--accept-changed')).code).toBe(0);
  utimesSync(join(folder, first), 1, 1);
  expect((await installs(world, [SAY], 'claude-code', '--accept-changed')).code).toBe(0);
  expect(scripts()).toBe(before);
});

it('a runtime that no script names any more goes with an install, but not the one that was used until then', async () => {
  const world = await installed([SAY], 'claude-code');
  const data = join(world.home, '.local/share/mcphooks');
  const [now = ''] = readdirSync(join(data, 'runtime'));
  // As an earlier version left it.
  const runtimes = ['0123456789abcdef', 'fedcba9876543210', 'notes'];
  for (const name of runtimes) world.write(`home/.local/share/mcphooks/runtime/${name}/fire.cjs`, '');
  world.write(
    'home/.local/share/mcphooks/hooks/other/1111222233334444/codex/Stop',
    '# runtime/fedcba9876543210/',
  );
  const record = JSON.parse(world.read('home/.local/state/mcphooks/record.json'));
  const [client] = Object.values<{ own: Record<string, string> }>(record.servers[0].clients);
  if (client) client.own[join(data, 'runtime/0123456789abcdef/fire.cjs')] = 'x';
  world.write('home/.local/state/mcphooks/record.json', JSON.stringify(record));
  await installs(world, [SAY], 'claude-code');
  expect(readdirSync(join(data, 'runtime')).sort()).toEqual([...runtimes, now].sort());
  const unread = world.write('home/.local/share/mcphooks/hooks/other/2222333344445555/codex/Stop', '');
  truncateSync(unread, LARGEST_FILE + 1);
  expect(await installs(world, [SAY], 'claude-code')).toMatchObject({ code: 0 });
  expect(readdirSync(join(data, 'runtime')).sort()).toEqual([...runtimes, now].sort());
  rmSync(unread);
  await installs(world, [SAY], 'claude-code');
  expect(readdirSync(join(data, 'runtime')).sort()).toEqual(['fedcba9876543210', 'notes', now].sort());
});

it('a runtime goes with the last old scripts that name it, and stays for the script of all servers', async () => {
  const world = await installed([SAY], 'claude-code');
  const data = join(world.home, '.local/share/mcphooks');
  const [now = ''] = readdirSync(join(data, 'runtime'));
  const [old, ofAll] = ['0123456789abcdef', 'fedcba9876543210'];
  for (const name of [old, ofAll]) world.write(`home/.local/share/mcphooks/runtime/${name}/fire.cjs`, '');
  world.write('home/.local/share/mcphooks/joint/droid/UserPromptSubmit', `# runtime/${ofAll}/`);
  const scripts = dirname(
    dirname(
      world.write('home/.local/share/mcphooks/hooks/memo/1111222233334444/codex/Stop', `# runtime/${old}/`),
    ),
  );
  utimesSync(scripts, 1, 1);
  await installs(world, [SAY], 'claude-code');
  expect(existsSync(scripts)).toBe(false);
  expect(readdirSync(join(data, 'runtime')).sort()).toEqual([ofAll, now].sort());
});

// Root may do everything.
it.skipIf(process.getuid?.() === 0)('an empty folder that may not be removed is no failure', async () => {
  const world = makeWorld();
  await installs(world);
  const folder = join(world.home, '.local/share/mcphooks/hooks/memo');
  chmodSync(folder, 0o555);
  const { code: exit, stderr } = await world.run('uninstall', 'memo');
  chmodSync(folder, 0o755);
  expect([exit, stderr, existsSync(join(world.home, '.claude/settings.json'))]).toEqual([0, '', false]);
});

it.runIf(LONG)("a pipe in place of a client's file holds nothing up, and stays", async () => {
  const world = await installed();
  const settings = join(world.home, '.claude/settings.json');
  rmSync(settings);
  spawnSync('mkfifo', [settings]);
  for (const command of [
    ['diff'],
    ['list'],
    ['doctor'],
    ['install', 'memo', '--yes'],
    ['uninstall', 'memo'],
  ]) {
    const { code, stdout, stderr } = await world.run(...command);
    expect([command[0], code]).toEqual([command[0], 1]);
    expect(stdout + stderr).toMatch(/not? (?:a )?regular file/);
  }
  expect(statSync(settings).isFIFO()).toBe(true);
});

it.skipIf(WINDOWS)(
  'a file that an uninstall can not read does not keep it from the others, and is named',
  async () => {
    const world = await installed();
    const settings = join(world.home, '.claude/settings.json');
    rmSync(settings);
    symlinkSync(settings, settings);
    const { code, stdout, stderr } = await world.run('uninstall', 'memo');
    expect(code).toBe(1);
    expect(stdout + stderr).toContain("settings.json: can't be read: its symlinks form a loop\n");
    expect(stdout + stderr).not.toContain('nothing was written');
    expect(existsSync(join(world.home, '.codex/config.toml'))).toBe(false);
  },
);

it('a file that is a mount of its own stays as it was', async (context) => {
  const world = makeWorld();
  world.write('home/.claude/settings.json', '{}');
  const settings = join(world.home, '.claude/settings.json');
  if (spawnSync('mount', ['--bind', settings, settings]).status !== 0) {
    console.warn('SKIPPED: a mounted file needs the right to mount one');
    context.skip();
  }
  try {
    const { stdout, code: exit } = await installs(world, [SAY], CLIENTS, '--json');
    expect([exit, code(stdout)]).toEqual([1, 'apply.mounted']);
    expect(world.read('home/.claude/settings.json')).toBe('{}');
    expect(existsSync(join(world.home, '.local'))).toBe(false);
  } finally {
    spawnSync('umount', [settings]);
  }
});

it('a full disk leaves all as it was', async (context) => {
  const world = makeWorld();
  const small = join(world.home, '.claude');
  mkdirSync(small);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', small]);
  if (mounted.status !== 0) {
    console.warn('SKIPPED: a full disk needs the right to mount a small one');
    context.skip();
  }
  try {
    const text = `{"a":"${'x'.repeat(7000)}"}`;
    writeFileSync(join(small, 'settings.json'), text);
    writeFileSync(join(small, 'filler'), 'x'.repeat(4000));
    world.write('home/.codex/config.toml', '# mine\n');
    const { stdout, code: exit } = await installs(world, [SAY], CLIENTS, '--json');
    expect([exit, code(stdout)]).toEqual([1, 'apply.disk-full']);
    expect(readFileSync(join(small, 'settings.json'), 'utf8')).toBe(text);
    expect(readdirSync(small).sort()).toEqual(['filler', 'settings.json']);
    expect(world.read('home/.codex/config.toml')).toBe('# mine\n');
    expect(existsSync(join(world.home, '.local'))).toBe(false);
  } finally {
    spawnSync('umount', [small]);
  }
});
