/** Git worktrees, in which some clients take settings from the main checkout. */
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { trustCodex } from '../cli/home.ts';
import { cleanWorlds, type World } from '../cli/world.ts';
import { LONG } from '../effort.ts';
import { commit, git, installForTeam, START, teamWorld } from './team.ts';

cleanWorlds();

const PROJECT = ['--scope', 'project'];
const inTree = (world: World, ...args: string[]) => world.runAs({ folder: 'tree' }, ...args);
const codexTrusts = (world: World, folder: string, level = 'trusted'): string =>
  world.write('home/.codex/config.toml', `[projects.${JSON.stringify(folder)}]\ntrust_level = "${level}"\n`);

describe('local servers of Claude Code', () => {
  /** Returns the local servers that `scan` finds in the worktree, of entries for these folders. */
  async function found(world: World, ...folders: string[]): Promise<string[]> {
    const projects = folders.map((folder, i) => [folder, { mcpServers: { [`s${i}`]: START } }]);
    world.write('home/.claude.json', JSON.stringify({ projects: Object.fromEntries(projects) }));
    const { stdout } = await inTree(world, 'scan', '--json');
    const { servers } = JSON.parse(stdout) as { servers: { alias: string }[] };
    return servers.map(({ alias }) => alias).filter((name) => /^s\d$/.test(name));
  }

  it('are those of the main checkout in each worktree', async () => {
    const world = teamWorld();
    const tree = join(world.home, '../tree');
    git(world, 'worktree', 'add', '--quiet', tree);
    expect(await found(world, realpathSync(tree), world.project)).toEqual(['s1']);
    mkdirSync(join(tree, 'src'));
    const { stdout } = await world.runAs({ folder: 'tree/src' }, 'scan', '--json');
    expect(stdout).toContain('"s1"');
  });

  it("are those of a bare repository's folder", async () => {
    const world = teamWorld();
    const bare = join(world.home, '../repo.git');
    git(world, 'clone', '--quiet', '--bare', '.', bare);
    git(world, '-C', bare, 'worktree', 'add', '--quiet', '../tree');
    const tree = realpathSync(join(world.home, '../tree'));
    expect(await found(world, tree, realpathSync(bare), world.project)).toEqual(['s1']);
  });
});

describe('Codex', () => {
  const statesIn = async (world: World): Promise<unknown> => {
    const { stdout } = await inTree(world, 'list', '--json');
    const [client] = JSON.parse(stdout).servers[0].clients;
    return [client.state, client.findings.map((f: { code: string; where: string }) => [f.code, f.where])];
  };

  it('trusts a worktree with the main checkout, unless the worktree has a level of its own', async () => {
    const world = teamWorld();
    world.write(
      'project/.codex/config.toml',
      `[mcp_servers.theirs]\ncommand = "${START.command}"\nargs = ${JSON.stringify(START.args)}\n`,
    );
    commit(world);
    git(world, 'worktree', 'add', '--quiet', '../tree');
    const scanned = async () => (await inTree(world, 'scan', '--json')).stdout;
    codexTrusts(world, world.project);
    expect(await scanned()).toContain('"theirs"');
    const tree = realpathSync(join(world.home, '../tree'));
    const main = world.read('home/.codex/config.toml');
    world.write(
      'home/.codex/config.toml',
      `${main}[projects.${JSON.stringify(tree)}]\ntrust_level = "untrusted"\n`,
    );
    expect(await scanned()).not.toContain('"theirs"');
  });

  it('takes trust in the project and reviews of hooks from the main checkout', async () => {
    const world = teamWorld();
    await installForTeam(world, '--client', 'codex');
    commit(world);
    git(world, 'worktree', 'add', '--quiet', '../tree');
    codexTrusts(world, world.project);
    const file = join(world.project, '.codex/config.toml');
    expect(await statesIn(world)).toMatchObject(['untrusted', [['doctor.untrusted', file]]]);
    trustCodex(world, 'project/.codex/config.toml');
    expect(await statesIn(world)).toEqual(['current', []]);
    // The entries of the main checkout have changed since the review.
    writeFileSync(file, world.read('project/.codex/config.toml').replace(/timeout = \d+/, 'timeout = 3'));
    expect(await statesIn(world)).toMatchObject([
      'missing',
      [
        ['doctor.main-worktree', file],
        ['doctor.modified', expect.stringMatching(/project.\.codex.config\.toml:\d+$/)],
      ],
    ]);
  });

  it.runIf(LONG)('names a broken file of the main checkout, not that of the worktree', async () => {
    const world = teamWorld();
    await installForTeam(world, '--client', 'codex');
    commit(world);
    git(world, 'worktree', 'add', '--quiet', '../tree');
    codexTrusts(world, world.project);
    const file = world.write('project/.codex/config.toml', '[broken');
    expect(await statesIn(world)).toMatchObject([
      'missing',
      [[expect.any(String), expect.stringContaining(file)]],
    ]);
  });

  it("takes no repository's trust that only an unpacked folder claims", async () => {
    const world = teamWorld();
    codexTrusts(world, world.project);
    const server = `[mcp_servers.evil]\ncommand = "${START.command}"\nargs = ${JSON.stringify(START.args)}\n`;
    world.write('project/evil/sub/.codex/config.toml', server);
    world.write('project/evil/sub/.git', 'gitdir: ../worktrees/x\n');
    world.write('project/evil/worktrees/x/gitdir', '../../sub/.git\n');
    const { stdout } = await world.runAs({ folder: 'project/evil/sub' }, 'scan', '--json');
    expect(stdout).not.toContain('"evil"');
  });

  it.runIf(LONG)('is told to lack the hooks that only the worktree has', async () => {
    const world = teamWorld();
    git(world, 'worktree', 'add', '--quiet', '-b', 'tree', '../tree');
    codexTrusts(world, world.project);
    const install = ['install', 'memo', ...PROJECT, '--client', 'codex'];
    const dry = await inTree(world, ...install, '--dry-run');
    const hash = /--allow-start ([0-9a-f]{64})/.exec(dry.stderr)?.[1] ?? '';
    const { stdout } = await inTree(world, ...install, '--yes', '--allow-start', hash);
    expect(stdout).toContain('in a git worktree, those of the main checkout');
    const file = join(world.project, '.codex/config.toml');
    expect(await statesIn(world)).toEqual(['missing', [['doctor.main-worktree', file]]]);
    expect((await inTree(world, 'doctor')).code).toBe(1);
    commit({ ...world, project: join(world.home, '../tree') });
    git(world, 'merge', '--quiet', 'tree');
    trustCodex(world, 'project/.codex/config.toml');
    expect(await statesIn(world)).toEqual(['current', []]);
  });
});

it('Copilot CLI trusts a worktree with the main checkout, or by itself', async () => {
  const world = teamWorld();
  await installForTeam(world, '--client', 'copilot');
  commit(world);
  git(world, 'worktree', 'add', '--quiet', '../tree');
  const state = async (...trustedFolders: string[]) => {
    world.write('home/.copilot/config.json', JSON.stringify({ trustedFolders }));
    const { servers } = JSON.parse((await inTree(world, 'list', '--json')).stdout);
    return servers[0].clients[0].state;
  };
  expect(await state()).toBe('untrusted');
  expect(await state(world.project)).toBe('current');
  expect(await state(realpathSync(join(world.home, '../tree')))).toBe('current');
  const { stdout } = await inTree(world, 'scan', '--json');
  expect(JSON.parse(stdout).servers[0].clients).toContain('copilot');
});
