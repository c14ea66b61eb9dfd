import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { HERE } from '../../src/base/platform.ts';
import { OUTPUTS } from '../../src/cli/json/outputs.ts';
import { LONG } from '../effort.ts';
import { COMMIT, declare, homeWith, own, START, starts, trustCodex } from './home.ts';
import { cleanWorlds, makeWorld, type World } from './world.ts';

cleanWorlds();

interface Listed {
  server: string;
  clients: { client: string; state: string; findings: { code: string; where?: string }[] }[];
  findings: { code: string }[];
}

async function listed(world: World, ...flags: string[]): Promise<{ exit: number; servers: Listed[] }> {
  const { code, stdout } = await world.run('list', '--json', ...flags);
  const document = JSON.parse(stdout);
  expect(OUTPUTS.list.safeParse(document).error).toBeUndefined();
  expect(document).toMatchObject({ version: 1, command: 'list', exit: code });
  return document;
}

async function states(world: World, ...flags: string[]): Promise<Record<string, string>> {
  const { servers } = await listed(world, ...flags);
  return Object.fromEntries(servers.flatMap((s) => s.clients.map((c) => [c.client, c.state])));
}

it('says so when nothing is installed', async () => {
  const world = makeWorld();
  const { code, stdout, stderr } = await world.run('list');
  expect([code, stdout]).toEqual([0, '']);
  expect(stderr).not.toBe('');
  expect(await listed(world)).toMatchObject({ status: 'listed', servers: [] });
});

it('tells the state on each client from files alone, and writes nothing', async () => {
  const world = homeWith(COMMIT, START);
  await world.run('install', 'memo', '--yes');
  const [before, asked] = [world.files(), starts(world)];
  expect(await states(world)).toEqual({
    'claude-code': 'current',
    codex: 'untrusted',
    'gemini-cli': 'untrusted',
  });
  const { code, stdout } = await world.run('list');
  expect(code).toBe(0);
  expect(stdout).toContain('memo');
  world.env.NO_COLOR = '1';
  expect((await world.runAs({ columns: 50 }, 'list')).stdout).toMatch(
    /^memo +since 20[-0-9]+\n {2}. untrusted +on Codex, Gemini CLI\n {2}. current +on Claude Code\n/,
  );
  expect(starts(world)).toBe(asked);
  expect(world.files()).toEqual(before);
});

it.runIf(LONG)('believes a review only while its hash is that of the entry', async () => {
  const world = homeWith(COMMIT, START);
  await world.run('install', 'memo', '--yes', '--client', 'codex');
  trustCodex(world);
  expect(await states(world)).toEqual({ codex: 'current' });
  declare(world, { ...COMMIT, context: 'Other.' }, START);
  await world.run('install', 'memo', '--yes', '--accept-changed', '--client', 'codex');
  expect(await states(world)).toEqual({ codex: 'untrusted' });
  const { servers } = await listed(world);
  expect(servers[0]?.clients[0]?.findings[0]?.code).toBe('doctor.modified');
});

it.runIf(LONG)('tells what a person switched off in a client from what is disabled here', async () => {
  const world = homeWith(COMMIT);
  await world.run('install', 'memo', '--yes');
  trustCodex(world);
  const toml = world.read('home/.codex/config.toml');
  world.write('home/.codex/config.toml', `${toml}enabled = false\n`);
  world.write(
    'project/.gemini/settings.json',
    '{ "hooksConfig": { "disabled": ["mcphooks:memo:AfterTool"] } }',
  );
  expect(await states(world)).toEqual({
    'claude-code': 'current',
    codex: 'disabled',
    'gemini-cli': 'disabled',
  });
});

