import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { definitionHash } from '../../src/servers/definitions/definition-hash.ts';
import { cleanWorlds, makeWorld, type World } from '../cli/world.ts';
import { LONG, sample } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { hookFile, WINDOWS } from '../platform.ts';
import { bringServer, bringStranger, commit, git, START } from './team.ts';

cleanWorlds();
installsNodeHere({ servers: true });

const SERVERS = { mcpServers: { memo: START } };
const HOOK = { event: 'session_start', context_tool: 'note', priority: 'suggestion' };
const CLAUDE = ['--client', 'claude-code'];

/** A world with the server's program in a folder that may be a repository; the definition stands elsewhere. */
function worldWith(folder: string, isRepository = true): World {
  const world = makeWorld();
  bringServer(world, folder);
  world.write(`${folder}/tools/hooks.json`, JSON.stringify({ declarations: [HOOK] }));
  world.write('home/.claude/settings.json', '{}\n');
  if (isRepository) mkdirSync(join(world.home, '..', folder, '.git'));
  return world;
}

/** Installs from a folder, with the approval that the gate asks for. */
async function installFrom(world: World, folder: string, ...more: string[]): Promise<void> {
  const asked = await world.runAs({ folder }, 'install', 'memo', ...CLAUDE, '--dry-run', ...more);
  const hash = /--allow-start ([0-9a-f]{64})/.exec(asked.stderr)?.[1];
  const allow = hash ? ['--allow-start', hash] : [];
  const done = await world.runAs({ folder }, 'install', 'memo', ...CLAUDE, '--yes', ...allow, ...more);
  expect(done).toMatchObject({ code: 0 });
}

/** A stranger's folder with a program of the same name; with a repository of its own, as a clone has one. */
function stranger(world: World, folder: string, how: 'clone' | 'submodule' | 'files' = 'clone'): string {
  bringStranger(world, folder);
  const git = join(world.home, '..', folder, '.git');
  if (how === 'clone') mkdirSync(git);
  if (how === 'submodule') writeFileSync(git, 'gitdir: ../.git/modules/lib\n');
  return folder;
}

const shimOf = (world: World): string => {
  const end = 'claude-code/SessionStart.json';
  const [path = ''] = Object.keys(world.files()).filter((name) => name.endsWith(end));
  return join(world.home, '..', path.slice(0, -'.json'.length));
};
const dataOf = (world: World): string => `${shimOf(world)}.json`;

/** What a hook says in a session that Claude Code started in a folder. */
function fire(world: World, folder: string): string {
  const cwd = join(world.home, '..', folder);
  mkdirSync(cwd, { recursive: true });
  const input = { hook_event_name: 'SessionStart', session_id: folder, source: 'startup', cwd };
  const ran = spawnSync(WINDOWS ? process.execPath : 'sh', [hookFile(shimOf(world))], {
    cwd,
    env: { ...world.env, CLAUDE_PROJECT_DIR: cwd },
    input: JSON.stringify(input),
    encoding: 'utf8',
  });
  expect(ran).toMatchObject({ status: 0, stderr: '' });
  return ran.stdout;
}

/** No hook and no command starts what a stranger's folder holds. */
async function expectRefused(world: World, folder: string): Promise<void> {
  expect(fire(world, folder), folder).toBe('');
  for (const args of [['lint', 'memo'], ['explain', 'memo'], ['diff'], ['fire', 'memo', 'session_start']])
    await world.runAs({ folder }, ...args);
  expect(existsSync(join(world.home, 'pwned')), folder).toBe(false);
  expect(world.read('home/.local/state/mcphooks/hooks.log')).toContain('definition.elsewhere');
}

describe("a project's definition is started for its own repository alone", () => {
  it.runIf(LONG)('whose folder has a name that begins with a dot', async () => {
    const world = worldWith('home/.dotfiles');
    world.write('home/.dotfiles/.mcp.json', JSON.stringify(SERVERS));
    await installFrom(world, 'home/.dotfiles');
    expect(fire(world, 'home/.dotfiles')).toContain('noted');
    await expectRefused(world, stranger(world, 'home/src/evil'));
  });

  it('and in no clone, submodule or package in it', async () => {
    const world = worldWith('project');
    world.write('project/.mcp.json', JSON.stringify(SERVERS));
    await installFrom(world, 'project');
    expect(fire(world, 'project')).toContain('noted');
    await expectRefused(world, stranger(world, 'project/vendor/evil'));
    await expectRefused(world, stranger(world, 'project/lib', 'submodule'));
    await expectRefused(world, stranger(world, 'project/node_modules/evil', 'files'));
  });

  it('as list and doctor remark elsewhere, until it is approved there', async () => {
    const world = worldWith('project');
    world.write('project/.mcp.json', JSON.stringify(SERVERS));
    await installFrom(world, 'project');
    mkdirSync(join(world.home, 'other'));
    const remarked = async (folder: string): Promise<boolean[]> => {
      const { remarks, findings } = JSON.parse((await world.runAs({ folder }, 'doctor', '--json')).stdout);
      const isOne = ({ code }: { code: string }): boolean => code === 'doctor.elsewhere';
      expect(findings.some(isOne)).toBe(false);
      const { stdout } = await world.runAs({ folder }, 'list');
      return [remarks.some(isOne), stdout.includes('the server is defined for another project')];
    };
    expect(await remarked('project')).toEqual([false, false]);
    expect(await remarked('home/other')).toEqual([true, true]);
    const asked = await world.runAs({ folder: 'home/other' }, 'fire', 'memo', 'session_start');
    const hash = /--allow-start ([0-9a-f]{64})/.exec(asked.stderr)?.[1] ?? '';
    await world.runAs({ folder: 'home/other' }, 'fire', 'memo', 'session_start', '--allow-start', hash);
    expect(await remarked('home/other')).toEqual([false, false]);
  });

  it.runIf(LONG)("where it is Claude Code's own for that project", async () => {
    const world = worldWith('project');
    world.write('home/.claude.json', JSON.stringify({ projects: { [world.project]: SERVERS } }));
    await installFrom(world, 'project');
    expect(fire(world, 'project')).toContain('noted');
    await expectRefused(world, stranger(world, 'project/vendor/evil'));
  });

  it.runIf(LONG)('which the home folder is for nothing below it', async () => {
    const world = worldWith('home', false);
    world.write('home/.mcp.json', JSON.stringify(SERVERS));
    await installFrom(world, 'home');
    expect(fire(world, 'home')).toContain('noted');
    await expectRefused(world, stranger(world, 'home/src/evil'));
    await expectRefused(world, stranger(world, 'home/unpacked', 'files'));
  });

  it.runIf(LONG)('in worktrees that it lists, with the files of the worktree', async () => {
    const world = worldWith('project', false);
    world.write('project/.mcp.json', JSON.stringify(SERVERS));
    git(world, 'init', '--quiet');
    commit(world);
    await installFrom(world, 'project');
    git(world, 'worktree', 'add', '--quiet', '../tree');
    rmSync(join(world.project, 'tools'), { recursive: true });
    expect(fire(world, 'tree')).toContain('noted');
    cpSync(
      join(world.home, '../tree/.git'),
      join(world.home, '..', stranger(world, 'forged', 'files'), '.git'),
    );
    await expectRefused(world, 'forged');
  });
});

