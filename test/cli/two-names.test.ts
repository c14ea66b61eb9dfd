import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLIENT_IDS } from '../../src/clients/client.ts';
import { LONG } from '../effort.ts';
import { WINDOWS } from '../platform.ts';
import { COMMIT, START } from './home.ts';
import { cleanWorlds, makeWorld, serverEntry, type World } from './world.ts';

cleanWorlds();

const SCENARIO = new URL('../fixtures/scenarios/beside-own-hooks.json', import.meta.url);
const FILES: Record<string, string> = JSON.parse(readFileSync(SCENARIO, 'utf8')).before;
const PROMPT = { event: 'pre_request', context: 'Keep answers short.', priority: 'suggestion' };
const NAMES = [
  ['real', 'link'],
  ['link', 'real'],
] as const;
type Name = (typeof NAMES)[number][number];

/** A home with files of all clients, and a link to it. */
function homeWithLink(): World & { as: (name: Name) => void } {
  const world = makeWorld();
  const declared = world.write(
    'home/declared.json',
    JSON.stringify({ declarations: [PROMPT, COMMIT, START] }),
  );
  const server = { memo: serverEntry(declared, join(world.home, 'started.log')) };
  world.write('home/real/.claude.json', JSON.stringify({ mcpServers: server }));
  world.write('home/real/hooks.json', JSON.stringify({ declarations: [PROMPT, COMMIT] }));
  for (const [path, text] of Object.entries(FILES)) world.write(`home/real/${path}`, text);
  const link = join(world.home, 'link');
  symlinkSync('real', link);
  return {
    ...world,
    files: () => {
      rmSync(link);
      const files = world.files();
      symlinkSync('real', link);
      return files;
    },
    as: (name) => Object.assign(world.env, { HOME: join(world.home, name) }),
  };
}

/** What commands say of the installs, by whatever name of the home. */
async function said(world: World, folder = 'project'): Promise<string> {
  const all: string[] = [];
  for (const words of [['list'], ['diff'], ['doctor']]) {
    const { code, stdout, stderr } = await world.runAs({ folder }, ...words);
    all.push(`${words} ${code}\n${stdout}${stderr}`);
  }
  return all.join('\n').replaceAll(join(world.home, 'link'), '~').replaceAll(join(world.home, 'real'), '~');
}

const clientFiles = (world: World): [string, string][] =>
  Object.entries(world.files()).filter(
    ([path]) => path.startsWith('home/real/.') && !path.includes('.local/'),
  );

