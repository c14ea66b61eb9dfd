import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Fault } from '../../src/messages/fault.ts';
import { lockFile, withLock } from '../../src/store/process-lock.ts';
import { recover } from '../../src/store/recover.ts';
import { ALL, LONG } from '../effort.ts';
import { WINDOWS } from '../platform.ts';
import { readRecord } from './server-record.ts';
import { program, scratch, scratchForFile, systemError, tree } from './support.ts';

const PROGRAM = `
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../../src/store/process-lock.ts';
import { findServer, recordChanges, removeServer } from '../../src/store/record.ts';
import { readFileState } from '../../src/store/files.ts';
import { recover } from '../../src/store/recover.ts';
import { applyChanges } from '../../src/store/transaction.ts';
import { putServer, readRecord, serverRecord } from './server-record.ts';

const [verb, root, name] = process.argv.slice(2);
const state = join(root, 'state');
const now = new Date();

const verbs = {
  /** Adds a server to the record and its line to a client's file, and fails where it isn't alone. */
  add: () => change((record) => putServer(record, serverRecord(name)), (text) => text + name + '\\n'),
  remove: () => change((record) => removeServer(record, serverRecord(name)), (text) => text.replace(name + '\\n', '')),
  /** Rewrites three files for ever, all with the same number. */
  flip: () => {
    process.stdout.write('ready');
    for (let i = 0; ; i++) {
      const changes = ['a', 'b', 'c/d'].map((file) => {
        const path = join(root, 'home', file);
        return { path, before: readFileState(path), after: i % 7 ? Buffer.from(String(i).repeat(5000)) : null, mode: 0o644 };
      });
      applyChanges(changes, { state });
    }
  },
  hold: () => {
    process.stdout.write('ready');
    return new Promise((done) => setTimeout(done, 60_000));
  },
};

function change(edit, line) {
  writeFileSync(join(root, 'inside'), '', { flag: 'wx' });
  recover(state);
  const reading = readRecord(state);
  const file = join(root, 'settings');
  const before = readFileState(file);
  const after = line(String(before ?? ''));
  const settings = { path: file, before, after: after ? Buffer.from(after) : null, mode: 0o644 };
  applyChanges([settings, ...recordChanges(state, reading, edit(reading.record), now)], { state });
  rmSync(join(root, 'inside'));
}

await withLock(state, verbs[verb]);
`;

let built: string;
const { folder, remove } = scratchForFile();
beforeAll(async () => {
  built = await program(folder, PROGRAM);
});
afterAll(remove);

