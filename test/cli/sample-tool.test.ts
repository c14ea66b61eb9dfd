import { expect, it } from 'vitest';
import { sampleTool } from '../../src/declarations/sample-tool.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { homeWith } from './home.ts';
import { cleanWorlds, makeWorld, serverEntry } from './world.ts';

cleanWorlds();
installsNodeHere();

it.each([
  [[], 'Bash'],
  [['*'], 'Bash'],
  [['Bash', 'Edit'], 'Bash'],
  [['Edit'], 'Edit'],
  [['mcp__memo__*', 'mcp__memo__add'], 'mcp__memo__add'],
  [['mcp__memo__*'], 'mcp__memo__note'],
  [['mcp__other__*'], 'mcp__other__*'],
])('the sample tool of a hook is one that its globs accept: %j', (globs, tool) => {
  expect(sampleTool(globs, ['mcp__memo__note'])).toBe(tool);
});

it("explain and fire take a tool that the hooks' matchers accept", async () => {
  const world = homeWith({
    event: 'post_tool_use',
    matcher: { tool_name: 'mcp__memo__*' },
    context: 'A {tool_name} ended.',
    priority: 'suggestion',
  });
  const before = await world.run('explain', 'memo', '--client', 'claude-code');
  expect(before.stdout).toMatch(/A mcp__memo__\w+ ended\./);
  await world.run('install', 'memo', '--client', 'claude-code', '--yes');
  const { stdout } = await world.run('fire', 'memo', 'post_tool_use');
  expect(stdout).toMatch(/A mcp__memo__\S+ ended\./);
  expect((await world.run('explain', 'memo')).stdout).toContain('A mcp__memo__* ended.');
});

it.each(['my server', 'a__b', 'memo_'])('fire takes a tool of the server itself: %s', async (alias) => {
  const world = makeWorld();
  const tool_name = `mcp__${alias.replaceAll(' ', '_')}__*`;
  const hook = { event: 'post_tool_use', context: 'It ended.', priority: 'suggestion' };
  const declarations = [{ ...hook, matcher: { tool_name } }];
  const entry = serverEntry(world.write('declared.json', JSON.stringify({ declarations })));
  for (const file of ['home/.claude.json', 'home/.gemini/settings.json'])
    world.write(file, JSON.stringify({ mcpServers: { [alias]: entry } }));
  await world.run('install', alias, '--client', 'claude-code,gemini-cli', '--yes');
  const tool = `${tool_name.slice(0, -1)}note`;
  for (const args of [[], ['--tool', tool]]) {
    const { stdout } = await world.run('fire', alias, 'post_tool_use', ...args);
    expect(stdout.match(/It ended\./g), stdout).toHaveLength(2);
  }
});
