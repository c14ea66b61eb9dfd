import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LONG } from '../effort.ts';
import { pathWith, WINDOWS } from '../platform.ts';
import { earlierWorld as worldOf } from './earlier.ts';
import { homeWith } from './home.ts';
import { cleanWorlds, type World } from './world.ts';

cleanWorlds();

const RECORD = 'home/.local/state/mcphooks/record.json';
const hooks = (context: string): string =>
  JSON.stringify({ declarations: [{ event: 'pre_request', context, priority: 'suggestion' }] });
const servers = (world: World, file = RECORD): { options: object }[] => JSON.parse(world.read(file)).servers;
/** Its servers start no more, which a shell finds sooner than node. */
function earlierWorld(name: string): World {
  const world = worldOf(name);
  if (WINDOWS) return world;
  chmodSync(world.write('bin/node', '#!/bin/sh\nexit 1\n'), 0o755);
  world.env.PATH = pathWith(join(world.home, '../bin'));
  return world;
}
const left = (world: World): string[] =>
  Object.keys(world.files()).filter((path) => /mcphooks|\.gemini\//.test(path));

describe('what an earlier version installed with options that are gone', () => {
  it('is as installed, with the same shims', async () => {
    const world = earlierWorld('user');
    for (const name of ['plain', 'raised', 'tool']) {
      const { code, stdout, stderr } = await world.run('diff', name, '--offline');
      expect([name, code, stdout, stderr]).toEqual([name, 0, `${name}: as installed\n`, '']);
    }
    world.write('home/split.json', hooks('Short.'));
    expect(await world.run('list')).toMatchObject({ code: 0, stderr: '' });
  });

  it.runIf(LONG)('is updated', async () => {
    const world = earlierWorld('user');
    world.write('home/hooks.json', hooks('Other words.'));
    for (const name of ['plain', 'raised']) {
      expect(await world.run('install', name, '--yes')).toMatchObject({ code: 3 });
      expect(await world.run('install', name, '--yes', '--accept-changed')).toMatchObject({ code: 0 });
      expect(await world.run('diff', name)).toMatchObject({ code: 0 });
    }
    expect(world.read('home/.claude/settings.json').match(/\/hooks\/raised\//g)).toHaveLength(1);
  });

  it.runIf(LONG)('forgets them with --reset', async () => {
    const world = earlierWorld('user');
    const done = await world.run('install', 'raised', '--reset', '--yes', '--accept-changed', ...FROM(world));
    expect(done).toMatchObject({ code: 0 });
    expect(JSON.stringify(servers(world)[1]?.options)).not.toMatch(/maxText|maxDeclarations/);
  });

  it.runIf(LONG)('a text that was split over several entries comes together in one', async () => {
    const world = earlierWorld('user');
    expect(world.read('home/.claude/settings.json')).toContain('/claude-code/SessionStart-2');
    // Its file is read, and holds more than one hook may say now.
    expect((await world.run('diff', 'split', '--offline')).stdout).toContain('at most 8000');
    expect((await world.run('install', 'split', '--yes')).stdout).toContain('at most 8000');
    world.write('home/split.json', hooks('Short.'));
    expect(await world.run('install', 'split', '--yes', '--accept-changed')).toMatchObject({ code: 0 });
    for (const file of ['home/.claude/settings.json', 'home/.gemini/settings.json'])
      expect(world.read(file)).not.toMatch(/SessionStart-2/);
  });

  it('is uninstalled without a trace', async () => {
    const world = earlierWorld('user');
    expect(await world.run('uninstall', '--all')).toMatchObject({ code: 0 });
    expect(world.read('home/.claude/settings.json')).toBe('{\n  "model": "opus"\n}\n');
    expect(world.read('home/.codex/config.toml')).not.toContain('hooks');
    expect(left(world)).toEqual([]);
  });

  it.runIf(LONG)("stays in Codex's hooks.json", async () => {
    const world = earlierWorld('codex-json');
    expect(await world.run('diff', '--offline')).toMatchObject({ code: 0 });
    world.write('home/hooks.json', hooks('Other words.'));
    expect(await world.run('install', 'plain', '--yes', '--accept-changed')).toMatchObject({ code: 0 });
    expect(world.read('home/.codex/hooks.json')).toContain('/hooks/plain/');
    expect(world.read('home/.codex/config.toml')).toBe('# mine\n');
    expect(await world.run('uninstall', 'plain')).toMatchObject({ code: 0 });
    expect(Object.keys(world.files()).filter((path) => path.includes('hooks.json'))).toEqual([
      'home/hooks.json',
    ]);
  });
});

const FROM = (world: World): string[] => [
  '--declarations',
  join(world.home, 'hooks.json'),
  '--',
  'node',
  'server.mjs',
];

describe('what it installed for a project', () => {
  const PROJECT = ['--scope', 'project'];

  it.runIf(LONG)('is read', async () => {
    const world = earlierWorld('project');
    for (const name of ['plain', 'raised', 'tool']) {
      const { code, stdout } = await world.run('diff', name, '--offline', '--json', ...PROJECT);
      const { servers, faults } = JSON.parse(stdout);
      // The command and the approval of that version were not safe enough, so both are to be written anew; and what
      // this version wouldn't write itself is named in a lock file that says to be of it.
      expect([name, code, servers[0].faults]).toEqual([name, 2, []]);
      expect(faults.map((fault: { code: string }) => fault.code)).toEqual(['lock.altered']);
    }
    world.write('project/split.json', hooks('Short.'));
    const listed = JSON.parse((await world.run('list', '--json')).stdout);
    expect(listed.faults.map((fault: { code: string }) => fault.code)).toEqual(['lock.altered']);
    expect(listed.servers.map((one: { server: string }) => one.server).sort()).toEqual([
      'plain',
      'raised',
      'split',
      'tool',
    ]);
  });

  it.runIf(LONG)('is updated, and others get the same', async () => {
    const world = earlierWorld('project');
    world.write('project/hooks.json', hooks('Other words.'));
    world.write('project/split.json', hooks('Short.'));
    for (const name of ['plain', 'raised', 'split', 'tool']) {
      // The server of a project is not started to check a file's tools.
      const done = await world.run('install', name, '--yes', '--accept-changed', '--no-check', ...PROJECT);
      expect(done, name).toMatchObject({ code: 0 });
    }
    expect(await world.run('diff', '--offline', ...PROJECT)).toMatchObject({ code: 0 });
    expect(await world.run('install', '--frozen', ...PROJECT)).toMatchObject({ code: 0 });
    expect(Object.keys(world.files()).filter((path) => path.includes('SessionStart-2'))).toEqual([]);
  });

  it.skipIf(WINDOWS)("still gives its texts by the runtime that another server's update wrote", async () => {
    const world = earlierWorld('project');
    world.write('project/hooks.json', hooks('Other words.'));
    const done = await world.run('install', 'plain', '--yes', '--accept-changed', '--no-check', ...PROJECT);
    expect(done).toMatchObject({ code: 0 });
    const env = { PATH: process.env.PATH, HOME: world.home, CLAUDE_PROJECT_DIR: world.project };
    for (const script of [
      '86b0732cb3a07153/claude-code/UserPromptSubmit',
      '98344e7bf5504da7/gemini-cli/BeforeAgent',
    ]) {
      const shim = join(world.project, '.mcphooks/hooks/raised', script);
      const input = JSON.stringify({ session_id: script.slice(0, 16), prompt: 'hi', cwd: world.project });
      const { stdout } = spawnSync('/bin/sh', [shim], { cwd: world.project, env, input, encoding: 'utf8' });
      expect([script, stdout]).toEqual([script, expect.stringContaining('Keep answers short.')]);
    }
  });

  it.runIf(LONG)('is uninstalled without a trace', async () => {
    const world = earlierWorld('project');
    expect(await world.run('uninstall', '--all', ...PROJECT)).toMatchObject({ code: 0 });
    rmSync(join(world.home, '.local'), { recursive: true });
    expect(left(world)).toEqual([]);
    expect(world.read('project/.claude/settings.json')).toBe('{\n  "model": "opus"\n}\n');
  });

  it('is uninstalled where its commands start the scripts without a shell, as the first ones did', async () => {
    const world = earlierWorld('project');
    const files = [
      '.claude/settings.json',
      '.codex/hooks.json',
      '.gemini/settings.json',
      'mcphooks.lock.json',
    ];
    for (const path of files.map((file) => `project/${file}`)) {
      const text = world.read(path);
      world.write(path, text.replaceAll(/sh (\.\/|\\"\$CLAUDE_PROJECT_DIR|\\"\$d\/\$0)/g, '$1'));
      expect(world.read(path)).not.toBe(text);
    }
    expect(await world.run('uninstall', '--all', ...PROJECT)).toMatchObject({ code: 0, stderr: '' });
    expect(world.read('project/.claude/settings.json')).toBe('{\n  "model": "opus"\n}\n');
    expect(left(world).filter((path) => path.startsWith('project/'))).toEqual([]);
  });
});

it.skipIf(WINDOWS)(
  'nothing is left where a build before entries for all servers wrote the record, and did not list their folder',
  async () => {
    const world = homeWith({ event: 'pre_request', context: 'Keep answers short.', priority: 'suggestion' });
    const options = ['--client', 'copilot', '--yes'];
    expect(await world.run('install', 'memo', ...options)).toMatchObject({ code: 0 });
    const record = JSON.parse(world.read(RECORD));
    const folders = record.folders.filter((folder: string) => !folder.includes('joint'));
    expect(folders).not.toEqual(record.folders);
    world.write(RECORD, JSON.stringify({ ...record, folders }));
    expect(await world.run('uninstall', '--all')).toMatchObject({ code: 0 });
    expect(existsSync(join(world.home, '.local'))).toBe(false);
  },
);