it("says once for all servers of a project that a client doesn't run its hooks on Windows", async () => {
  const world = homeWith(COMMIT);
  world.write('project/hooks.json', JSON.stringify({ declarations: [COMMIT] }));
  for (const name of ['one', 'two'])
    await world.run(
      ...['install', name, '--declarations', 'hooks.json', '--no-check', '--yes'],
      ...['--scope', 'project', '--client', 'gemini-cli'],
    );
  const { windows } = HERE;
  HERE.windows = true;
  try {
    const { stdout } = await world.run('list');
    expect(stdout.match(/runs a project's hooks never/g)).toHaveLength(1);
  } finally {
    HERE.windows = windows;
  }
});

it('names the variable that named another folder at the install', async () => {
  const world = homeWith(COMMIT);
  const findings = async () => {
    const { servers } = JSON.parse((await world.run('list', '--json')).stdout);
    return servers[0].clients.flatMap((one: { findings: { code: string }[] }) =>
      one.findings.map(({ code }) => code),
    );
  };
  world.env.CLAUDE_CONFIG_DIR = join(world.home, 'other');
  await world.run('install', 'memo', '--client', 'claude-code', '--yes');
  expect(await findings()).toEqual([]);
  delete world.env.CLAUDE_CONFIG_DIR;
  expect(await findings()).toEqual(['doctor.file-unread']);
  expect((await world.run('list')).stdout.replace(/\s+/g, ' ')).toMatch(
    /it reads \S+\.claude.settings\.json ~.other.settings\.json → set CLAUDE_CONFIG_DIR as at the install/,
  );
  await world.run('uninstall', 'memo');

  world.env.XDG_DATA_HOME = join(world.home, 'data');
  await world.run('install', 'memo', '--client', 'claude-code', '--yes');
  expect(await findings()).toEqual([]);
  delete world.env.XDG_DATA_HOME;
  expect(await findings()).toEqual(['doctor.other-data']);
});

it('says what an install needs in a folder that another variable names', async () => {
  const world = homeWith(COMMIT);
  for (const file of ['.codex/config.toml', '.gemini/settings.json']) world.write(`home/${file}`, '');
  expect(await world.run('install', 'memo', '--client', 'claude-code', '--yes')).toMatchObject({ code: 0 });
  world.env.CLAUDE_CONFIG_DIR = join(world.home, 'other');
  const advice = async () => (await world.run('list')).stdout.replace(/\s+/g, ' ');
  expect(await advice()).toContain('too: mcphooks install memo, once the server is configured there');
  expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 1 });
  world.write('home/other/.claude.json', world.read('home/.claude.json'));
  expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
  expect((await world.run('list')).stdout).toContain('● current');
});

it('finds entries that are missing or edited, and own files that are gone or altered', async () => {
  const world = homeWith(COMMIT);
  await world.run('install', 'memo', '--yes');
  world.write('home/.claude/settings.json', '{}\n');
  const gemini = world.read('home/.gemini/settings.json');
  world.write('home/.gemini/settings.json', gemini.replace(/"timeout": ?\d+/, '"timeout": 1'));
  expect(await states(world)).toMatchObject({ 'claude-code': 'missing', 'gemini-cli': 'edited' });
  await world.run('install', 'memo', '--yes');
  world.write(own(world, 'claude-code/PostToolUse.json'), '{}');
  rmSync(join(world.home, '..', own(world, 'codex/PostToolUse')));
  expect(await states(world)).toMatchObject({ 'claude-code': 'edited', codex: 'missing' });
});

it.runIf(LONG)('calls an install changed when its definition is, and when the server says so', async () => {
  const world = homeWith(COMMIT);
  await world.run('install', 'memo', '--yes', '--client', 'claude-code');
  declare(world, { ...COMMIT, context: 'Other.' });
  expect(await states(world)).toEqual({ 'claude-code': 'current' });
  expect(await states(world, '--check')).toEqual({ 'claude-code': 'changed' });
  const servers = world.read('home/.claude.json');
  world.write('home/.claude.json', servers.replace('declared.json', 'other.json'));
  expect(await states(world)).toEqual({ 'claude-code': 'changed' });
  world.write('home/.claude.json', '{}');
  expect((await listed(world)).servers[0]?.findings[0]?.code).toBe('doctor.definition.gone');
});

it('asks no server of a project that was not approved', async () => {
  const world = homeWith(COMMIT);
  await world.run('install', 'memo', '--yes', '--client', 'claude-code');
  const theirs = world.read('home/.claude.json').replace('started.log', 'theirs.log');
  world.write('project/.mcp.json', theirs);
  // The approved definition is asked, as hooks do.
  expect(await world.run('list', '--check')).toMatchObject({ code: 0 });
  expect(existsSync(join(world.home, 'theirs.log'))).toBe(false);
});

it('fails with the place where a client rejects its file, and still lists the others', async () => {
  const world = homeWith(COMMIT);
  await world.run('install', 'memo', '--yes');
  world.write('home/.claude/settings.json', '{\n  // mine\n}\n');
  const { exit, servers } = await listed(world);
  expect(exit).toBe(1);
  expect(servers[0]?.clients[0]).toMatchObject({ state: 'missing' });
  expect(servers[0]?.clients[0]?.findings[0]).toMatchObject({
    code: 'edit.unreadable',
    where: `${join(world.home, '.claude/settings.json')}:2:3`,
  });
  expect(servers[0]?.clients[2]).toMatchObject({ state: 'untrusted' });
});

