import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { LONG } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { hookFile, hookWords, markingProgram, pathWith, WINDOWS } from '../platform.ts';
import { cleanWorlds, makeWorld, type World } from './world.ts';

cleanWorlds();
installsNodeHere({ servers: true });
const SERVER = fileURLToPath(new URL('../fixtures/servers/folder.mjs', import.meta.url));

/** A world with hooks for a server of the user's own, installed at home, and a clone that is no part of it. */
async function installedWorld(file: string, entry: (world: World) => object): Promise<World> {
  const world = makeWorld();
  mkdirSync(join(world.project, '.git'));
  world.write(`home/${file}`, JSON.stringify({ mcpServers: { memo: entry(world) } }));
  world.write('home/.claude/settings.json', '{}\n');
  for (const folder of ['home', 'project']) world.write(`${folder}/has-tools`, '');
  const install = ['install', 'memo', '--yes', '--client', 'claude-code,cursor'];
  expect(await world.runAs({ folder: 'home' }, ...install)).toMatchObject({ code: 0 });
  return world;
}

/** What the hook of a start prints in a session of Claude Code in the clone. */
function startHook(world: World): string {
  const script = hookFile('claude-code/SessionStart');
  const [shim = ''] = Object.keys(world.files()).filter((path) => path.endsWith(script));
  const [command, ...args] = hookWords(join(world.home, '..', shim.replace(/\.cjs$/, '')));
  const input = JSON.stringify({ hook_event_name: 'SessionStart', session_id: 's', source: 'startup' });
  return spawnSync(command, args, { cwd: world.project, env: world.env, input, encoding: 'utf8' }).stdout;
}

it('no variable is read from a file of a clone, until that was approved there', async () => {
  const entry = { command: process.execPath, args: [SERVER], envFile: '${workspaceFolder}/.env' };
  const world = await installedWorld('.cursor/mcp.json', () => entry);
  const pwned = join(world.home, 'pwned');
  const evil = world.write(
    'project/evil.cjs',
    `require('node:fs').writeFileSync(${JSON.stringify(pwned)}, '')`,
  );
  world.write('project/.env', `NODE_OPTIONS='--require=${evil.replaceAll('\\', '/')}'\n`);
  expect(startHook(world)).toBe('');
  expect(world.read('home/.local/state/mcphooks/hooks.log')).toContain('definition.elsewhere');
  expect(await world.run('lint', 'memo')).toMatchObject({ code: 3 });
  expect(existsSync(pwned)).toBe(false);
});

it.runIf(LONG && !WINDOWS)(
  "a hook finds no program in a relative folder of the definition's own PATH",
  async () => {
    const world = await installedWorld('.claude.json', (w) => {
      const program = w.write('bin/some-server', `#!/bin/sh\nexec '${process.execPath}' '${SERVER}'\n`);
      chmodSync(program, 0o755);
      const path = ['node_modules/.bin', pathWith(dirname(program))].join(delimiter);
      return { command: 'some-server', args: [], env: { PATH: path } };
    });
    const pwned = join(world.home, 'pwned');
    markingProgram(join(world.project, 'node_modules/.bin/some-server'), pwned);
    expect(startHook(world)).toContain(`noted in ${world.project}`);
    expect(existsSync(pwned)).toBe(false);
  },
);
