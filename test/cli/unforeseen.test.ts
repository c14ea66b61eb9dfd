import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { reportUnforeseen } from '../../src/cli/unforeseen.ts';
import { LONG } from '../effort.ts';
import { CLI, cleanWorlds, makeWorld, type World } from './world.ts';

cleanWorlds();

/** Runs in a folder that is removed before the program starts. */
function runNowhere(world: World, ...args: string[]) {
  const folder = join(world.project, 'gone');
  mkdirSync(folder);
  const code = 'cd "$1" && rmdir "$1" && shift && exec "$@"';
  return spawnSync('/bin/sh', ['-c', code, 'sh', folder, process.execPath, CLI, ...args], {
    env: world.env,
    encoding: 'utf8',
  });
}

it.runIf(LONG)('an error that nobody foresaw is told without a stack, which --debug adds', () => {
  const world = makeWorld();
  const plain = runNowhere(world, 'list');
  expect([plain.status, plain.stdout]).toEqual([1, '']);
  expect(plain.stderr).toContain('the current folder no longer exists');
  expect(plain.stderr).not.toMatch(/\n +at /);
  expect(runNowhere(world, 'list', '--debug').stderr).toMatch(/\n +at /);
  const { status, stdout, stderr } = runNowhere(world, 'list', '--json');
  expect([status, stderr]).toEqual([1, '']);
  expect(JSON.parse(stdout)).toMatchObject({ command: 'list', status: 'failed', exit: 1 });
  expect(JSON.parse(stdout).faults[0].code).toBe('internal.no-folder');
  expect(JSON.parse(runNowhere(world, '--json', 'list').stdout).command).toBe('list');
});

it('too many open files ask for a higher limit, not for a report', () => {
  const told: string[] = [];
  const error = Object.assign(new Error('spawn node EMFILE'), { code: 'EMFILE', syscall: 'spawn node' });
  reportUnforeseen(error, ['scan', '--check'], { out: () => {}, err: (text) => void told.push(text) });
  expect(told.join('\n')).toMatch(/spawn node EMFILE\n.*ulimit -n/);
  expect(told.join('\n')).not.toContain('report');
});

it('--debug is no option of a server that is given', async () => {
  const world = makeWorld();
  const { stdout } = await world.run(
    'install',
    'x',
    '--json',
    '--dry-run',
    '--',
    'no-such-program',
    '--debug',
  );
  expect(JSON.parse(stdout).faults[0].message).toContain('no-such-program --debug');
});