describe.runIf(!WINDOWS)('a home that has two names', () => {
  it.each(LONG ? NAMES : NAMES.slice(1))(
    'is no project of a team: as %s, in the folder %s',
    async (name, folder) => {
      const world = homeWithLink();
      world.as(name);
      const install = ['install', 'memo', '--client', 'claude-code', '--yes'];
      expect((await world.run(...install)).code).toBe(0);
      const at = { folder: `home/${folder}` };
      expect(await world.runAs(at, 'list')).toMatchObject({ code: 0, stderr: '' });
      expect(await world.runAs(at, ...install, '--scope', 'project')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('is not a project'),
      });
    },
  );

  it.runIf(LONG).each(NAMES)('hooks from an install as %s are the same as %s', async (first, then) => {
    const world = homeWithLink();
    const before = world.files();
    const clients = ['--client', CLIENT_IDS.join()];
    const other = (name: string) =>
      world.run(
        'install',
        name,
        '--yes',
        ...clients,
        '--no-check',
        '--declarations',
        '../home/real/hooks.json',
      );
    world.as(first);
    expect(await world.run('install', 'memo', '--yes', ...clients)).toMatchObject({ code: 0 });
    expect(await other('other')).toMatchObject({ code: 0 });
    const [lines, entries] = [await said(world), clientFiles(world)];
    expect(lines).toContain('diff 0\n');
    expect(lines).not.toMatch(/missing|changed|edited/);

    world.as(then);
    expect(await said(world)).toBe(lines);
    // Approvals are the same, and so are the entries, which a client may have reviewed.
    expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
    expect(clientFiles(world)).toEqual(entries);
    expect(await said(world)).toBe(lines);
    const fired = await world.run('fire', 'memo', 'pre_request', '--client', 'copilot');
    expect(fired.stdout).toContain(PROMPT.context);
    world.as(first);
    expect(await said(world)).toBe(lines);

    // Another server writes anew what it shares with these.
    world.as(then);
    expect(await other('third')).toMatchObject({ code: 0 });
    for (const name of [first, then]) {
      world.as(name);
      expect(await said(world), name).not.toMatch(/missing|changed|edited|diff [^0]/);
    }
    expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
    world.as(first);
    expect(await world.run('uninstall', '--all')).toMatchObject({ code: 0 });
    rmSync(join(world.home, 'started.log'));
    expect(world.files()).toEqual(before);
  });

  const more: [string, string[], (typeof NAMES)[number]][] = NAMES.flatMap((names) => [
    ['of several clients', ['--client', 'claude-code,copilot,droid'], names],
    ['in a plugin', ['--client', 'claude-code,gemini-cli', '--target', 'plugin'], names],
    ['in a project', ['--client', 'claude-code', '--scope', 'local'], names],
    ['in a folder that a variable names', ['--client', 'codex'], names],
  ]);
  it.each(LONG ? more : [])('so it is with hooks %s: %s, %s', async (where, options, names) => {
    const [first, then] = names;
    const world = homeWithLink();
    const folder = 'home/real/shop';
    mkdirSync(join(world.home, 'real/shop'));
    if (where.includes('variable')) world.env.CODEX_HOME = join(world.home, 'real/.codex');
    const before = world.files();
    world.as(first);
    const install = () => world.runAs({ folder }, 'install', 'memo', '--yes', ...options);
    expect(await install()).toMatchObject({ code: 0 });
    const [lines, paths] = [await said(world, folder), clientFiles(world).map(([path]) => path)];
    expect(lines).toContain('diff 0\n');
    expect(lines).not.toMatch(/missing|changed|edited/);
    world.as(then);
    expect(await said(world, folder)).toBe(lines);
    expect(await install()).toMatchObject({ code: 0 });
    expect(await said(world, folder)).toBe(lines);
    expect(clientFiles(world).map(([path]) => path)).toEqual(paths);
    const scope = options.filter((word) => ['--scope', 'local'].includes(word));
    expect(await world.runAs({ folder }, 'uninstall', 'memo', ...scope)).toMatchObject({ code: 0 });
    rmSync(join(world.home, 'started.log'));
    expect(world.files()).toEqual(before);
  });

  it.runIf(LONG)('an entry by a name that is gone is written anew', async () => {
    const world = homeWithLink();
    const install = () => world.run('install', 'memo', '--yes', '--client', 'codex');
    world.as('link');
    expect(await install()).toMatchObject({ code: 0 });
    world.as('real');
    expect(await world.run('install', 'memo', '--yes', '--max-priority', 'important')).toMatchObject({
      code: 0,
    });
    expect(await world.run('diff')).toMatchObject({ code: 0 });
    expect(world.read('home/real/.codex/config.toml')).toContain(join(world.home, 'link'));
    rmSync(join(world.home, 'link'));
    expect(await world.run('diff')).toMatchObject({ code: 2 });
    expect(await install()).toMatchObject({ code: 0 });
    expect(world.read('home/real/.codex/config.toml')).not.toContain(join(world.home, 'link'));
    expect(await world.run('diff')).toMatchObject({ code: 0 });
  });

  it('two clients still get no common file by it', async () => {
    const world = homeWithLink();
    rmSync(join(world.home, 'real/.qwen'), { recursive: true, force: true });
    symlinkSync('.gemini', join(world.home, 'real/.qwen'));
    const install = (client: string) => world.run('install', 'memo', '--yes', '--json', '--client', client);
    world.as('link');
    expect(await install('qwen-code')).toMatchObject({ code: 0 });
    world.as('real');
    const { code, stdout } = await install('gemini-cli');
    expect([code, JSON.parse(stdout).faults[0].code]).toEqual([1, 'plan.same-file']);
    expect((await world.run('list')).stdout).not.toContain('missing');
  });

  it.runIf(LONG)('keeps an install for oneself in a home that is a repository', async () => {
    const world = homeWithLink();
    mkdirSync(join(world.home, 'real/.git'));
    world.as('link');
    const folder = 'home/real';
    const before = clientFiles(world);
    const flags = ['--scope', 'local', '--client', 'claude-code'];
    expect(await world.runAs({ folder }, 'install', 'memo', '--yes', ...flags)).toMatchObject({ code: 0 });
    for (const words of [['list'], ['diff', '--scope', 'local', '--offline']]) {
      const { code, stdout } = await world.runAs({ folder }, ...words);
      expect([code, stdout]).toEqual([0, expect.not.stringContaining('missing')]);
    }
    const removed = await world.runAs({ folder }, 'uninstall', 'memo', '--scope', 'local');
    expect(removed).toMatchObject({ code: 0 });
    expect(clientFiles(world)).toEqual(before);
  });
});
