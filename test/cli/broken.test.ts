import { chmodSync, existsSync, mkdirSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LONG } from '../effort.ts';
import { WINDOWS } from '../platform.ts';
import { COMMIT, homeWith, installClients, own } from './home.ts';
import { cleanWorlds, makeWorld, type World } from './world.ts';

cleanWorlds();

const PROMPT = { event: 'pre_request', context: 'Keep answers short.', priority: 'suggestion' };
const install = (world: World, server: string, ...clients: string[]) =>
  world.run(
    ...['install', server, '--declarations', join(world.home, 'd.json'), '--no-check', '--yes'],
    ...['--client', clients.join()],
  );
const withHooks = (): World => {
  const world = makeWorld();
  world.write('home/d.json', JSON.stringify({ declarations: [PROMPT, COMMIT] }));
  return world;
};
const ours = (world: World): string[] =>
  Object.entries(world.files()).flatMap(([path, text]) =>
    path.includes('/mcphooks/') || text.includes('mcphooks/hooks') ? [path] : [],
  );

describe("folders of a client without hooks don't matter", () => {
  const PATHS = ['.claude/skills', '.gemini/extensions', '.qwen'];
  const kinds: [string, (path: string) => void][] = [
    ['a file', (path: string) => chmodSync(path, 0o644)],
    ['a loop', (path: string) => symlinkSync(path, path)],
  ];
  it.runIf(!WINDOWS).each(LONG ? kinds : kinds.slice(0, 1))('that are %s', async (what, make) => {
    const world = withHooks();
    for (const path of PATHS) {
      if (what === 'a file') world.write(`home/${path}`, '');
      else mkdirSync(join(world.home, path, '..'), { recursive: true });
      make(join(world.home, path));
    }
    expect(await install(world, 'memo', 'cursor')).toMatchObject({ code: 0 });
    expect(await install(world, 'memo', 'cursor')).toMatchObject({ code: 0 });
    expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0, stderr: '' });
    for (const path of PATHS) rmSync(join(world.home, path));
    expect(ours(world)).toEqual([]);
  });

  it.runIf(LONG)('nor do their files where a folder above has the name of the client', async () => {
    const world = withHooks();
    world.env.XDG_DATA_HOME = join(world.home, 'codex/data');
    await install(world, 'memo', 'cursor');
    mkdirSync(join(world.home, '.codex/config.toml'), { recursive: true });
    expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0, stderr: '' });
  });

  it('nor do their files for a server that was never installed', async () => {
    const world = withHooks();
    mkdirSync(join(world.home, '.codex/config.toml'), { recursive: true });
    const { code, stdout } = await world.run('uninstall', 'other');
    expect([code, stdout]).toEqual([0, '']);
  });
});

it.runIf(LONG && !WINDOWS)('a home may be reached by two names', async () => {
  const world = withHooks();
  const before = world.files();
  mkdirSync(join(world.home, 'real'));
  symlinkSync('real', join(world.home, 'link'));
  const { HOME } = world.env;
  world.env.HOME = join(world.home, 'real');
  expect(await install(world, 'memo', 'claude-code')).toMatchObject({ code: 0 });
  world.env.HOME = join(world.home, 'link');
  for (const args of [
    ['disable', 'memo'],
    ['enable', 'memo'],
    ['uninstall', 'memo'],
  ])
    expect(await world.run(...args), String(args)).toMatchObject({ code: 0 });
  expect(await install(world, 'memo', 'claude-code')).toMatchObject({ code: 0 });
  world.env.HOME = join(world.home, 'real');
  expect(await install(world, 'memo', 'claude-code')).toMatchObject({ code: 0 });
  expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
  world.env.HOME = HOME ?? '';
  rmSync(join(world.home, 'link'));
  expect(world.files()).toEqual(before);
});

it('uninstall says that only the record was left', async () => {
  const world = withHooks();
  expect(await install(world, 'memo', 'claude-code')).toMatchObject({ code: 0 });
  for (const path of ['.claude', '.local/share']) rmSync(join(world.home, path), { recursive: true });
  const told = /^Hooks of memo .*removed\n {2}mcphooks {5}- their record; .* gone already\n$/;
  for (const more of [['--dry-run'], []])
    expect((await world.run('uninstall', 'memo', ...more)).stdout).toMatch(told);
});

