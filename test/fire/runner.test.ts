import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type HeldInstall, lockInstall, readInstalls } from '../../src/servers/packages/install-lock.ts';
import type { Definition } from '../../src/servers/types.ts';
import { ALL, LONG } from '../effort.ts';
import { at, captured, commandOf, FIRE_SERVER, isAlive, world } from './world.ts';

const WAIT = { timeout: 20_000 };
const payload = captured('claude-code', 'PostToolUse.Bash');
const tool = (name: string, args: Record<string, unknown> = {}) => ({ call: { tool: name, args } });
let sessions = 0;
const fresh = () => ({ ...payload, session_id: `runner-${sessions++}` });

/**
 * A machine with an `npx` that installs once, for `seconds`, what it runs from then on: our server. It leaves
 * `installing` and `installed`, and a line in `starts` each time; an install that is killed leaves a broken cache.
 */
function machine(seconds: number) {
  const w = world();
  const bin = join(w.home, 'runners');
  mkdirSync(bin);
  const path = (name: string): string => join(w.home, name);
  writeFileSync(
    join(bin, 'npx'),
    `#!/bin/sh
echo "$$ $npm_config_prefer_offline" >>"${path('starts')}"
if [ ! -e "${path('installed')}" ]; then
  [ ! -e "${path('installing')}" ] || { echo broken >"${path('broken')}"; exit 1; }
  : >"${path('installing')}"
  sleep ${seconds} & wait $!
  : >"${path('installed')}"
fi
exec "${process.execPath}" "${FIRE_SERVER}" --log "${path('log')}" --helper
`,
    { mode: 0o755 },
  );
  const PATH = `${bin}:${process.env.PATH}`;
  const definition: Definition = { transport: 'stdio', command: 'npx', args: ['-y', 'a-server'], env: {} };
  const shimOf = (hooks: object[], callMs: number, more: Partial<Definition> = {}) => {
    const changed = { ...definition, ...more } as Definition;
    return w.shim('claude-code', 'PostToolUse', hooks, {
      server_at: { ...at(changed), definition: changed, callMs },
    });
  };
  const lines = (name: string): string[] =>
    existsSync(path(name)) ? readFileSync(path(name), 'utf8').split('\n').slice(0, -1) : [];
  const pids = (): number[] =>
    lines('log').flatMap((line) => {
      const { pid, helper } = JSON.parse(line);
      return pid ?? helper ?? [];
    });
  const installs = () => readInstalls(w.state);
  return {
    ...w,
    env: { PATH },
    shimOf,
    starts: () => lines('starts'),
    pids,
    installs,
    is: (name: string) => existsSync(path(name)),
    fireIt: (shim: ReturnType<typeof shimOf>, input = fresh()) => w.fire(shim, input, { PATH }),
    allGone: async () => {
      for (const pid of pids()) await expect.poll(() => isAlive(pid), WAIT).toBe(false);
    },
  };
}

