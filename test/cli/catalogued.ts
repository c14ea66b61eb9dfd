import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeWorld, type World } from './world.ts';

const SERVER = join(import.meta.dirname, '../fixtures/servers/declares.mjs');

export const MEMORY = '@modelcontextprotocol/server-memory';
export const MEMORY_TOOLS = 'open_nodes,add_observations,create_entities';

/** Puts a package into `node_modules` of the home or the project, whose program is the server `declares.mjs`. */
export function putPackage(
  world: World,
  name: string,
  manifest: object = {},
  at: 'home' | 'project' = 'home',
): void {
  const folder = join(world[at], 'node_modules', name);
  mkdirSync(folder, { recursive: true });
  copyFileSync(SERVER, join(folder, 'index.mjs'));
  const text = JSON.stringify({ name, version: '1.0.0', ...manifest });
  world.write(`${at}/node_modules/${name}/package.json`, text);
}

/** Definition that starts an installed package; its hooks stand in `declared.json`, which may be missing. */
export const startOf = (world: World, name: string, tools: string) => ({
  command: process.execPath,
  args: [
    join(world.home, 'node_modules', name, 'index.mjs'),
    join(world.home, 'declared.json'),
    join(world.home, 'started.log'),
    'memory-server',
    tools,
  ],
});

/** A home in which Claude Code and Gemini CLI know the server `memo`: the package for which the catalogue has hooks. */
export function homeWithMemory(tools = MEMORY_TOOLS): World {
  const world = makeWorld();
  putPackage(world, MEMORY);
  const mcpServers = { memo: startOf(world, MEMORY, tools) };
  world.write('home/.claude.json', JSON.stringify({ mcpServers }));
  world.write('home/.claude/settings.json', '{\n  "model": "opus"\n}\n');
  world.write('home/.gemini/settings.json', JSON.stringify({ mcpServers }));
  return world;
}
