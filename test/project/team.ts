import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { madeOnce, makeWorld, type World } from '../cli/world.ts';
import { homeEnv, runGit, slashed, WINDOWS } from '../platform.ts';

export const HOOKS = [
  {
    event: 'session_start',
    context_tool: 'note',
    context_tool_args: { q: '{project_name}' },
    priority: 'important',
  },
  { event: 'pre_request', context: 'Keep answers short.', priority: 'suggestion' },
  {
    event: 'post_tool_use',
    matcher: { tool_name: 'Bash', input_contains: 'git commit' },
    context: 'You committed in {project_name}.',
    priority: 'suggestion',
  },
];

const SERVER = join(import.meta.dirname, '../fixtures/servers/declares');

/** How a project starts the server that it brings along. A shell starts faster than node. */
export const START = {
  command: WINDOWS ? 'node' : 'sh',
  args: [`tools/server.${WINDOWS ? 'mjs' : 'sh'}`, 'tools/hooks.json'],
};

/** Puts the server of `START` into a folder. */
export function bringServer(world: World, folder: string): void {
  for (const end of ['mjs', 'sh'])
    world.write(`${folder}/tools/server.${end}`, readFileSync(`${SERVER}.${end}`, 'utf8'));
}

/** Puts another program in its place, which leaves the file `pwned` in the home. */
export function bringStranger(world: World, folder: string): void {
  const file = join(world.home, 'pwned');
  world.write(
    `${folder}/tools/server.mjs`,
    `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(file)}, '');\n`,
  );
  world.write(`${folder}/tools/server.sh`, `: >'${file}'\n`);
  world.write(`${folder}/tools/hooks.json`, '{}');
}

/** A world whose project is a repository that defines the server `memo` for Claude Code, and brings it along. */
export function teamWorld(hooks: readonly object[] = HOOKS): World {
  const world = makeWorld();
  bringServer(world, 'project');
  world.write('project/tools/hooks.json', JSON.stringify({ declarations: hooks }));
  world.write('project/.mcp.json', `${JSON.stringify({ mcpServers: { memo: START } }, null, 2)}\n`);
  world.write('project/.claude/settings.json', '{\n  "model": "opus"\n}\n');
  world.write('project/.codex/config.toml', '# ours\nmodel = "gpt"\n');
  world.write('project/.gemini/settings.json', '{ /* ours */ "model": {} }\n');
  firstCommit(world);
  return world;
}

/** Files of git after the first commit of the same files: they name no place. */
const repositories = new Map<string, [string, string][]>();

function firstCommit(world: World): void {
  const key = JSON.stringify(projectFiles(world));
  const known = repositories.get(key);
  if (known === undefined) {
    git(world, 'init', '--quiet');
    commit(world);
    const made = Object.entries(world.files()).filter(([path]) => path.startsWith('project/.git/'));
    repositories.set(
      key,
      made.filter(([path]) => !path.endsWith('.sample')),
    );
    return;
  }
  for (const [path, bytes] of known) world.write(path, Buffer.from(bytes, 'latin1'));
  for (const folder of ['hooks', 'refs/tags']) mkdirSync(join(world.project, '.git', folder));
}

/** In a file of tests: the team's world in which this is installed for the project. */
export const installedTeams = () =>
  madeOnce(async (...args: string[]) => {
    const world = teamWorld();
    await installForTeam(world, ...args);
    return world;
  });

/** Another machine with a clone of what is committed, at another path. */
export function mate(of: World): World {
  const world = makeWorld();
  git(world, 'clone', '--quiet', of.project, '.');
  return world;
}

export function git(world: World, ...args: string[]): string {
  const env = { PATH: process.env.PATH ?? '', ...homeEnv(world.home), GIT_CONFIG_NOSYSTEM: '1' };
  const who = ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.org', '-c', 'maintenance.auto=false'];
  return runGit([...who, ...args], world.project, env);
}

export function commit(world: World): void {
  git(world, 'add', '-A');
  git(world, 'commit', '--quiet', '-m', 'state');
}

/** Installs for the project. */
export const installForTeam = (world: World, ...more: string[]): Promise<void> =>
  installIn(world, '--scope', 'project', ...more);

/** What a dry run asked to start, by the project's servers: the same on every machine. */
const asked = new Map<string, string>();

/** Installs `memo`, with the approval to start what the project defines. */
export async function installIn(world: World, ...more: string[]): Promise<void> {
  const args = ['install', 'memo', ...more];
  const definitions = join(world.project, '.mcp.json');
  const key = existsSync(definitions) ? readFileSync(definitions, 'utf8') : '';
  const known = asked.get(key);
  if (known !== undefined && (await world.run(...args, '--yes', '--allow-start', known)).code === 0) return;
  const dry = await world.run(...args, '--dry-run');
  const hash = /--allow-start ([0-9a-f]{64})/.exec(dry.stderr)?.[1];
  const done = await world.run(...args, '--yes', ...(hash ? ['--allow-start', hash] : []));
  if (done.code !== 0) throw new Error(done.stderr);
  if (hash !== undefined) asked.set(key, hash);
}

/** Files of the project, git's own left out. */
export function projectFiles(world: World): Record<string, string> {
  return Object.fromEntries(
    readdirSync(world.project, { recursive: true, withFileTypes: true })
      .filter((e) => !e.isDirectory() && !slashed(join(e.parentPath, '/')).includes('/.git/'))
      .map((e) => join(e.parentPath, e.name))
      .sort()
      .map((path) => [slashed(path.slice(world.project.length + 1)), readFileSync(path, 'latin1')]),
  );
}