it.runIf(LONG)(
  'says how to adopt entries without a record, also on a client that has no such server',
  async () => {
    const world = homeWith(COMMIT);
    await world.run('install', 'memo', '--yes', '--client', 'claude-code,codex');
    world.write(
      'home/.codex/config.toml',
      world.read('home/.codex/config.toml').replace('[mcp_servers.memo]', '[old]'),
    );
    rmSync(join(world.home, '.local/state'), { recursive: true });
    const advice = [
      ...(await world.run('diff')).stderr.matchAll(/mcphooks (install memo --client \S+)' adopts/g),
    ];
    expect(advice).toHaveLength(2);
    for (const [, words = ''] of advice)
      expect(await world.run(...words.split(' '), '--yes')).toMatchObject({ code: 0 });
    expect(await world.run('diff')).toMatchObject({ code: 0 });
  },
);

it.runIf(LONG)('says what adopts entries without a record that came from a file', async () => {
  const world = homeWith();
  const file = world.write('home/hooks.json', JSON.stringify({ declarations: [COMMIT] }));
  const words = ['--client', 'claude-code', '--yes'];
  expect(await world.run('install', 'memo', '--declarations', file, ...words)).toMatchObject({ code: 0 });
  rmSync(join(world.home, '.local/state'), { recursive: true });
  const [, option = ''] = (await world.run('list')).stdout.match(/with (--declarations) <file>/) ?? [];
  expect(await world.run('install', 'memo', option, file, ...words)).toMatchObject({ code: 0 });
  expect(await world.run('diff')).toMatchObject({ code: 0 });
});

it('finds entries without a record', async () => {
  const world = homeWith(COMMIT);
  await world.run('install', 'memo', '--yes', '--client', 'gemini-cli');
  rmSync(join(world.home, '.local/state'), { recursive: true });
  const { servers } = await listed(world);
  expect(servers).toMatchObject([
    { server: 'memo', clients: [{ client: 'gemini-cli', findings: [{ code: 'doctor.unknown' }] }] },
  ]);
});

it('says of an edited entry that an uninstall left where it comes from, and what removes it', async () => {
  const world = homeWith(COMMIT);
  await world.run('install', 'memo', '--yes', '--client', 'claude-code');
  const settings = 'home/.claude/settings.json';
  world.write(settings, world.read(settings).replace('"timeout": 10', '"timeout": 11'));
  expect((await world.run('uninstall', 'memo')).stdout).toContain('was edited by hand');
  const { stdout } = await world.run('list');
  const { stderr } = await world.run('diff');
  for (const text of [stdout, stderr]) expect(text).toContain('an uninstall left');
  const [, words = ''] = stdout.match(/→ .* mcphooks (uninstall .*)\n/) ?? [];
  expect(await world.run(...words.split(' '))).toMatchObject({ code: 0 });
  expect(world.read(settings)).not.toContain('mcphooks');
});

it('says the same of a project, but not that entries have no effect whose scripts are there again', async () => {
  const world = homeWith(COMMIT);
  world.write('project/.git/HEAD', 'ref: refs/heads/main\n');
  const inProject = ['--scope', 'project'];
  world.write('project/hooks.json', JSON.stringify({ declarations: [COMMIT] }));
  const from = ['--declarations', 'hooks.json', '--no-check', '--yes', '--client', 'claude-code'];
  await world.run('install', 'memo', ...from, ...inProject, '--', 'node', 'memo.js');
  const [settings, folder] = ['project/.claude/settings.json', '/.mcphooks/hooks/'];
  const scripts = Object.entries(world.files()).filter(([path]) => path.includes(folder));
  expect(scripts.length).toBeGreaterThan(0);
  world.write(settings, world.read(settings).replace('"timeout": 10', '"timeout": 11'));
  await world.run('uninstall', 'memo', ...inProject);
  expect((await world.run('diff', ...inProject)).stderr).toContain('an uninstall left');
  expect((await world.run('list')).stdout).toContain('an uninstall left');
  // As after a checkout of another branch.
  for (const [path, text] of scripts) world.write(path, text);
  const said = (await world.run('diff', ...inProject)).stderr + (await world.run('list')).stdout;
  expect(said).toContain("which the lock file doesn't list");
  expect(said).toContain('no record of installing them');
  expect(said).not.toContain('have no effect');
});

it('advises to remove entries without a record for their client alone', async () => {
  const world = homeWith(COMMIT);
  const settings = join(world.home, '.gemini/settings.json');
  await world.run('install', 'memo', '--yes', '--client', 'gemini-cli');
  const withHooks = readFileSync(settings);
  await world.run('uninstall', 'memo');
  writeFileSync(settings, withHooks);
  await world.run('install', 'memo', '--yes', '--client', 'claude-code');
  const { stdout } = await world.run('doctor');
  const [, words = ''] = stdout.match(/mcphooks (uninstall [^,]*--edited)/) ?? [];
  expect(await world.run(...words.split(' '))).toMatchObject({ code: 0 });
  expect(readFileSync(settings, 'utf8')).not.toContain('share/mcphooks');
  expect(await states(world)).toEqual({ 'claude-code': 'current' });
});
