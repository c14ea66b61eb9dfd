import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, test } from 'vitest';
import { endInstall, type HeldInstall, lockInstall, readInstalls } from '../../src/servers/install-lock.ts';

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

test.each<[string, object, isTaken: boolean]>([
  ['a process that lives', {}, true],
  ['a process that is gone', dead, false],
  ['a process of another host', { ...dead, host: 'elsewhere' }, true],
  ['a process of another process table', { ...dead, namespace: 'pid:[1]' }, true],
  ['a process of another host, long ago', { ...dead, host: 'elsewhere', since: minutesAgo(12) }, false],
  ['an earlier version', { host: undefined, namespace: undefined }, true],
  ['an earlier version, gone', { ...dead, host: undefined, namespace: undefined }, false],
])('the lock of %s', (_, said, isTaken) => {
  const held = lockedBy(said);
  expect(readInstalls(state)).toHaveLength(isTaken ? 1 : 0);
  expect(lock()).toHaveProperty(isTaken ? 'heldBy' : 'install');
  endInstall(held);
});

it.runIf(process.platform === 'linux')('a zombie holds no lock', async () => {
  // What `exec` starts knows nothing of the shell's child and never waits for it.
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60']);
  const [pid] = await once(parent.stdout, 'data');
  lockedBy({ holders: [{ pid: Number(pid) }] });
  await expect.poll(() => readInstalls(state)).toEqual([]);
  parent.kill('SIGKILL');
});
