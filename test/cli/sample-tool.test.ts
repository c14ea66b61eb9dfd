import { expect, it } from 'vitest';
import { sampleTool } from '../../src/declarations/sample-tool.ts';
import { LONG } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { homeWith } from './home.ts';
import { cleanWorlds } from './world.ts';

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

it.runIf(LONG)("explain and fire take a tool that the hooks' matchers accept", async () => {
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
