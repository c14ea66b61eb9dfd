/** A merge that took one side's lock file, while the other side's new client files came along without a conflict. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LOCK } from '../../src/base/paths.ts';
import type { World } from '../cli/world.ts';
import { LONG } from '../effort.ts';
import { installForTeam, projectFiles, teamWorld } from './team.ts';

const PROJECT = ['--scope', 'project'];
/** Clients whose files the first commit lacks. */
const NEW = ['copilot', 'cursor', 'opencode', 'qwen-code', 'droid'];
const ALL = ['claude-code', ...NEW].join();

interface Lock {
  servers: { clients: Record<string, object> }[];
  files: Record<string, object>;
}

const lockOf = (world: World): Lock => JSON.parse(world.read(`project/${LOCK}`));

function writeLock(world: World, lock: Lock): void {
  world.write(`project/${LOCK}`, `${JSON.stringify(lock, null, 2)}\n`);
}

/** A project in which the lock file lists Claude Code alone. */
async function merged(): Promise<{ world: World; base: Record<string, string> }> {
  const world = teamWorld();
  const base = projectFiles(world);
  await installForTeam(world, '--client', ALL);
  const lock = lockOf(world);
  const known = '.claude/settings.json';
  for (const server of lock.servers) server.clients = { 'claude-code': server.clients['claude-code'] ?? {} };
  writeLock(world, { ...lock, files: { [known]: lock.files[known] ?? {} } });
  return { world, base };
}

/** Folders that an uninstall must not leave. */
const foldersOf = (world: World): string[] =>
  ['.github', '.cursor', '.opencode', '.qwen', '.factory', '.mcphooks'].filter((name) =>
    existsSync(join(world.project, name)),
  );

it.runIf(LONG)('client files that an install adopts as it wrote them go with the last hooks', async () => {
  const { world, base } = await merged();
  await installForTeam(world, '--client', ALL);
  const adopted = world.read(`project/${LOCK}`);
  expect(await world.run('diff', 'memo', ...PROJECT, '--offline')).toMatchObject({ code: 0 });
  await world.run('uninstall', 'memo', ...PROJECT);
  expect(projectFiles(world)).toEqual(base);
  expect(foldersOf(world)).toEqual([]);
  await installForTeam(world, '--client', ALL);
  expect(adopted).toBe(world.read(`project/${LOCK}`));
});

it.runIf(LONG)('they go, too, when they are removed without being adopted', async () => {
  const { world, base } = await merged();
  await world.run('uninstall', 'memo', ...PROJECT, '--client', NEW.join(), '--edited');
  await world.run('uninstall', '--all', ...PROJECT);
  expect(projectFiles(world)).toEqual(base);
  expect(foldersOf(world)).toEqual([]);
});

it.runIf(LONG).each(['.git', LOCK])(
  'they stay without %s: nothing has what was there before',
  async (lost) => {
    const { world } = await merged();
    rmSync(join(world.project, lost), { recursive: true });
    await world.run('uninstall', 'memo', ...PROJECT, '--client', NEW.join(), '--edited');
    for (const file of ['.qwen/settings.json', '.cursor/hooks.json'])
      expect(JSON.parse(world.read(`project/${file}`))).toHaveProperty('hooks');
  },
);

it.runIf(LONG)('a file that the lock file knows, or that has bytes of a person, stays', async () => {
  const { world } = await merged();
  const path = 'project/.qwen/settings.json';
  world.write(path, world.read(path).trimEnd());
  await installForTeam(world, '--client', ALL);
  const lock = lockOf(world);
  delete lock.files['.cursor/hooks.json'];
  writeLock(world, lock);
  await world.run('uninstall', 'memo', ...PROJECT);
  expect(Object.keys(JSON.parse(world.read(path)))).toEqual(['hooks']);
  expect(JSON.parse(world.read('project/.cursor/hooks.json'))).toMatchObject({ version: 1 });
});
