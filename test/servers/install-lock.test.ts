import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, test, vi } from 'vitest';
import {
  endInstall,
  type HeldInstall,
  lockInstall,
  readInstalls,
  shareInstall,
} from '../../src/servers/packages/install-lock.ts';

let state = '';
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'mcphooks-install-lock-'));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const lock = () => lockInstall(state, { runner: 'npx', spec: 'a-server@1.0.0' }, ['npx'], 'a-server@1.0.0');

/** Takes the lock, and changes what the file says of its holder. */
function lockedBy(said: object): HeldInstall {
  const held = lock();
  if (!held || !('file' in held)) throw new Error('the lock is taken');
  const install = JSON.parse(readFileSync(held.file, 'utf8'));
  writeFileSync(held.file, JSON.stringify({ ...install, ...said }));
  return held;
}

const dead = { holders: [{ pid: 4_190_001, started: 'boot:1' }] };
const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

test.each<[string, object, isTaken: boolean, touched?: number]>([
  ['a process that lives', {}, true],
  ['a process that is gone', dead, false],
  ['a process of another host', { ...dead, host: 'elsewhere' }, true],
  ['a process of another process table', { ...dead, namespace: 'pid:[1]' }, true],
  ['a process of another host, long ago', { ...dead, host: 'elsewhere', since: minutesAgo(12) }, false],
  ['a process of another host, without a sign of life', { ...dead, host: 'elsewhere' }, false, 61],
  ['a process of another process table, the same', { ...dead, namespace: 'pid:[1]' }, false, 61],
  ['a process of another host, that was slow', { ...dead, host: 'elsewhere' }, true, 50],
  ['a process of another host, from a time to come', { ...dead, host: 'elsewhere' }, false, -61],
  ['a process that lives, but was suspended', {}, true, 61],
  ['an earlier version', { host: undefined, namespace: undefined }, true],
  ['a version with another format', { format: 2 }, false],
  ['a damaged file', { holders: undefined }, false],
  ['an earlier version, gone', { ...dead, host: undefined, namespace: undefined }, false],
])('the lock of %s', (_, said, isTaken, touched = 0) => {
  const held = lockedBy(said);
  const at = Date.now() / 1000 - touched;
  utimesSync(held.file, at, at);
  expect(readInstalls(state)).toHaveLength(isTaken ? 1 : 0);
  expect(lock()).toHaveProperty(isTaken ? 'heldBy' : 'install');
  endInstall(held);
});

it('is held by the processes that share it, too', () => {
  const held = lockedBy({});
  shareInstall(held, [process.ppid, undefined]);
  expect(readInstalls(state)[0]?.holders.map(({ pid }) => pid)).toEqual([process.pid, process.ppid]);
  expect(readdirSync(dirname(held.file))).toHaveLength(1);
  endInstall(held);
});

it('is none in a folder that cannot be written', () => {
  const file = join(state, 'file');
  writeFileSync(file, '');
  expect(lockInstall(join(file, 'state'), { runner: 'npx' }, ['npx', 'a'], 'a')).toBeUndefined();
});

it('is one for each package of a runner, and for each command that hides its package', () => {
  const isHeld = (runner: string, command: string, spec?: string): boolean => {
    const run = { runner, ...(spec !== undefined && { spec }) };
    return 'heldBy' in (lockInstall(state, run, command.split(' '), '') ?? {});
  };
  expect([
    isHeld('npx', 'npx a', 'a'),
    isHeld('npx', 'npx -y a', 'a'),
    isHeld('bunx', 'bunx a', 'a'),
    isHeld('npx', 'npx -c a'),
    isHeld('npx', 'npx -c b'),
    isHeld('npx', 'npx -c a'),
  ]).toEqual([false, true, false, false, false, true]);
});

it('is not released by one who had it before', () => {
  const before = lockedBy(dead);
  const held = lock();
  endInstall(before);
  expect(readInstalls(state)).toHaveLength(1);
  endInstall(held as HeldInstall);
  expect(readInstalls(state)).toEqual([]);
});

it('leaves none of the folders that it created', () => {
  const above = join(state, 'home/.local/state');
  const held = lockInstall(join(above, 'mcphooks'), { runner: 'npx' }, ['npx', 'a'], 'a') as HeldInstall;
  mkdirSync(join(state, 'home/other'));
  expect(existsSync(held.file)).toBe(true);
  endInstall(held);
  expect(readdirSync(join(state, 'home'))).toEqual(['other']);
});

it('lets the process end that holds it', () => {
  const timers = vi.spyOn(globalThis, 'setInterval');
  endInstall(lockedBy({}));
  expect(timers.mock.results.map(({ value }) => value.hasRef())).toEqual([false]);
  timers.mockRestore();
});

it('is touched while it is held', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const held = lockedBy({});
    const age = (): number => Date.now() - statSync(held.file).mtimeMs;
    utimesSync(held.file, 1, 1);
    vi.advanceTimersByTime(5_000);
    expect(age()).toBeLessThan(60_000);
    endInstall(held);
    vi.advanceTimersByTime(5_000);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

it.runIf(process.platform === 'linux')('a zombie holds no lock', async () => {
  // What `exec` starts knows nothing of the shell's child and never waits for it.
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60']);
  const [pid] = await once(parent.stdout, 'data');
  lockedBy({ holders: [{ pid: Number(pid) }] });
  await expect.poll(() => readInstalls(state)).toEqual([]);
  parent.kill('SIGKILL');
});
