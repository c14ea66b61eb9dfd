import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { atTerminal, hasTerminal } from '../cli/terminal.ts';
import { cleanWorlds, makeWorld, type World } from '../cli/world.ts';
import { linkModules } from './page.ts';
import { picture } from './picture.ts';

cleanWorlds();

const root = join(import.meta.dirname, '../..');
const file = join(root, 'docs/plan.svg');
const ASKED = 'Write this?';

/** The example server with four of its hooks, which all clients start as `notebook-mcp`; nothing of this machine. */
function notebook(): World {
  const world = makeWorld();
  const { declarations } = JSON.parse(readFileSync(join(root, 'examples/declarations.json'), 'utf8'));
  const chosen = [0, 3, 4, 6].map((i) => declarations[i]);
  world.write('server/declarations.json', JSON.stringify({ declarations: chosen }));
  const server = world.write('server/server.mjs', readFileSync(join(root, 'examples/server.mjs'), 'utf8'));
  linkModules(dirname(server));
  const program = world.write('bin/notebook-mcp', `#!/bin/sh\nexec '${process.execPath}' '${server}'\n`);
  chmodSync(program, 0o755);
  world.env.PATH = `${dirname(program)}:/usr/bin:/bin`;
  const servers = { notebook: { command: 'notebook-mcp' } };
  world.write('home/.claude.json', JSON.stringify({ mcpServers: servers }));
  world.write('home/.claude/settings.json', '{ "model": "opus" }\n');
  world.write('home/.codex/config.toml', '[mcp_servers.notebook]\ncommand = "notebook-mcp"\n');
  world.write('home/.gemini/settings.json', JSON.stringify({ mcpServers: servers }));
  return world;
}

it.skipIf(!hasTerminal)('docs/plan.svg shows what the program shows', async () => {
  const { raw } = await atTerminal(notebook(), 80, ['install', 'notebook'], [[ASKED, 'n\n']]);
  const asked = raw.lastIndexOf('\n', raw.indexOf(ASKED));
  const question = /^.*clients/m.exec(raw.slice(asked + 1))?.[0] ?? '';
  const screen = `$ mcphooks install notebook\n\n${raw.slice(0, asked + 1)}${question}`;
  const svg = picture(screen, 'mcphooks install notebook: the plan, and the question');
  if (process.env.UPDATE_DOCS === '1') writeFileSync(file, svg);
  expect(readFileSync(file, 'utf8')).toBe(svg);
});
