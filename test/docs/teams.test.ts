import { beforeEach, expect, it } from 'vitest';
import { cleanWorlds, type Ended, madeOnce, type World } from '../cli/world.ts';
import { ALL, LONG } from '../effort.ts';
import { homeEnv } from '../platform.ts';
import { mate as clone, commit, git } from '../project/team.ts';
import { block, blocks, sh as run, worldWithProgram, writeNotebook } from './page.ts';

cleanWorlds();

let world: World;
const sh = (script: string): Promise<Ended> => run(world, script);
const AGREE = 'mcphooks diff --scope project --offline';
const [install = '', check = '', keep = '', conflict = '', local = '', silence = ''] = blocks(
  'teams.md',
  'sh',
);

/** A repository that brings a server along, with its hooks installed as the page says. */
const installed = madeOnce(async () => {
  world = worldWithProgram();
  for (const who of ['AUTHOR', 'COMMITTER'])
    Object.assign(world.env, { [`GIT_${who}_NAME`]: 'Dev', [`GIT_${who}_EMAIL`]: 'dev@example.org' });
  writeNotebook(world, 'project/tools/notebook.mjs');
  const entry = { command: 'node', args: ['tools/notebook.mjs'] };
  world.write('project/.mcp.json', JSON.stringify({ mcpServers: { notebook: entry } }));
  world.write('project/.claude/settings.json', '{\n  "model": "opus"\n}\n');
  world.write('project/.codex/config.toml', '# ours\n');
  world.write('project/.gemini/settings.json', '{}\n');
  world.write('project/.gitignore', 'node_modules\n.claude/settings.local.json\n');
  git(world, 'init', '--quiet', '--initial-branch', 'main');
  commit(world);
  const [line = ''] = install.split('\n');
  const [, ...words] = line.split(' ');
  const { code, stderr } = await world.run(...words, '--yes');
  const [, hash = ''] = /--allow-start ([0-9a-f]{64})/.exec(stderr) ?? [];
  expect(code).toBe(3);
  expect((await world.run(...words, '--yes', '--allow-start', hash)).code).toBe(0);
  expect((await sh(`set -e\n${install}`)).code).toBe(0);
  return world;
});
beforeEach(async () => {
  world = await installed();
});

/** A teammate's machine. */
function mate(): World {
  const { run: _, env, ...other } = clone(world);
  return Object.assign(world, other, { env: { ...world.env, ...homeEnv(other.home) } });
}

const redeclare = (context: string): string => {
  const declarations = [{ event: 'pre_request', context, priority: 'suggestion' }];
  return world.write('project/tools/declarations.json', JSON.stringify({ declarations }));
};

it.runIf(LONG)('commits all that is written, and nothing of this machine', async () => {
  expect(git(world, 'status', '--short')).toBe('');
  const files = git(world, 'show', '--name-only', '--format=').trim().split('\n');
  const named =
    block('teams.md', 'sh', 'git commit')
      .match(/(?<=git add ).*/)?.[0]
      .split(' ') ?? [];
  expect(files.filter((file) => !named.some((name) => `${file}/`.startsWith(`${name}/`)))).toEqual([]);
  mate();
  expect(await sh(AGREE)).toMatchObject({ code: 0 });
});

it.runIf(ALL)('is checked, explained and fired as the page says', async () => {
  const codes: (number | null)[] = [];
  for (const line of check.trim().split('\n')) codes.push((await sh(line)).code);
  expect(codes).toEqual([0, 0, 0, 0]);
  expect((await sh(check)).stdout).toContain('This notebook keeps what was learned in project');
  world.write('project/.claude/settings.json', '{}');
  expect((await sh(AGREE)).code).toBe(2);
  world.write('project/.claude/settings.json', '{ broken');
  expect((await sh(AGREE)).code).toBe(1);
});

it.runIf(ALL)('is updated, brought back, and removed', async () => {
  const [update = '', repair = '', remove = ''] = keep.trim().split('\n');
  redeclare('Keep answers short.');
  expect(await sh(update)).toMatchObject({ code: 3, stdout: expect.stringContaining('Keep answers short.') });
  expect((await sh(`${update.split('#')[0]} --yes --accept-changed`)).code).toBe(0);
  commit(world);
  expect((await sh(`rm -r .mcphooks\n${repair}`)).code).toBe(0);
  expect(git(world, 'status', '--short')).toBe('');
  expect((await sh(remove)).code).toBe(0);
  git(world, 'add', '-A');
  expect(git(world, 'diff', '--cached', '--name-only', 'HEAD~2')).toBe('tools/declarations.json\n');
});

// These two take 20 commands.
it.runIf(ALL)('a merge conflict is solved', async () => {
  const change = async (branch: string, context: string): Promise<void> => {
    git(world, 'checkout', '--quiet', '-b', branch, 'main');
    redeclare(context);
    expect((await sh('mcphooks install notebook --scope project --yes --accept-changed')).code).toBe(0);
    commit(world);
  };
  await change('theirs', 'Keep answers short.');
  await change('ours', 'Keep answers long.');
  expect(() => git(world, 'merge', 'theirs')).toThrow();
  expect(await sh(AGREE)).toMatchObject({ code: 1, stderr: expect.stringContaining('merge conflict') });
  redeclare('Keep answers long.');
  const [checkout = '', again = '', add = ''] = conflict.trim().split('\n');
  expect((await sh(checkout)).code).toBe(0);
  expect(await sh(again)).toMatchObject({ code: 3, stdout: expect.stringContaining('Keep answers long.') });
  expect((await sh(`${again} --yes --accept-changed`)).code).toBe(0);
  expect((await sh(`set -e\n${again}\n${add}\n${AGREE}`)).code).toBe(0);
  commit(world);
  expect(git(world, 'status', '--short')).toBe('');
});

it.runIf(ALL)('is silenced on this machine alone', async () => {
  const fire = 'mcphooks fire notebook session_start --client claude-code --scope project';
  expect((await sh(fire)).stdout).toContain('This notebook keeps');
  expect((await sh(`set -e\n${silence}`)).code).toBe(0);
  expect((await sh(fire)).stdout).not.toContain('This notebook keeps');
  expect(git(world, 'status', '--short')).toBe('');
});

it.runIf(ALL)("writes one's own file, which git doesn't see", async () => {
  const covered = await sh(`${local.trim()} --client claude-code --yes`);
  expect(covered.stdout).toContain('already covered: the project has hooks of this server');
  expect((await sh('mcphooks uninstall notebook --scope project')).code).toBe(0);
  commit(world);
  // With the project's install its approval to start the server went, too.
  const refused = await sh(`${local.trim()} --client claude-code --yes`);
  expect(refused.code).toBe(3);
  const allow = /--allow-start [0-9a-f]{64}/.exec(refused.stderr)?.[0];
  expect((await sh(`${local.trim()} --client claude-code --yes ${allow}`)).code).toBe(0);
  expect((await sh(local)).code).toBe(0);
  expect(git(world, 'status', '--short')).toBe('');
  expect(world.read('project/.claude/settings.local.json')).toContain('mcphooks');
});
