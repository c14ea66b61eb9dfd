import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cleanWorlds, type World } from '../cli/world.ts';
import { commit, HOOKS, installForTeam, projectFiles, teamWorld } from './team.ts';

cleanWorlds();

const redeclare = (world: World, hooks: readonly object[]): string =>
  world.write('project/tools/hooks.json', JSON.stringify({ declarations: hooks }));
const diff = (world: World, ...more: string[]) =>
  world.run('diff', '--scope', 'project', '--format', 'markdown', ...more);

it('says in a line that all is as approved', async () => {
  const world = teamWorld();
  await installForTeam(world);
  expect(await diff(world)).toEqual({
    code: 0,
    stdout: '**mcphooks**: the hooks are as approved.\n',
    stderr: '',
  });
});

it('shows what a server declares otherwise, how it comes out, and how to accept it', async () => {
  const world = teamWorld();
  await installForTeam(world);
  const [start, prompt, commits] = HOOKS as [object, object, object];
  redeclare(world, [start, { ...prompt, context: 'Keep answers long.' }, commits]);
  const { code, stdout } = await diff(world);
  expect(code).toBe(2);
  expect(stdout).toContain(
    '```diff\n@@ hook 2: changed @@\n context:\n-Keep answers short.\n+Keep answers long.\n',
  );
  expect(stdout).toContain('| 2 `at each prompt` | native |');
  expect(stdout).toContain('`mcphooks install memo --scope project`');
  expect(await diff(world, '--offline')).toMatchObject({ code: 0 });
});

it('names files that drifted, relative to the project, and needs no server for that', async () => {
  const world = teamWorld();
  await installForTeam(world);
  rmSync(join(world.project, 'tools'), { recursive: true });
  const shim = Object.keys(projectFiles(world)).find((p) => p.endsWith('/PostToolUse')) ?? '';
  rmSync(join(world.project, shim));
  world.write('project/.claude/settings.json', '{}');
  const { code, stdout } = await diff(world, '--offline');
  expect(code).toBe(2);
  expect(stdout).toContain(`- \`${shim}\` is missing or was altered`);
  expect(stdout).toContain('- `.claude/settings.json`: `SessionStart` added');
  expect(stdout).not.toContain(world.project);
});

it('lets no text of a server out of its code', async () => {
  const world = teamWorld();
  await installForTeam(world);
  const text = 'Before\n````\n# @everyone [all](http://x.example) is well\n<img src=x>\n|';
  const matcher = { tool_name: 'Bash', input_contains: '`` @someone | <b>' };
  redeclare(world, [{ event: 'post_tool_use', matcher, context: text, priority: 'suggestion' }]);
  const { stdout } = await diff(world);
  const outside = stdout
    .replace(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, '')
    .replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '');
  expect(stdout).toContain('@everyone');
  expect(outside).not.toMatch(/@|http|<|everyone|someone/);
  expect(
    outside
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .every((line) => line.split('|').length === 4),
  ).toBe(true);
});

it('tells faults too', async () => {
  const world = teamWorld();
  await installForTeam(world);
  world.write('project/.claude/settings.json', '{ broken');
  const { code, stdout, stderr } = await diff(world, '--offline');
  expect([code, stderr]).toEqual([1, '']);
  expect(stdout).toContain('### `memo`\n\n```text\n');
});

it('--frozen answers for all servers in one document, and writes nothing where one of them fails', async () => {
  const world = teamWorld();
  const config = JSON.parse(world.read('project/.mcp.json'));
  config.mcpServers.also = config.mcpServers.memo;
  world.write('project/.mcp.json', JSON.stringify(config));
  await installForTeam(world);
  const also = await world.run('install', 'also', '--scope', 'project', '--yes');
  expect(also).toMatchObject({ code: 0 });
  commit(world);
  const frozen = async (...more: string[]) => {
    const { code, stdout } = await world.run('install', '--frozen', '--scope', 'project', '--json', ...more);
    const { status, exit, servers = [] } = JSON.parse(stdout);
    return [
      code,
      exit,
      status,
      ...servers.map((s: { server: string; status: string }) => `${s.server} ${s.status}`),
    ];
  };
  expect(await frozen()).toEqual([0, 0, 'unchanged', 'also unchanged', 'memo unchanged']);
  rmSync(join(world.project, '.mcphooks'), { recursive: true });
  expect(await frozen()).toEqual([3, 3, 'refused', 'also refused', 'memo refused']);
  delete config.mcpServers.memo;
  world.write('project/.mcp.json', JSON.stringify(config));
  const before = projectFiles(world);
  expect(await frozen('--yes')).toEqual([1, 1, 'failed']);
  expect(projectFiles(world)).toEqual(before);
});
