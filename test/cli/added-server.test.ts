import { describe, expect, it } from 'vitest';
import { LONG } from '../effort.ts';
import { COMMIT, homeWith, own } from './home.ts';
import { cleanWorlds, type World } from './world.ts';

cleanWorlds();

const onTool = (tool_name: string) => ({
  event: 'post_tool_use',
  matcher: { tool_name },
  context: 'A word.',
  priority: 'suggestion',
});

/** Returns how to install hooks of `memo` from a file on a client, and to compare. */
function commands(world: World, client: string) {
  return {
    installs: (...declarations: object[]) => {
      const hooks = world.write('home/hooks.json', JSON.stringify({ declarations }));
      return ['install', 'memo', '--declarations', hooks, '--no-check', '--client', client, '--yes'];
    },
    diff: async () => (await world.run('diff', '--offline')).code,
  };
}

const ADDED: [string, string, number][] = [
  ['droid', '.factory/mcp.json', 2],
  ['cursor', '.cursor/mcp.json', 2],
  // A name there tells the server in the canonical way.
  ['claude-code', '.claude.json', 0],
];
it.runIf(LONG).each(ADDED)(
  'diff says that hooks match tools of a server that was added, where they are silent until then: %s',
  async (client, file, exit) => {
    const world = homeWith();
    const { mcpServers } = JSON.parse(world.read('home/.claude.json'));
    const configured = (...names: string[]) =>
      world.write(
        `home/${file}`,
        JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, mcpServers.memo])) }),
      );
    const { installs, diff } = commands(world, client);
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
  const install = commands(world, 'qwen-code').installs(onTool('mcp__*'));
  expect((await world.run(...install)).stderr).toContain('Installed.');
  expect((await world.run(...install)).stderr).toContain('everything is already installed');
});

describe('what tells nothing of added servers', () => {
  const DROID = 'home/.factory/mcp.json';
  const on = async (...declarations: object[]) => {
    const world = homeWith();
    const { mcpServers } = JSON.parse(world.read('home/.claude.json'));
    world.write(DROID, JSON.stringify({ mcpServers }));
    const { installs, diff } = commands(world, 'droid');
    expect(await world.run(...installs(...declarations))).toMatchObject({ code: 0 });
    return { world, mcpServers, diff };
  };
  const plain = { event: 'post_tool_use', context: 'A word.', priority: 'suggestion' };

  it.each([
    { ...plain, when: { path: ['*.md'] } },
    { ...plain, when: { tools: ['any:edit'], otherwise: 'drop' } },
    { ...plain, matcher: { tool_name: '*' } },
    plain,
  ])('a hook that matches no more of them: %j', async (hook) => {
    const { world, mcpServers, diff } = await on(hook);
    world.write(DROID, JSON.stringify({ mcpServers: { ...mcpServers, other: { command: 'true' } } }));
    expect(await diff()).toBe(0);
  });

  it("a server of the folder's project alone", async () => {
    const { world, diff } = await on(onTool('mcp__*'));
    world.write('project/.factory/mcp.json', JSON.stringify({ mcpServers: { other: { command: 'true' } } }));
    expect(await diff()).toBe(0);
  });

  it.runIf(LONG)('data of a script that was damaged: install repairs them', async () => {
    const { world, diff } = await on(onTool('mcp__*'));
    for (const text of ['{"hooks":[]}', '{"hooks":[null],"payload":{"prefixes":[]}}']) {
      world.write(own(world, 'droid/PostToolUse.json'), text);
      expect(await diff()).toBe(2);
    }
    const { stderr } = await world.run('install', 'memo', '--yes');
    expect(stderr).toContain('Installed.');
    expect(await diff()).toBe(0);
  });
});

it('diff says so where the client cuts the names of the tools of a server that was added', async () => {
  const world = homeWith();
  const { mcpServers } = JSON.parse(world.read('home/.claude.json'));
  const settings = 'home/.qwen/settings.json';
  const configured = (...names: string[]) => {
    const servers = Object.fromEntries(names.map((name) => [name, mcpServers.memo]));
    world.write(settings, JSON.stringify({ ...JSON.parse(world.read(settings)), mcpServers: servers }));
  };
  world.write(settings, '{}');
  const { installs, diff } = commands(world, 'qwen-code');
  const install = installs(onTool('mcp__*__note'));
  configured('memo');
  expect(await world.run(...install)).toMatchObject({ code: 0 });
  configured('memo', 'other');
  expect(await diff()).toBe(0);
  configured('memo', 'other'.repeat(12));
  expect(await diff()).toBe(2);
  expect(await world.run(...install)).toMatchObject({ code: 0 });
  expect(await diff()).toBe(0);
});
