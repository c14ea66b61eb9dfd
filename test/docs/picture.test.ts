import { chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { it } from 'vitest';
import { atTerminal, hasTerminal } from '../cli/terminal.ts';
import { cleanWorlds, makeWorld, serverEntry, type World } from '../cli/world.ts';
import { ALL, LONG } from '../effort.ts';
import { expectGenerated } from './page.ts';
import { picture } from './picture.ts';

cleanWorlds();

const root = join(import.meta.dirname, '../..');
const file = join(root, 'docs/plan.svg');
const ASKED = 'Write this?';
const PACKAGE = '@modelcontextprotocol/server-memory';
const SERVER = join(root, 'node_modules', PACKAGE, 'dist/index.js');

/** What a shell says in its place, which starts faster. */
const SAYS = serverEntry('', '', 'memory-server', 'open_nodes,add_observations,create_entities');

/** A real server that declares no hooks, which three clients start by `npx`; nothing of this machine. */
function withMemory(): World {
  const world = makeWorld();
  // Runs what is installed, as npx does: nothing is fetched.
  const words = ALL ? [process.execPath, SERVER] : [SAYS.command, ...SAYS.args];
  const npx = world.write('bin/npx', `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')}\n`);
  chmodSync(npx, 0o755);
  world.env.PATH = `${dirname(npx)}:/usr/bin:/bin`;
  const memory = { command: 'npx', args: ['-y', `${PACKAGE}@2026.8.31`] };
  const servers = { memory };
  world.write('home/.claude.json', JSON.stringify({ mcpServers: servers }));
  world.write('home/.claude/settings.json', '{ "model": "opus" }\n');
  const toml = `[mcp_servers.memory]\ncommand = "npx"\nargs = ${JSON.stringify(memory.args)}\n`;
  world.write('home/.codex/config.toml', toml);
  world.write('home/.gemini/settings.json', JSON.stringify({ mcpServers: servers }));
  return world;
}

it.runIf(LONG && hasTerminal)('docs/plan.svg shows what the program shows', async () => {
  const world = withMemory();
  const scanned = (await atTerminal(world, 80, ['scan'])).raw;
  const { raw } = await atTerminal(world, 80, ['install', 'memory', '--catalogue'], [[ASKED, 'n\n']]);
  const asked = raw.lastIndexOf('\n', raw.indexOf(ASKED));
  const question = /^.*clients/m.exec(raw.slice(asked + 1))?.[0] ?? '';
  const plan = `$ mcphooks install memory --catalogue\n\n${raw.slice(0, asked + 1)}${question}`;
  const svg = picture(
    `$ mcphooks scan\n\n${scanned}\n${plan}`,
    'mcphooks scan, then mcphooks install memory --catalogue: the servers, the plan, and the question',
  );
  expectGenerated(file, svg);
});