function run(command: string, ...args: string[]): ChildProcess {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

const start = (...args: string[]): ChildProcess => run(process.execPath, built, ...args);

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Members of a lock file. */
type Held = Partial<Record<'host' | 'namespace' | 'started' | 'since' | 'nonce', string> & { pid: number }>;

function writeLock(state: string, holder: Held): void {
  mkdirSync(state, { recursive: true });
  const full = {
    pid: process.pid,
    host: hostname(),
    since: '2026-01-01T00:00:00.000Z',
    nonce: 'n',
    ...holder,
  };
  writeFileSync(lockFile(state), JSON.stringify(full));
}

/** A pid that was just in use. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid ?? 0;
}

async function faultIn(ended: Promise<unknown>): Promise<Fault | undefined> {
  try {
    await ended;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  return undefined;
}

describe('parallel runs', () => {
  const names = Array.from({ length: ALL ? 8 : 4 }, (_, i) => `server-${i}`);
  const all = async (verb: string, root: string): Promise<unknown> =>
    Promise.all(names.map(async (name) => (await once(start(verb, root, name), 'exit'))[0]));

  test.runIf(LONG)(
    'several at once lose nothing, and give everything back; a stale lock lets one in at a time',
    async () => {
      const root = scratch();
      writeLock(join(root, 'state'), { pid: await deadPid() });
      expect(await all('add', root)).toEqual(names.map(() => 0));
      expect(
        readRecord(join(root, 'state'))
          .record.servers.map((s) => s.slug)
          .sort(),
      ).toEqual(names);
      expect(readFileSync(join(root, 'settings'), 'utf8').trim().split('\n').sort()).toEqual(names);
      writeLock(join(root, 'state'), { pid: await deadPid() });
      expect(await all('remove', root)).toEqual(names.map(() => 0));
      expect(readRecord(join(root, 'state')).record.servers).toEqual([]);
      expect(Object.keys(tree(root))).toEqual(['state', 'state/record.json']);
    },
  );
});

describe('a killed process', () => {
  test.runIf(LONG)(
    'leaves all old or all new, and a lock that the next one takes over',
    async () => {
      const root = scratch();
      const [home, state] = [join(root, 'home'), join(root, 'state')];
      const seen = new Set<string>();
      // On a slow machine it takes longer until something was written.
      for (let i = 0; i < (ALL ? 12 : 5) || (seen.size < 2 && i < 40); i++) {
        const child = start('flip', root);
        await once(child.stdout ?? child, 'data');
        await new Promise((done) => setTimeout(done, Math.random() * 40 * (1 + i / 4)));
        await kill(child);
        await withLock(state, () => expect(recover(state)).toEqual([]), { waitMs: 5_000 });
        const files = Object.entries(existsSync(home) ? tree(home) : {}).filter(
          ([, is]) => !is.endsWith('folder'),
        );
        expect(files.map(([path]) => path)).toEqual(files.length ? ['a', 'b', 'c/d'] : []);
        expect(new Set(files.map(([, is]) => is)).size).toBeLessThan(2);
        expect(existsSync(state)).toBe(false);
        seen.add(files[0]?.[1] ?? '');
      }
      expect(seen.size).toBeGreaterThan(1);
    },
    120_000,
  );
});

describe('the lock', () => {
  test.runIf(LONG)('is waited for, and a Fault names file and holder when that takes too long', async () => {
    const root = scratch();
    const file = lockFile(join(root, 'state'));
    const child = start('hold', root);
    await once(child.stdout ?? child, 'data');
    const notices: unknown[] = [];
    const fault = await faultIn(
      withLock(join(root, 'state'), () => expect.unreachable(), {
        waitMs: WINDOWS ? 5_000 : 1_200,
        onWait: (where, holder) => notices.push([where, holder?.pid]),
      }),
    );
    expect(fault).toMatchObject({ code: 'apply.locked', args: { pid: child.pid }, where: { file } });
    expect(notices).toEqual([[file, child.pid]]);
    await kill(child);
    expect(await withLock(join(root, 'state'), async () => 'in', { waitMs: 5_000 })).toBe('in');
    expect(existsSync(file)).toBe(false);
  });

  test('that can not be taken leaves no folder that was made for it', async () => {
    const root = scratch();
    const state = join(root, 'a', 'b', 'n'.repeat(300));
    await expect(withLock(state, () => expect.unreachable())).rejects.toThrow();
    expect(readdirSync(root)).toEqual([]);
  });

  test.skipIf(WINDOWS)(
    'that can not be filled, for a limit on the size of files, leaves nothing',
    async () => {
      const root = scratch();
      const limited = run(
        'sh',
        '-c',
        'ulimit -f 0; exec "$@" 2>/dev/null',
        'sh',
        process.execPath,
        built,
        'hold',
        root,
      );
      await once(limited, 'exit');
      expect(readdirSync(root)).toEqual([]);
    },
  );

  test('that can only be filled in part, on a disk that fails, leaves nothing', async () => {
    const root = scratch();
    const write = fs.writeFileSync;
    const restore = (): void => {
      fs.writeFileSync = write;
      syncBuiltinESMExports();
    };
    onTestFinished(restore);
    fs.writeFileSync = (path, text, options) => {
      write(path, String(text).slice(0, 20), options);
      throw systemError('EIO', 'write');
    };
    syncBuiltinESMExports();
    const state = join(root, 'a', 'b');
    await expect(withLock(state, () => expect.unreachable())).rejects.toThrow('apply.failed');
    restore();
    expect(readdirSync(root)).toEqual([]);
  });

  test("that can not be filled is left where it is another process's by then", async () => {
    const state = scratch();
    const write = fs.writeFileSync;
    const restore = (): void => {
      fs.writeFileSync = write;
      syncBuiltinESMExports();
    };
    onTestFinished(restore);
    fs.writeFileSync = (path) => {
      write(path, 'of another');
      throw systemError('EIO', 'write');
    };
    syncBuiltinESMExports();
    await expect(withLock(state, () => expect.unreachable())).rejects.toThrow('apply.failed');
    restore();
    expect(readFileSync(lockFile(state), 'utf8')).toBe('of another');
  });

  test('is given back when the action fails, now or later', async () => {
    const state = scratch();
    const fails = [() => Promise.reject(new TypeError()), () => JSON.parse('{')];
    for (const fail of fails) await expect(withLock(state, fail)).rejects.toThrow();
    expect(readdirSync(state)).toEqual([]);
  });

  test('lets one at a time in within one process', async () => {
    const state = scratch();
    const order: string[] = [];
    const turn = (name: string) => () =>
      new Promise<void>((done) => {
        order.push(`${name} in`);
        setTimeout(() => {
          order.push(`${name} out`);
          done();
        }, 20);
      });
    await Promise.all(['a', 'b', 'c'].map((name) => withLock(state, turn(name))));
    expect(order.filter((_, i) => i % 2 === 0).map((s) => s.replace('in', 'out'))).toEqual(
      order.filter((_, i) => i % 2),
    );
  });

  test('stays fresh while it is held, so that no other host takes it over', async () => {
    const state = scratch();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    await withLock(state, () => {
      utimesSync(lockFile(state), 0, 0);
      vi.advanceTimersByTime(60_000);
      expect(statSync(lockFile(state)).mtimeMs).toBeGreaterThan(0);
    });
  });

  const HOUR = 3_600;
  const locks: [string, Held, age: number, taken: boolean][] = [
    ['of this process', {}, HOUR, false],
    ['of this process, started at another time', { started: 'boot:1' }, 0, process.platform === 'linux'],
    ['of another host, old', { host: 'elsewhere', pid: 1 }, HOUR, true],
    ['of another host, new', { host: 'elsewhere', pid: 1 }, 60, false],
    ['of another host, dated to the future', { host: 'elsewhere', pid: 1 }, -2 * HOUR, true],
    ['of another process table, new', { namespace: 'pid:[1]', pid: 4_190_001 }, 60, false],
    ['that is damaged, old', { pid: -1 }, HOUR, true],
    ['that is damaged, dated to the future', { pid: -1 }, -2 * HOUR, true],
    ['that is damaged, of a clock that runs ahead', { pid: -1 }, -60, false],
    ['that is damaged, new', { pid: -1 }, 0, false],
    ['of a process that no system can have', { pid: 99_999_999_999 }, 0, true],
  ];
  // One that is not taken over is waited for.
  test.each(LONG ? locks : locks.filter(([name, , , taken]) => taken || name === 'of another host, new'))(
    '%s',
    async (_, holder, age, taken) => {
      const state = scratch();
      writeLock(state, holder);
      const then = Date.now() / 1000 - age;
      utimesSync(lockFile(state), then, then);
      const fault = await faultIn(withLock(state, () => undefined, { waitMs: 200 }));
      expect(fault?.code).toBe(taken ? undefined : 'apply.locked');
      expect(existsSync(lockFile(state))).toBe(!taken);
    },
  );

  test.runIf(process.platform === 'linux')('of a zombie is taken over', async () => {
    const state = scratch();
    // What `exec` starts knows nothing of the shell's child and never waits for it.
    const parent = run('sh', '-c', 'sleep 0 & echo $!; exec sleep 60');
    const [pid] = await once(parent.stdout ?? parent, 'data');
    writeLock(state, { pid: Number(pid) });
    expect(await withLock(state, () => 'in', { waitMs: 5_000 })).toBe('in');
    await kill(parent);
  });

  test('is taken over even when one that took it over died while doing so', async () => {
    const state = scratch();
    writeLock(state, { pid: await deadPid() });
    writeFileSync(`${lockFile(state)}.next`, readFileSync(lockFile(state)));
    expect(await withLock(state, () => 'in', { waitMs: 5_000 })).toBe('in');
    expect(readdirSync(state)).toEqual([]);
  });

  test('leaves nothing of a process that was killed between removing a stale lock and taking it', async () => {
    const root = scratch();
    const state = join(root, 'made');
    mkdirSync(state);
    const next = { pid: await deadPid(), host: hostname(), nonce: '1', made: [state] };
    writeFileSync(`${lockFile(state)}.next`, JSON.stringify(next));
    expect(await withLock(state, () => 'in', { waitMs: 5_000 })).toBe('in');
    expect(readdirSync(root)).toEqual([]);
  });

  test.skipIf(WINDOWS)('is replaced, and at no moment empty, where it names more folders', async () => {
    const state = scratch();
    await withLock(state, ({ alsoRemove }) => {
      const before = readFileSync(lockFile(state), 'utf8');
      const fd = openSync(lockFile(state), 'r');
      alsoRemove([join(state, 'more')]);
      expect(readFileSync(fd, 'utf8')).toBe(before);
      closeSync(fd);
      expect(JSON.parse(readFileSync(lockFile(state), 'utf8')).made).toContain(join(state, 'more'));
      expect(readdirSync(state)).toHaveLength(1);
    });
    expect(existsSync(lockFile(state))).toBe(false);
  });

  test('names folders that its killed holder made: the empty ones around it are removed, no other', async () => {
    const root = scratch();
    const state = join(root, 'made/state');
    const [around, other] = [join(root, 'made'), join(root, 'other')];
    for (const folder of [state, other]) mkdirSync(folder, { recursive: true });
    const held = { pid: await deadPid(), made: [around, state, other, 7] as string[] };
    writeLock(state, held);
    expect(await withLock(state, ({ made }) => made)).toEqual([around, state]);
    expect(readdirSync(root)).toEqual(['other']);
    mkdirSync(state, { recursive: true });
    writeLock(state, { pid: held.pid });
    expect(await withLock(state, ({ made }) => made)).toEqual([]);
    expect(existsSync(state)).toBe(true);
  });

  test('names folders that the holder before it made, and could not remove because the lock was taken', async () => {
    const root = scratch();
    const state = join(root, 'made/state');
    mkdirSync(state, { recursive: true });
    const held = { pid: process.pid, made: [join(root, 'made'), state] };
    writeLock(state, held);
    const next = withLock(state, ({ made }) => made);
    await new Promise((done) => setTimeout(done, 100));
    rmSync(lockFile(state));
    expect(await next).toEqual(held.made);
    expect(readdirSync(root)).toEqual([]);
  });

  test('that another took over is not removed by its first holder', async () => {
    const state = scratch();
    await withLock(state, () => {
      rmSync(lockFile(state));
      writeLock(state, {});
    });
    expect(existsSync(lockFile(state))).toBe(true);
  });
});