describe('a definition that depends on the folder is started where it was approved', () => {
  it("in its project's folder, when the session is in a folder below", async () => {
    const world = worldWith('project');
    world.write('project/.mcp.json', JSON.stringify(SERVERS));
    await installFrom(world, 'project');
    const unpacked = stranger(world, 'project/unpacked', 'files');
    expect(fire(world, unpacked)).toContain('noted');
    expect(await world.runAs({ folder: unpacked }, 'lint', 'memo')).toMatchObject({ code: 0 });
    // With the same words in a file of its own.
    world.write(`${unpacked}/.mcp.json`, JSON.stringify(SERVERS));
    expect(await world.runAs({ folder: unpacked }, 'lint', 'memo')).toMatchObject({ code: 3 });
    expect(existsSync(join(world.home, 'pwned'))).toBe(false);
  });

  it.runIf(LONG).each(sample(['.claude.json', 'the command line'], 2))(
    'though it is of the user: %s',
    async (place) => {
      const world = worldWith('project');
      const given = place === '.claude.json' ? [] : ['--', START.command, ...START.args];
      world.write('home/.claude.json', place === '.claude.json' ? JSON.stringify(SERVERS) : '{}');
      await installFrom(world, 'project', ...given);
      expect(fire(world, 'project')).toContain('noted');
      expect(fire(world, stranger(world, 'project/unpacked', 'files'))).toContain('noted');
      await expectRefused(world, stranger(world, 'clone'));
      await expectRefused(world, stranger(world, 'project/vendor/evil'));
      // Approved there, it starts there, too.
      rmSync(join(world.home, '../clone/tools'), { recursive: true });
      cpSync(join(world.project, 'tools'), join(world.home, '../clone/tools'), { recursive: true });
      await installFrom(world, 'clone', ...given);
      expect(fire(world, 'clone')).toContain('noted');
      expect(fire(world, 'project')).toContain('noted');
      // So it does where a person lets `fire` start it.
      cpSync(join(world.home, '../clone'), join(world.home, '../other'), { recursive: true });
      const said = await world.runAs(
        { folder: 'other', says: true },
        'fire',
        'memo',
        'session_start',
        ...CLAUDE,
      );
      expect(said).toMatchObject({ code: 0, stdout: expect.stringContaining('noted') });
    },
  );
});

describe('hooks of earlier versions, which say no folder', () => {
  const files = ['.mcp.json', '.claude.json'];
  it.runIf(LONG).each(sample(files, 2))(
    'fire in the repository of the definition, and in none in it: %s',
    async (file) => {
      const world = worldWith('project');
      const local = { projects: { [world.project]: SERVERS } };
      if (file === '.mcp.json') world.write('project/.mcp.json', JSON.stringify(SERVERS));
      else world.write('home/.claude.json', JSON.stringify(local));
      await installFrom(world, 'project');
      asEarlier(world);
      expect(fire(world, 'project')).toContain('noted');
      await expectRefused(world, stranger(world, 'project/vendor/evil'));
    },
  );

  it.runIf(LONG)('fire below no folder whose name begins with a dot', async () => {
    const world = worldWith('home/.dotfiles');
    world.write('home/.dotfiles/.mcp.json', JSON.stringify(SERVERS));
    await installFrom(world, 'home/.dotfiles');
    asEarlier(world);
    expect(fire(world, 'home/.dotfiles')).toContain('noted');
    await expectRefused(world, stranger(world, 'home/src/evil'));
    await expectRefused(world, stranger(world, 'home/unpacked', 'files'));
  });

  /** Changes a hook's data to what earlier versions wrote. */
  function asEarlier(world: World): void {
    const data = JSON.parse(readFileSync(dataOf(world), 'utf8'));
    const { folder, hash, ...at } = data.server_at;
    expect(folder).toBeDefined();
    const before = definitionHash({ transport: 'stdio', ...START, env: {} }, at.source, undefined);
    expect(before === hash).toBe(at.source.scope !== 'project');
    writeFileSync(dataOf(world), JSON.stringify({ ...data, server_at: { ...at, hash: before } }));
    expect(readdirSync(dirname(dataOf(world)))).toContain('SessionStart.json');
  }
});
