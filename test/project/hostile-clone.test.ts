import { existsSync, mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type * as library from '../../src/api/index.ts';
import { COMMIT, homeWith, START } from '../cli/home.ts';
import { cleanWorlds, type World } from '../cli/world.ts';
import { LONG, sample } from '../effort.ts';
import { marking, markingProgram } from '../platform.ts';
import { commit, git, installForTeam, teamWorld } from './team.ts';

cleanWorlds();
const { plan, readDeclarations }: typeof library = await import(
  pathToFileURL(join(import.meta.dirname, '../../dist/index.js')).href
);

let connections = 0;
let listening: Server;
let port = 0;
beforeAll(async () => {
  listening = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((done) => listening.listen(0, '127.0.0.1', done));
  port = (listening.address() as { port: number }).port;
});
afterAll(() => listening.close());

/** Programs that a command might look for. */
const PROGRAMS = [
  'node',
  'npx',
  'uvx',
  'sh',
  'ps',
  'git',
  'grep',
  'env',
  'claude',
  'codex',
  'gemini',
  'some-mcp',
];

/** All commands that could start or reach something, for a server that the clone names. */
const commandsFor = (name: string): string[][] => [
  ['install', name, '--yes'],
  ['install', name, '--dry-run'],
  ['install', name, '--yes', '--accept-changed', '--send-tool-data', '--allow-start', '0'.repeat(64)],
  ['install', name, '--scope', 'project', '--yes'],
  ['install', name, '--scope', 'local', '--yes'],
  ['install', name, '--scope', 'project', '--frozen', '--yes'],
  ...['claude-code', 'codex', 'gemini-cli'].map((id) => ['install', name, '--dry-run', '--from', id]),
  ['diff', name],
  ['diff', '--scope', 'project'],
  ['diff', '--scope', 'local'],
  ['lint', name],
  ['explain', name],
  ['explain', name, '--scope', 'project'],
  ['list', '--check'],
  ['doctor', '--check'],
  ['fire', name, 'session_start'],
  ['fire', name, 'session_start', '--scope', 'project'],
  ['fire', name, 'pre_request', '--scope', 'project'],
  ['export', name, '--format', 'claude-plugin', '--out', '../out', '--yes'],
  ['export', name, '--format', 'codex-plugin', '--with-server', '--out', '../out', '--yes'],
  ['disable', name],
  ['enable', name],
  ['completions', 'bash'],
];

/** A clone that does what it can to be run: its files define, its lock file names, its folders hold programs. */
async function clone(world: World): Promise<void> {
  const mark = join(world.home, 'pwned');
  const evil = marking(mark);
  const remote = { type: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: { 'X-Key': '${HOME}' } };
  const servers = {
    memo: evil,
    also: evil,
    remote,
    runner: { command: './node_modules/.bin/some-mcp', args: [] },
  };
  world.write('project/.mcp.json', JSON.stringify({ mcpServers: servers }));
  world.write('project/.gemini/settings.json', JSON.stringify({ mcpServers: servers }));
  const [command, args] = [evil.command, evil.args].map((words) => JSON.stringify(words));
  const toml = (name: string) => `[mcp_servers.${name}]\ncommand = ${command}\nargs = ${args}\n`;
  world.write('project/.codex/config.toml', toml('memo') + toml('also'));
  world.write(
    'project/.npmrc',
    `registry=http://127.0.0.1:${port}/\nscript-shell=${join(world.project, 'sh')}\n`,
  );
  world.write('project/uv.toml', `index-url = "http://127.0.0.1:${port}/"\n`);
  for (const name of PROGRAMS)
    for (const folder of ['', 'bin', 'node_modules/.bin'])
      markingProgram(join(world.project, folder, name), mark);
  const folders = ['.', '', 'bin', 'node_modules/.bin', './bin', process.env.PATH];
  world.env.PATH = folders.join(delimiter);
}

const NAMES = ['memo', 'also', 'remote', 'runner'];

const untouched = (world: World, what: string): void => {
  expect(existsSync(join(world.home, 'pwned')), what).toBe(false);
  expect(connections, what).toBe(0);
};

it('a clone starts and reaches nothing, whatever is asked of the names that it gives', async () => {
  const world = homeWith(START, COMMIT);
  expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
  mkdirSync(join(world.project, '.git'));
  await clone(world);
  for (const [turn, name] of NAMES.entries())
    for (const args of sample(commandsFor(name), NAMES.length, turn)) {
      await world.run(...args);
      untouched(world, args.join(' '));
    }
  for (const [turn, server] of NAMES.entries())
    for (const [more, ask] of [plan, readDeclarations].entries())
      for (const scope of sample(['user', 'local', 'project'] as const, 3, turn + more)) {
        await ask({ server, scope, env: world.env, cwd: world.project }).catch(() => {});
        untouched(world, `${ask.name} ${server} ${scope}`);
      }
});

it.runIf(LONG)(
  'a clone of what a team has installed starts nothing after its files were altered together',
  async () => {
    const ada = teamWorld();
    await installForTeam(ada, '--client', 'claude-code,codex,gemini-cli');
    commit(ada);
    const bob = homeWith(START);
    git(bob, 'clone', '--quiet', ada.project, '.');
    await clone(bob);
    const lock = JSON.parse(bob.read('project/mcphooks.lock.json'));
    const given = { transport: 'stdio', ...marking(join(bob.home, 'pwned')), env: {} };
    lock.servers[0].given = given;
    lock.servers[0].definition.source = { scope: 'command-line' };
    for (const [turn, altered] of [lock, { ...lock, mcphooks: '0.0.1' }].entries()) {
      bob.write('project/mcphooks.lock.json', JSON.stringify(altered));
      for (const args of sample(commandsFor('memo'), 2, turn)) {
        await bob.run(...args);
        untouched(bob, args.join(' '));
      }
    }
  },
);