it('uninstall --all goes on after a server that fails', async () => {
  const world = withHooks();
  await install(world, 'memo', 'claude-code', 'cursor');
  await install(world, 'other', 'cursor');
  const settings = join(world.home, '.claude/settings.json');
  chmodSync(settings, 0o444);
  expect(await world.run('uninstall', '--all')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('read-only'),
    stdout: expect.stringContaining('Hooks of other removed'),
  });
  chmodSync(settings, 0o644);
  expect(await world.run('uninstall', '--all')).toMatchObject({ code: 0 });
  expect(ours(world)).toEqual([]);
});

it('an uninstall that a file stops says that it is not complete, and how to finish it', async () => {
  const world = withHooks();
  await install(world, 'memo', 'claude-code');
  const settings = world.read('home/.claude/settings.json');
  world.write('home/.claude/settings.json', `<<<<<<< HEAD\n${settings}`);
  const wouldBe = await world.run('uninstall', 'memo', '--dry-run');
  expect(wouldBe.stdout).toContain('Hooks of memo would not be completely removed\n');
  const { code, stdout, stderr } = await world.run('uninstall', 'memo');
  expect([code, stdout]).toEqual([1, expect.stringContaining('Hooks of memo not completely removed\n')]);
  expect(stderr).toContain('merge conflict');
  world.write('home/.claude/settings.json', settings);
  expect((await world.run('list')).stdout).toContain(
    '→ mcphooks install memo; or remove what is left: mcphooks uninstall memo\n',
  );
  const last = await world.run('uninstall', 'memo');
  expect([last.code, last.stdout]).toEqual([0, expect.stringContaining('Hooks of memo removed\n')]);
  expect(ours(world)).toEqual([]);
});

it.runIf(!WINDOWS)('a state folder that is a link to nothing is named at once', async () => {
  const world = withHooks();
  mkdirSync(join(world.home, '.local/state'), { recursive: true });
  symlinkSync('/none/x', join(world.home, '.local/state/mcphooks'));
  expect(await install(world, 'memo', 'cursor')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      '.local/state/mcphooks: a folder is missing, or a link leads to nothing (ENOENT)',
    ),
  });
});

it('uninstall --all takes the log of a project along, but not what its hooks need', async () => {
  const world = withHooks();
  world.write('home/.local/state/mcphooks/hooks.log', '{}\n');
  world.write('home/.local/state/mcphooks/kept/a/b/text', '');
  for (const less of [['--all', '--client', 'cursor'], ['memo']]) {
    expect(await world.run('uninstall', ...less)).toMatchObject({ code: 0 });
    expect(ours(world)).toHaveLength(2);
  }
  expect(await world.run('uninstall', '--all')).toMatchObject({ code: 0 });
  expect(ours(world)).toEqual(['home/.local/state/mcphooks/kept/a/b/text']);
});

it.each(['', 'home/.local/state/mcphooks/tag'])(
  'uninstall --all takes texts along that an entry left for the one of another scope, also beside %j',
  async (tag) => {
    const world = withHooks();
    await install(world, 'memo', 'cursor');
    world.write('home/.local/state/mcphooks/handed/cursor.sessionStart.1.2.user', 'A text.');
    if (tag) world.write(tag, 'x'.repeat(32));
    expect(await world.run('uninstall', '--all')).toMatchObject({ code: 0 });
    expect(ours(world)).toEqual(tag ? [tag] : []);
  },
);

it('uninstall removes nothing when its question is cancelled', async () => {
  const world = withHooks();
  await install(world, 'memo', 'cursor');
  world.write('home/.local/state/mcphooks/hooks.log', '{}\n');
  const before = world.files();
  for (const what of ['memo', '--all'])
    expect(
      await world.runAs({ says: true, ask: { confirm: async () => undefined } }, 'uninstall', what),
    ).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('nothing was written'),
    });
  expect(world.files()).toEqual(before);
});

it('install without a name writes nothing when its list is cancelled', async () => {
  const world = homeWith(PROMPT);
  expect(await world.runAs({ says: true, ask: { pick: async () => undefined } }, 'install')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('nothing was written'),
  });
});

it('uninstall leaves a folder in place of a script, which nothing runs, and tells of no fault', async () => {
  const world = withHooks();
  await install(world, 'memo', 'claude-code');
  const script = own(world, '/PostToolUse');
  rmSync(join(world.home, '..', script));
  world.write(`${script}/mine`, 'A note.');
  expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0, stderr: '' });
  expect(world.read(`${script}/mine`)).toBe('A note.');
});

