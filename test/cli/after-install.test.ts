import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { LONG } from '../effort.ts';
import { runGit, WINDOWS } from '../platform.ts';
import { COMMIT, homeWith, START } from './home.ts';
import { cleanWorlds, makeWorld, type World } from './world.ts';

cleanWorlds();

const FIXED = { ...COMMIT, context: 'You committed.' };

const last = async (world: World, ...args: string[]): Promise<string[]> => {
  const { code, stderr } = await world.run('install', 'memo', '--yes', ...args);
  expect(code, stderr).toBe(0);
  return stderr.trimEnd().split('\n');
};

/** A project that has the server, which is never started. */
function projectWith(declaration: object): World {
  const world = makeWorld();
  const servers = { memo: { command: 'memo-server' } };
  world.write('project/hooks.json', JSON.stringify([declaration]));
  world.write('project/.mcp.json', JSON.stringify({ mcpServers: servers }));
  return world;
}

const forProject = (world: World, clients: string): Promise<string[]> => {
  const hooks = ['--declarations', 'hooks.json', '--no-check'];
  return last(world, '--scope', 'project', '--client', clients, ...hooks);
};

describe('after an install', () => {
  it('says how to try the first hook, with a command that works', async () => {
    const world = homeWith(COMMIT, START);
    const [taken, tried, ...rest] = await last(world, '--client', 'claude-code', '--only', '2');
    expect(taken).toBe('Installed. To undo: mcphooks uninstall memo');
    expect(tried).toBe('Try it: mcphooks fire memo session_start');
    expect(rest).toEqual([]);
    expect(await world.run('fire', 'memo', 'session_start')).toMatchObject({ code: 0 });
  });

  it('of a project names the files to commit', async () => {
    const world = projectWith(FIXED);
    const git = (...words: string[]): string => runGit(words, world.project, world.env);
    git('init', '-q');
    const [, tried, add, ...rest] = await forProject(world, 'claude-code,codex');
    expect(tried).toBe('Try it: mcphooks fire --scope project memo post_tool_use');
    const paths = '.claude/settings.json .codex/config.toml .mcphooks mcphooks.lock.json';
    expect(add).toBe(`To share with the team: git add ${paths}`);
    expect(rest).toEqual([]);
    git('add', ...paths.split(' '));
    expect(git('status', '--porcelain')).not.toMatch(/^\?\? (?!\.mcp\.json|hooks\.json)/m);
  });

  it.runIf(LONG)('of a project names the files that git ignores', async () => {
    const world = projectWith(FIXED);
    runGit(['init', '-q'], world.project, world.env);
    world.write('project/.gitignore', '.claude\nmcphooks.*\n!mcphooks.lock.json\n');
    world.write('project/.git/info/exclude', '.codex\n');
    const [, , add, ignored] = await forProject(world, 'claude-code,codex');
    expect(add).toBe('To share with the team: git add .mcphooks mcphooks.lock.json');
    expect(ignored).toBe(
      '! .claude/settings.json, .codex/config.toml are ignored by git (.git/info/exclude, .gitignore), so nobody else will get the hooks.',
    );
  });

  it.runIf(!WINDOWS)('starts nothing that the repository’s own configuration names', async () => {
    const world = projectWith(FIXED);
    const git = (...words: string[]): string => runGit(words, world.project, world.env);
    git('init', '-q');
    world.write('project/.gitignore', 'x\n');
    git('add', '-A');
    git('-c', 'user.email=a@b', '-c', 'user.name=n', 'commit', '-qm', 'x');
    // Git reads the ignored names from the index, and fetches the file that is missing there.
    const lost = git('rev-parse', ':.gitignore').trim();
    git('update-index', '--skip-worktree', '.gitignore');
    for (const path of ['.gitignore', `.git/objects/${lost.slice(0, 2)}/${lost.slice(2)}`])
      rmSync(join(world.project, path), { force: true });
    const started = join(world.home, 'started');
    const program = `echo x >>'${started}'; false`;
    for (const [key, value] of [
      ['core.repositoryformatversion', '1'],
      ['core.fsmonitor', program],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.url', '/none'],
      ['remote.origin.promisor', 'true'],
      ['remote.origin.uploadpack', program],
    ] as const)
      git('config', key, value);
    await forProject(world, 'claude-code,codex');
    expect(existsSync(started)).toBe(false);
  });

  it('of a project without git names the files alone', async () => {
    const [, , share, ...rest] = await forProject(projectWith(FIXED), 'claude-code');
    expect(share).toBe('To share with the team, pass on: .claude/settings.json .mcphooks mcphooks.lock.json');
    expect(rest).toEqual([]);
  });
});

describe('before an install', () => {
  it.runIf(LONG)('says of a client that its hooks are switched off, and where', async () => {
    const world = homeWith(FIXED);
    world.write(
      'home/.codex/config.toml',
      `[features]\nhooks = false\n${world.read('home/.codex/config.toml')}`,
    );
    const { stdout } = await world.run('install', 'memo', '--dry-run', '--json');
    const notes = JSON.parse(stdout).plan.clients.map((c: { client: string; notes: object[] }) => [
      c.client,
      c.notes,
    ]);
    expect(Object.fromEntries(notes)).toMatchObject({
      'claude-code': [],
      codex: [{ code: 'client.hooks-off' }],
      'gemini-cli': [],
    });
    const { stdout: shown } = await world.run('install', 'memo', '--dry-run');
    expect(shown.replaceAll(/\s+/g, ' ').replaceAll('\\', '/')).toContain(
      'features.hooks = false in ~/.codex/config.toml, so none fires; to switch them on, set features.hooks to true',
    );
  });
});

it.runIf(LONG)('what an uninstall says fits a narrow terminal', async () => {
  const world = homeWith(COMMIT, START);
  await world.run('install', 'memo', '--yes');
  const { stdout } = await world.runAs({ columns: 44 }, 'uninstall', 'memo', '--dry-run');
  const lines = stripVTControlCharacters(stdout).split('\n');
  expect(lines.filter((line) => line.length > 44)).toEqual([]);
  expect(lines.length).toBeGreaterThan(5);
});
