import { join } from 'node:path';
import { expect, it } from 'vitest';
import { COMMIT, declare } from './home.ts';
import { cleanWorlds, makeWorld, serverEntry } from './world.ts';

cleanWorlds();

it('a server that only clients without a local scope have is not installed into another one', async () => {
  const world = makeWorld();
  declare(world, COMMIT);
  const entry = serverEntry(join(world.home, 'declared.json'));
  const servers = JSON.stringify({ mcpServers: { alpha: entry } });
  world.write('home/.claude/settings.json', '{}');
  world.write('home/.cursor/mcp.json', servers);
  world.write('home/.factory/mcp.json', servers);
  const install = ['install', 'alpha', '--scope', 'local', '--dry-run'];
  const { code, stdout, stderr } = await world.run(...install);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/no local scope\s+for\s+hooks: Cursor, Droid/);
  expect(await world.run(...install, '--client', 'claude-code')).toMatchObject({ code: 2 });
  const command = ['--', entry.command, ...entry.args];
  expect(await world.run(...install, ...command)).toMatchObject({ code: 1, stdout: '' });
  const unknown = await world.run('install', 'beta', ...install.slice(2), ...command);
  expect(unknown).toMatchObject({ code: 2, stdout: expect.stringContaining('Claude Code') });
});
