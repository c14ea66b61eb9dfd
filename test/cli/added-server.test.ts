import { expect, it } from 'vitest';
import { COMMIT, homeWith } from './home.ts';
import { cleanWorlds } from './world.ts';

cleanWorlds();

const onTool = (tool_name: string) => ({
  event: 'post_tool_use',
  matcher: { tool_name },
  context: 'A word.',
  priority: 'suggestion',
});

it.each([
  ['droid', '.factory/mcp.json', 2],
  ['cursor', '.cursor/mcp.json', 2],
  // A name there tells the server in the canonical way.
  ['claude-code', '.claude.json', 0],
])(
  'diff says that hooks match tools of a server that was added, where they are silent until then: %s',
  async (client, file, exit) => {
    const world = homeWith();
    const { mcpServers } = JSON.parse(world.read('home/.claude.json'));
    const configured = (...names: string[]) =>
      world.write(
        `home/${file}`,
        JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, mcpServers.memo])) }),
      );
    const installs = (...declarations: object[]) => {
      const hooks = world.write('home/hooks.json', JSON.stringify({ declarations }));
      return ['install', 'memo', '--declarations', hooks, '--no-check', '--client', client, '--yes'];
    };
    const diff = async () => (await world.run('diff', '--offline')).code;
    configured('memo');
    expect(await world.run(...installs(COMMIT))).toMatchObject({ code: 0 });
    configured('memo', 'other');
    expect(await diff()).toBe(0);
    expect(await world.run(...installs(COMMIT, onTool('mcp__*')), '--accept-changed')).toMatchObject({
      code: 0,
    });
    expect(await diff()).toBe(0);
    configured('memo', 'other', 'third');
    expect(await diff()).toBe(exit);
    expect(await world.run(...installs(COMMIT, onTool('mcp__*')), '--dry-run')).toMatchObject({ code: exit });
    expect(await world.run(...installs(COMMIT, onTool('mcp__*')))).toMatchObject({ code: 0 });
    expect(await diff()).toBe(0);
    configured('memo');
    expect(await diff()).toBe(0);
  },
);

it('the first install, which makes the folder of its client, knows the servers of the project', async () => {
  const world = homeWith();
  world.write('project/.mcp.json', JSON.stringify({ mcpServers: { team: { command: 'true' } } }));
  const hooks = world.write('home/hooks.json', JSON.stringify({ declarations: [onTool('mcp__*')] }));
  const install = [
    'install',
    'memo',
    '--declarations',
    hooks,
    '--no-check',
    '--client',
    'qwen-code',
    '--yes',
  ];
  expect((await world.run(...install)).stderr).toContain('Installed.');
  expect((await world.run(...install)).stderr).toContain('everything is already installed');
});