describe('a server that a package runner starts', () => {
  // Waits for a package runner; test/servers/runner.test.ts does, too.
  it.runIf(ALL)('is installed to the end in the background, once, and answers the next fire', async () => {
    const m = machine(6);
    const shim = m.shimOf([tool('two'), { text: 'Static.' }], 1000);
    const first = await m.fireIt(shim);
    expect(first).toMatchObject({ code: 0, stderr: '', text: expect.stringContaining('Static.') });
    expect(first.text).not.toContain('two');
    expect(m.logged().at(-1)).toMatchObject({ incident: 'tool.installing', n: 1 });
    expect(m.installs()).toMatchObject([{ runner: 'npx', package: 'a-server' }]);

    // Others wait no longer than a start takes, and start nothing.
    await expect
      .poll(() => Date.now() - Date.parse(m.installs()[0]?.since ?? ''), WAIT)
      .toBeGreaterThan(3000);
    const began = Date.now();
    const second = await m.fireIt(m.shimOf([tool('two'), { text: 'Static.' }], 60_000));
    expect(second.text).toContain('Static.');
    expect(Date.now() - began).toBeLessThan(2000);
    expect(m.starts()).toHaveLength(1);
    expect(m.is('installed')).toBe(false);

    await expect.poll(() => m.is('installed'), WAIT).toBe(true);
    await expect.poll(() => m.installs().length, WAIT).toBe(0);
    await expect.poll(() => m.pids().length, WAIT).toBeGreaterThan(2);
    await m.allGone();
    expect((await m.fireIt(m.shimOf([tool('two')], 5000))).text).toContain('one\ntwo');
    expect(m.is('broken')).toBe(false);
    expect(m.starts().map((line) => line.split(' ')[1])).toEqual(['true', 'true']);
    await m.allGone();
  });

  it.runIf(ALL)('is installed to the end, too, when the whole group of the hook is killed', async () => {
    const m = machine(3);
    const shim = m.shimOf([tool('two')], 60_000);
    const { child, done } = m.start(['/bin/sh', '-c', commandOf(shim)], fresh(), m.env, m.project, {
      detached: true,
    });
    await expect.poll(() => m.is('installing'), WAIT).toBe(true);
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await done;
    expect(m.installs()).toHaveLength(1);
    await expect.poll(() => m.is('installed'), WAIT).toBe(true);
    await expect.poll(() => m.installs().length, WAIT).toBe(0);
    await expect.poll(() => m.pids().length, WAIT).toBeGreaterThan(2);
    await m.allGone();
    expect((await m.fireIt(m.shimOf([tool('two')], 5000))).text).toContain('one\ntwo');
  });

  it.runIf(ALL)('goes on showing a sign of life when its hook has ended', async () => {
    const m = machine(9);
    await m.fireIt(m.shimOf([tool('two')], 1000));
    const [name = ''] = readdirSync(join(m.state, 'installing'));
    const lock = join(m.state, 'installing', name);
    utimesSync(lock, 1, 1);
    await expect.poll(() => statSync(lock).mtimeMs, WAIT).toBeGreaterThan(Date.now() - 60_000);
    await expect.poll(() => m.installs().length, WAIT).toBe(0);
    await m.allGone();
  });

  it.runIf(ALL)('ends with its hook once it has answered, also when that is killed', async () => {
    const m = machine(0);
    const shim = m.shimOf([tool('slow')], 60_000);
    const { child, done } = m.start(['/bin/sh', '-c', commandOf(shim)], fresh(), m.env, m.project, {
      detached: true,
    });
    await expect.poll(() => m.pids().length, WAIT).toBe(5);
    expect(m.installs()).toEqual([]);
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await done;
    await m.allGone();
  });

  it('is waited for where another fire starts it, and is asked as the user decided', async () => {
    const m = machine(1);
    const env = { NPM_CONFIG_PREFER_OFFLINE: 'false' };
    const shim = m.shimOf([tool('two')], 6000, { env });
    const runs = await Promise.all([1, 2].map(() => m.fireIt(shim)));
    for (const ran of runs) expect(ran.text).toContain('one\ntwo');
    expect(m.starts()).toHaveLength(2);
    expect(m.starts().map((line) => line.split(' ')[1])).toEqual(['', '']);
    expect(m.is('broken')).toBe(false);
  });

  it("gives its whole answer, though it ends while its hook doesn't read", async () => {
    const { runtime } = world();
    // Just more than fits between the two.
    const length = 520_000;
    const script = `process.stdin.once('data', () => {
      const answer = JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'x'.repeat(${length}) });
      process.stdout.write(answer + '\\n', () => process.exit());
    });`;
    const job = { start: { command: process.execPath, args: ['-e', script], env: {}, cwd: runtime } };
    const keeper = spawn(process.execPath, [join(runtime, 'keep.cjs')], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    keeper.stdin.write(`${JSON.stringify(job)}\n{}\n`);
    const closed = once(keeper, 'close');
    let got = 0;
    keeper.stdout.on('data', (chunk: Buffer) => (got += chunk.length));
    await once(keeper.stdout, 'data');
    keeper.stdout.pause();
    // As a busy machine does; the server and its last output are long over by then.
    await sleep(700);
    keeper.stdout.resume();
    await closed;
    expect(got).toBeGreaterThan(length);
  });

  it.runIf(LONG)('gets no more of a flood of messages than it reads, and a little', async () => {
    const { runtime } = world();
    const args = ['-e', 'setTimeout(() => {}, 10_000)'];
    const job = { start: { command: process.execPath, args, env: {}, cwd: runtime } };
    const keeper = spawn(process.execPath, [join(runtime, 'keep.cjs')], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    keeper.stdin.write(`${JSON.stringify(job)}\n`);
    const closed = once(keeper, 'close');
    keeper.stdin.write('x'.repeat(16_000_000));
    await sleep(600);
    expect(keeper.stdin.writableLength).toBeGreaterThan(8_000_000);
    keeper.stdin.on('error', () => {});
    keeper.kill('SIGKILL');
    await closed;
  });

  it.runIf(ALL)('is started though a lock was left by a process that died', async () => {
    const m = machine(0);
    const held = lockInstall(m.state, { runner: 'npx', spec: 'a-server' }, [], 'a-server');
    const { file, install } = held as HeldInstall;
    for (const holders of [[{ pid: 4_194_303 }], [{ pid: process.pid, started: 'boot:1' }]]) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify({ ...install, holders }));
      expect((await m.fireIt(m.shimOf([tool('two')], 5000))).text).toContain('one\ntwo');
    }
    expect(m.installs()).toEqual([]);
  });
});
