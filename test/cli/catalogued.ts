import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathWith, WINDOWS } from '../platform.ts';
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

let made: string | undefined;

/**
 * A program `node` that starts `declares.sh` in place of `declares.mjs`, under whatever name that was put, since node
 * starts more slowly, and node for all else.
 */
function quickNode(): string {
  if (WINDOWS) return process.execPath;
  if (made) return made;
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'q-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const first = readFileSync(SERVER, 'utf8').split('\n', 1)[0];
  const text = `#!/bin/sh
line=
[ ! -f "$1" ] || IFS= read -r line <"$1"
[ "$line" = '${first}' ] || exec '${process.execPath}' "$@"
shift
exec /bin/sh '${SERVER.replace(/mjs$/, 'sh')}' "$@"
`;
  made = join(folder, 'node');
  writeFileSync(made, text);
  chmodSync(made, 0o755);
  return made;
}

/** PATH on which `node` starts such a package's server quickly. */
export const quickPath = (): string => pathWith(dirname(quickNode()));

/** Definition that starts an installed package; its hooks stand in `declared.json`, which may be missing. */
export const startOf = (world: World, name: string, tools: string) => ({
  command: quickNode(),
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
