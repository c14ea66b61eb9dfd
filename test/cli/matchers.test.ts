import { expect, it } from 'vitest';
import { WINDOWS } from '../platform.ts';
import { cleanWorlds, makeWorld } from './world.ts';

cleanWorlds();

const on = (matcher: object, context: string) => ({
  event: 'post_tool_use',
  matcher,
  context,
  priority: 'suggestion',
});

const shell = WINDOWS ? 'Bash|PowerShell' : 'Bash';

it('an entry follows the servers that its matcher names, and stays as it is otherwise', async () => {
  const world = makeWorld();
  const declarations = [on({ tool_name: 'Bash' }, 'bash'), on({ tool_server: 'other' }, 'other')];
  const file = world.write('project/d.json', JSON.stringify({ declarations }));
  await world.run('install', 'mem', '--declarations', file, '--client', 'claude-code', '--yes');
  const matchers = (): string[] =>
    JSON.parse(world.read('home/.claude/settings.json')).hooks.PostToolUse.map(
      (group: { matcher: string }) => group.matcher,
    );
  expect(matchers()).toEqual([shell]);

  const servers = (...names: string[]): string =>
    JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, { command: 'x' }])) });
  world.write('home/.claude.json', servers('unrelated'));
  expect(await world.run('diff')).toMatchObject({ code: 0 });
  world.write('home/.claude.json', servers('unrelated', 'other'));
  expect(await world.run('diff')).toMatchObject({ code: 2 });
  expect(await world.run('install', 'mem', '--yes')).toMatchObject({ code: 0 });
  expect(matchers()).toEqual([`^(${shell}|mcp__other__.*)$`]);
  expect(await world.run('diff')).toMatchObject({ code: 0 });
  await world.run('uninstall', 'mem');
  expect(Object.keys(world.files())).not.toContain('home/.claude/settings.json');
});