it.runIf(!WINDOWS)('names a file that can not be read also where the record is lost', async () => {
  const world = withHooks();
  await install(world, 'memo', 'claude-code', 'codex');
  rmSync(join(world.home, '.local/state/mcphooks/record.json'));
  const settings = join(world.home, '.claude/settings.json');
  rmSync(settings);
  symlinkSync(settings, settings);
  expect(await world.run('uninstall', 'memo')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('.claude/settings.json'),
  });
  rmSync(settings);
});

it.runIf(!WINDOWS)("a configuration file that can't be read is named", async () => {
  const world = withHooks();
  const file = join(world.home, '.config/mcphooks/config.json');
  mkdirSync(join(file, '..'), { recursive: true });
  for (const to of [file, '/none/x']) {
    symlinkSync(to, file);
    expect(await install(world, 'memo', 'cursor')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('config.json'),
    });
    rmSync(file);
  }
});

it('a folder in place of the record is to be moved away, and every command works then', async () => {
  const world = withHooks();
  const record = join(world.home, '.local/state/mcphooks/record.json');
  mkdirSync(record, { recursive: true });
  for (const command of ['list', 'diff'])
    expect(await world.run(command)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/: not a regular file.*\n {2}Move it away, or put /),
    });
  rmdirSync(record);
  expect(await install(world, 'memo', 'claude-code')).toMatchObject({ code: 0 });
});

it('no configuration file is below a file', async () => {
  const world = withHooks();
  world.write('home/.config', '');
  expect(await install(world, 'memo', 'cursor')).toMatchObject({ code: 0 });
});

it('export leaves no folder of state', async () => {
  const world = homeWith(PROMPT);
  const out = join(world.home, 'plugin');
  const ran = await world.run('export', 'memo', '--format', 'claude-plugin', '--out', out, '--yes');
  expect(ran).toMatchObject({ code: 0 });
  expect(existsSync(join(world.home, '.local'))).toBe(false);
});

describe('files with odd hooks stop nothing', () => {
  const odd = [
    ['copilot', 'home/.copilot/hooks/mcphooks.json', '{"version": 1, "hooks": null}'],
    ['copilot', 'project/.claude/settings.json', '{"hooks":{"UserPromptSubmit":[{"hooks":[null]}]}}'],
    ['droid', 'home/.factory/settings.json', '{"hooks":{"Unknown":[{"hooks":[null, 1, "x", []]}]}}'],
  ] as const;
  it.each(LONG ? odd : odd.slice(0, 1))('on %s, %s', async (client, path, text) => {
    const world = homeWith(PROMPT);
    installClients(world, { claude: '2.1.329 (Claude Code)', codex: 'codex-cli 0.169.0', gemini: '0.61.0' });
    world.write(path, text);
    for (const args of [
      ['install', 'memo', '--client', client, '--yes'],
      ['list'],
      ['diff', '--offline'],
      ['doctor'],
      ['uninstall', 'memo'],
    ]) {
      const { stdout, stderr } = await world.run(...args);
      expect(stdout + stderr, String(args)).not.toContain('unexpected error');
    }
    expect(world.read(path)).toBe(text);
  });
});

it.each([
  ['claude-code', 'home/.claude/settings.json', 'UserPromptSubmit'],
  ['gemini-cli', 'home/.gemini/settings.json', 'BeforeAgent'],
])(
  'an event that the user wrote once more above ours stays when ours goes: %s',
  async (client, path, event) => {
    const world = withHooks();
    await install(world, 'memo', client);
    const mine = `"${event}": [{ "hooks": [{ "type": "command", "command": "mine" }] }],`;
    world.write(path, world.read(path).replace(`"${event}": [`, `${mine}\n    "${event}": [`));
    expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
    expect(world.read(path)).toContain(mine);
    expect(ours(world)).toEqual([]);
  },
);

it('an entry that defines no server is named where its server is asked for', async () => {
  const world = makeWorld();
  const servers = { memo: { command: 'node', args: 'x' }, 'a b': { comand: 'node' } };
  world.write('home/.claude.json', JSON.stringify({ mcpServers: servers }));
  const { code, stderr } = await world.run('install', 'memo');
  expect(code).toBe(1);
  expect(stderr).toMatch(/Unusable \(.*\): \S+\.claude\.json: mcpServers\.memo/);
  expect((await world.run('explain', 'a b')).stderr).toContain('.claude.json: mcpServers["a b"]');
});
