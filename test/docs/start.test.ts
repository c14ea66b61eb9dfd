import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cleanWorlds, serverEntry } from '../cli/world.ts';
import { ALL, LONG } from '../effort.ts';
import { block, page, root, sh, worldWithProgram } from './page.ts';

cleanWorlds();

const SERVER = join(root, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js');

/** A home in which Claude Code has the server of the page: the same package, installed. */
function worldWithServer() {
  const world = worldWithProgram();
  const memory = {
    command: process.execPath,
    args: [SERVER],
    env: { MEMORY_FILE_PATH: join(world.home, 'm') },
  };
  world.write('home/.claude.json', JSON.stringify({ mcpServers: { memory } }));
  return world;
}

it.runIf(LONG)('leads from a server that declares no hooks to one that fires, and back', async () => {
  const world = worldWithServer();
  const before = [world.read('home/.claude.json'), readdirSync(world.home, { recursive: true })];
  const commands = block('start.md', 'sh', 'mcphooks scan\n');
  const { code, stdout, stderr } = await sh(
    world,
    commands.replace('install memory', 'install memory --catalogue --yes'),
  );
  expect(code, stderr).toBe(0);
  const shown = /<!-- scan -->\n```\n(.*?)\n```/s.exec(page('start.md'))?.[1] ?? '';
  expect(stdout).toContain(shown);
  const commit = await sh(world, block('start.md', 'sh', "--input 'git commit"));
  expect(commit.code, commit.stderr).toBe(0);
  expect(commit.stdout).toContain('mcp__memory__add_observations');
  expect((await sh(world, block('start.md', 'sh', 'mcphooks uninstall'))).code).toBe(0);
  expect([world.read('home/.claude.json'), readdirSync(world.home, { recursive: true })]).toEqual(before);
});

it.runIf(LONG)('shows a file of hooks that is valid', async () => {
  const world = worldWithServer();
  // Without MCPHOOKS_TEST=all the package starts in the test above alone.
  const memory = serverEntry('', '', 'memory-server', 'open_nodes,add_observations,create_entities');
  if (!ALL) world.write('home/.claude.json', JSON.stringify({ mcpServers: { memory } }));
  world.write('project/hooks.json', block('start.md', 'json', 'git commit'));
  const commands = block('start.md', 'sh', 'mcphooks lint hooks.json').replace('<server>', 'memory --yes');
  const { code, stderr } = await sh(world, commands);
  expect(code, stderr).toBe(0);
});
