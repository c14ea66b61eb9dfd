import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { FireServer } from '../../src/fire/format.ts';
import { LARGEST_ANSWER } from '../../src/fire/mcp-rpc.ts';
import { endKept, hintOf, idOf, type KeptServer, lasting, readKept } from '../../src/fire/warm-place.ts';
import { reader } from '../../src/fire/warm-proof.ts';
import type { Definition } from '../../src/servers/types.ts';
import { ALL, sample } from '../effort.ts';
import { nodeHere } from '../node-here/start.ts';
import { homeEnv, hookFile, inJson, WINDOWS } from '../platform.ts';
import { at, captured, isAlive, served, wordsOf, world } from './world.ts';

const WAIT = { timeout: 20_000, interval: 25 };
const payload = captured('claude-code', 'PostToolUse.Bash');
const tool = (name: string, args: Record<string, unknown> = {}) => ({ call: { tool: name, args } });
let sessions = 0;
const fresh = () => ({ ...payload, session_id: `warm-${sessions++}` });
const KEEP = { ms: 60_000, omit: ['CLAUDE_CODE_SESSION_ID'], omitPaths: ['/session-[^/]*$'] };

/** Programs start slowly on Windows, above all under Wine. */
const SLOW = WINDOWS ? { server: { callMs: 15_000 }, data: { deadlineMs: 18_000 } } : {};
/** Milliseconds for a call that is given up; in them a keeper starts, too. */
const CALL_MS = WINDOWS ? 5000 : 1500;
/** On Windows, what a server started can outlive it (docs/limits.md). */
const HELPER = WINDOWS ? [] : ['--helper'];
const HELPERS = WINDOWS ? 0 : 4;

/** The machines of a test, to be cleared after it. */
const machines: { clear: () => Promise<void> }[] = [];

const HERE = nodeHere({ servers: 'kept' });

/** A world whose server is kept running, and leaves a line a start and a call. */
function machine(flags: string[] = [], more: Partial<FireServer> = {}) {
  const w = world({ node: HERE });
  const path = join(w.home, 'log');
  const log = (): Record<string, number>[] =>
    existsSync(path)
      ? readFileSync(path, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line))
      : [];
  const folder = join(w.state, 'warm');
  const server = served(['--log', path, ...flags], { keep: KEEP, ...SLOW.server, ...more });
  const m = {
    ...w,
    folder,
    server,
    shimOf: (hooks: object[] = [tool('two')], data: object = server, node = HERE) =>
      w.shim('claude-code', 'PostToolUse', hooks, { ...SLOW.data, ...data }, undefined, { node }),
    fireIt: (shim: ReturnType<typeof w.shim>, env: Record<string, string> = {}) => w.fire(shim, fresh(), env),
    entries: log,
    /** Processes of servers, and of what they started. */
    pids: (): number[] => log().flatMap(({ pid, helper }) => pid ?? helper ?? []),
    starts: () => log().filter((line) => 'pid' in line).length,
    kept: (): KeptServer[] =>
      existsSync(folder) && statSync(folder).isDirectory()
        ? readdirSync(folder).flatMap((name) =>
            name.endsWith('.json') ? (readKept(join(folder, name)) ?? []) : [],
          )
        : [],
    keeper: (): KeptServer => {
      const [kept] = m.kept();
      if (!kept) throw new Error('no keeper');
      return kept;
    },
    keepers: new Set<number>(),
    /** Ends a keeper, and waits until it is gone. On Windows a signal would only kill it. */
    end: async (kept: KeptServer) => {
      m.keepers.add(kept.pid);
      endKept(folder, kept, 'SIGTERM');
      await m.allGone();
    },
    /** Waits until the keepers seen so far, their servers, and all that these started are gone. */
    allGone: async (timeout = WAIT.timeout) => {
      for (const pid of [...m.keepers, ...m.pids()])
        await expect.poll(() => isAlive(pid), { ...WAIT, timeout }).toBe(false);
    },
  };
  const clear = async (): Promise<void> => {
    for (const kept of m.kept()) {
      m.keepers.add(kept.pid);
      try {
        process.kill(kept.pid, 'SIGCONT');
      } catch {}
      endKept(folder, kept, 'SIGTERM');
    }
    await m.allGone();
    expect(m.kept()).toEqual([]);
  };
  machines.push({ clear });
  return m;
}

/** No process is left after any test. */
afterEach(async () => {
  for (const m of machines.splice(0)) await m.clear();
});

describe('a server that is kept running', () => {
  it('answers later fires in the same process, whatever the session', async () => {
    const m = machine();
    const shim = m.shimOf();
    const first = await m.fireIt(shim, { CLAUDE_CODE_SESSION_ID: 'one', SHLVL: '3' });
    expect(first).toMatchObject({ code: 0, stderr: '', text: expect.stringContaining('one\ntwo') });
    const { pid } = m.keeper();
    for (let i = 0; i < 3; i++) {
      const PATH = [join(tmpdir(), `session-${i}`), process.env.PATH].join(delimiter);
      const ran = await m.fireIt(shim, { CLAUDE_CODE_SESSION_ID: `s${i}`, PATH });
      expect(ran).toMatchObject({ code: 0, stderr: '', text: expect.stringContaining('one\ntwo') });
    }
    expect(m.starts()).toBe(1);
    expect(m.keeper()).toMatchObject({ pid, server: 'annal', folder: m.project });
    expect(m.logged()).toEqual([]);
  });

  it('gets the environment of its client, without what differs between sessions', async () => {
    const m = machine();
    const names = ['CLAUDE_CODE_SESSION_ID', 'TOKEN', 'MCPHOOKS_NODE_OPTIONS', 'HOME', 'CLAUDE_PID'];
    const ask = m.shimOf([tool('environment', { names })]);
    const env = { CLAUDE_CODE_SESSION_ID: 'one', TOKEN: 'a', CLAUDE_PID: '1' };
    expect((await m.fireIt(ask, env)).text).toContain(JSON.stringify([null, 'a', null, m.home, null]));
    expect((await m.fireIt(ask, { ...env, TOKEN: 'b' })).text).toContain('"b"');
    expect(m.starts()).toBe(2);
    const text = readdirSync(m.folder).map((name) =>
      name.endsWith('.json') ? readFileSync(join(m.folder, name), 'utf8') : '',
    );
    expect(text.join('')).not.toContain('TOKEN');
  });

  it('gives way after its idle time, with all that it started', async () => {
    const m = machine(HELPER, { keep: { ...KEEP, ms: 1500 } });
    await m.fireIt(m.shimOf());
    const { pid } = m.keeper();
    m.keepers.add(pid);
    await expect.poll(() => m.pids().length, WAIT).toBe(1 + HELPERS);
    await m.allGone();
    expect(m.kept()).toEqual([]);
    expect(readdirSync(m.folder)).toEqual([]);
    expect((await m.fireIt(m.shimOf())).text).toContain('one\ntwo');
  });

  it('is one, also when fires begin at once', async () => {
    const m = machine();
    // In processes of their own.
    const shim = m.shimOf(undefined, undefined, process.execPath);
    const runs = await Promise.all([1, 2, 3, 4].map(() => m.fireIt(shim)));
    for (const ran of runs) expect(ran.text).toContain('one\ntwo');
    expect(m.starts()).toBe(1);
    expect(m.kept()).toHaveLength(1);
  });

  it('stays when a fire is killed, whose call is cancelled', async () => {
    const m = machine();
    await m.fireIt(m.shimOf());
    const slow = m.shimOf([tool('slow')], undefined, process.execPath);
    const { child, done } = m.start(wordsOf(slow), fresh(), {}, m.project, { detached: !WINDOWS });
    await expect.poll(() => m.entries().some((line) => String(line.call) === 'slow'), WAIT).toBe(true);
    if (WINDOWS) child.kill();
    else process.kill(-(child.pid ?? 0), 'SIGKILL');
    await done;
    await expect.poll(() => m.entries().some((line) => 'cancelled' in line), WAIT).toBe(true);
    expect((await m.fireIt(m.shimOf())).text).toContain('one\ntwo');
    expect(m.starts()).toBe(1);
  });

  it('is told of a call that was given up, and stays', async () => {
    const m = machine([], { callMs: CALL_MS });
    await m.fireIt(m.shimOf());
    const { pid } = m.keeper();
    await m.fireIt(m.shimOf([tool('slow')]));
    expect(m.logged().at(-1)).toMatchObject({ incident: 'tool.slow' });
    await expect.poll(() => m.entries().some((line) => 'cancelled' in line), WAIT).toBe(true);
    expect((await m.fireIt(m.shimOf())).text).toContain('one\ntwo');
    expect(m.starts()).toBe(1);
    expect(m.keeper().pid).toBe(pid);
  });
});

it('folders of PATH that differ between sessions make no other server, however the system spells that name', () => {
  const own = { server: 'annal', client: 'codex', state: '' };
  const of = (session: string) => {
    const env = { [WINDOWS ? 'Path' : 'PATH']: [tmpdir(), join(tmpdir(), session)].join(delimiter) };
    const start = lasting({ to: { command: 'x', args: [], cwd: tmpdir(), env }, own: [] }, KEEP);
    return [idOf('annal', start), hintOf(own, tmpdir(), env, KEEP)];
  };
  expect(of('session-1')).toEqual(of('session-2'));
  expect(of('session-1')).not.toEqual(of('other'));
});

/** A definition in a client's file, which may change. */
function inFile(m: ReturnType<typeof machine>) {
  const file = join(m.home, '.claude.json');
  const write = (args: string[]): void => {
    const { definition } = m.server.server_at;
    writeFileSync(file, JSON.stringify({ mcpServers: { annal: { ...definition, args } } }));
  };
  const { definition } = m.server.server_at;
  const args = definition?.transport === 'stdio' ? definition.args : [];
  write(args);
  const { definition: _, ...place } = at(definition as Definition, {
    scope: 'user',
    file,
    pointer: ['mcpServers', 'annal'],
  });
  return {
    shim: m.shimOf([tool('two')], { server_at: { ...place, keep: KEEP } }),
    change: () => write([...args, '--more']),
  };
}

interface Case {
  m: ReturnType<typeof machine>;
  shim: ReturnType<typeof world>['shim'] extends (...a: never[]) => infer R ? R : never;
  change: () => void;
}

const ON_POSIX: [string, (c: Case) => void][] = [
  ['its folder goes', ({ m }) => rmSync(m.project, { recursive: true })],
  ['its keeper is asked to end', ({ m }) => process.kill(m.keeper().pid, 'SIGTERM')],
];
const ENDS: [string, (c: Case) => void][] = [
  ['its hook script is removed', ({ shim }) => rmSync(hookFile(shim.path))],
  ['its data is written anew', ({ shim }) => writeFileSync(`${shim.path}.json`, JSON.stringify(shim.data))],
  ['its hooks are disabled', ({ m }) => writeFileSync(join(m.home, 'data/hooks/annal/disabled'), '')],
  ['its definition changes', ({ change }) => change()],
  [
    'the program of its keeper changes',
    ({ m }) => writeFileSync(join(m.runtime, 'warm-keeper.cjs'), '\n', { flag: 'a' }),
  ],
  ['the state folder goes', ({ m }) => rmSync(m.state, { recursive: true })],
  ['it dies', ({ m }) => process.kill(m.pids()[0] ?? 0, 'SIGKILL')],
  // Windows keeps a folder in which a program runs, and has no signals.
  ...(WINDOWS ? [] : ON_POSIX),
];

describe('the approval', () => {
  it('is checked before each call: not even at once after a change is one made', async () => {
    const m = machine();
    const { shim, change } = inFile(m);
    for (let i = 0; i < 2; i++) expect((await m.fireIt(shim)).text).toContain('one\ntwo');
    const calls = () => m.entries().filter((line) => 'call' in line).length;
    expect([m.starts(), calls()]).toEqual([1, 2]);
    m.keepers.add(m.keeper().pid);
    change();
    expect((await m.fireIt(shim)).text).toBeUndefined();
    expect(m.logged().at(-1)).toMatchObject({ incident: 'definition.changed' });
    expect([m.starts(), calls()]).toEqual([1, 2]);
  });

  it('is checked for each fire, whatever a hint says', async () => {
    const m = machine();
    const ask = m.shimOf([tool('environment', { names: ['TOKEN'] })]);
    const hints = () => readdirSync(m.folder).filter((name) => name.endsWith('.hint'));
    for (const TOKEN of ['a', 'b', 'a', 'b'])
      expect((await m.fireIt(ask, { TOKEN })).text).toContain(JSON.stringify([TOKEN]));
    expect(m.starts()).toBe(2);
    expect(hints()).toHaveLength(2);
    const [one = '', other = ''] = hints().map((name) => join(m.folder, name));
    const id = readFileSync(other, 'utf8');
    for (const text of [id, '', '../record', `${id}x`, 'f'.repeat(16)]) {
      for (const file of [one, other]) writeFileSync(file, text);
      for (const TOKEN of ['a', 'b'])
        expect((await m.fireIt(ask, { TOKEN })).text).toContain(JSON.stringify([TOKEN]));
    }
    expect(m.starts()).toBe(2);
  });
});

it('leaves few hints, also where a variable that no server gets differs in each fire', async () => {
  const m = machine();
  const shim = m.shimOf();
  for (let i = 0; i < 18; i++) await m.fireIt(shim, { CLAUDE_PID: `${i}` });
  expect(m.starts()).toBe(1);
  expect(readdirSync(m.folder).filter((name) => name.endsWith('.hint'))).toHaveLength(16);
});

it('a relative folder, which means another one to a keeper, is checked by the fire itself', async () => {
  const m = machine();
  for (let i = 0; i < 2; i++)
    expect((await m.fireIt(m.shimOf(), { CLAUDE_PROJECT_DIR: '.' })).text).toContain('one\ntwo');
  expect(readdirSync(m.folder).filter((name) => name.endsWith('.hint'))).toEqual([]);
});

describe('a kept server ends with all that it started', () => {
  it.each(sample(ENDS, 3))('when %s', async (name, act) => {
    // Nothing leads to a process without the environment of its parent, once that has died by itself.
    const helpers = name === 'it dies' ? [] : HELPER;
    const m = machine(helpers);
    const { shim, change } = inFile(m);
    expect((await m.fireIt(shim)).text).toContain('one\ntwo');
    await expect.poll(() => m.pids().length, WAIT).toBe(1 + 4 * helpers.length);
    m.keepers.add(m.keeper().pid);
    act({ m, shim, change });
    await m.allGone();
    expect(m.kept()).toEqual([]);
  });

  it('when its hooks are removed before its keeper looks at them', async () => {
    const m = machine();
    const { shim } = inFile(m);
    await m.fireIt(shim);
    const job = {
      id: 'a'.repeat(16),
      folder: m.folder,
      start: { ...m.server.server_at.definition, cwd: m.project, env: { PATH: process.env.PATH } },
      data: { ...shim.data, state: m.state },
      startFolder: m.project,
      hookEnv: { ...homeEnv(m.home), PATH: process.env.PATH },
      shim: join(m.home, 'data/hooks/annal/gone/claude-code/shim'),
      runtime: m.runtime,
    };
    const keeper = spawn(process.execPath, [join(m.runtime, 'warm-keeper.cjs')], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    keeper.stdin.end(JSON.stringify(job));
    await expect.poll(() => keeper.exitCode, { ...WAIT, timeout: 5000 }).toBe(0);
  });

  it('at once when another folder has its path', async () => {
    const m = machine();
    const shim = m.shimOf();
    for (let i = 0; i < 2; i++) await m.fireIt(shim);
    m.keepers.add(m.keeper().pid);
    renameSync(m.project, `${m.project}-before`);
    mkdirSync(m.project);
    expect((await m.fireIt(shim)).text).toContain('one\ntwo');
    expect(m.starts()).toBe(2);
  });

  it('but not when its definition is only written anew', async () => {
    const m = machine();
    const { shim } = inFile(m);
    await m.fireIt(shim);
    const file = join(m.home, '.claude.json');
    writeFileSync(file, `${readFileSync(file, 'utf8')} `);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    await m.fireIt(shim);
    expect(m.starts()).toBe(1);
  });

  it.each(sample([[[]], [['--stubborn']]], 1))('within 2 s of a SIGKILL of its keeper: %j', async (more) => {
    const m = machine([...HELPER, ...more]);
    await m.fireIt(m.shimOf());
    await expect.poll(() => m.pids().length, WAIT).toBe(1 + HELPERS);
    const { pid } = m.keeper();
    m.keepers.add(pid);
    const began = Date.now();
    process.kill(pid, 'SIGKILL');
    await m.allGone();
    // A loaded machine may take longer than the 2 s that a quiet one is held to.
    expect(Date.now() - began).toBeLessThan(ALL ? 6000 : 4000);
    expect((await m.fireIt(m.shimOf())).text).toContain('one\ntwo');
    expect(m.keeper().pid).not.toBe(pid);
  });

  it('in few steps, also when it ignores SIGTERM', async () => {
    const m = machine(['--stubborn']);
    const bin = join(m.home, 'counting');
    const steps = join(m.home, 'steps');
    mkdirSync(bin);
    for (const name of ['sleep', 'grep'])
      writeFileSync(
        join(bin, name),
        `#!/bin/sh\n[ "$PWD" != / ] || echo "${name} $1" >>'${steps}'\nexec /bin/${name} "$@"\n`,
        { mode: 0o755 },
      );
    const env = { PATH: `${bin}:${process.env.PATH}` };
    await m.fireIt(m.shimOf(), env);
    const { pid } = m.keeper();
    m.keepers.add(pid);
    process.kill(pid, 'SIGKILL');
    await m.allGone();
    const words = readFileSync(steps, 'utf8').trim().split('\n');
    const naps = words.flatMap((word) => (word.startsWith('sleep') ? Number(word.split(' ')[1]) : []));
    // How long a look takes depends on the machine: each looks once for the mark in the environments of all processes.
    expect(words.filter((word) => word === 'grep -lF').length).toBeLessThanOrEqual(4);
    expect(naps.reduce((sum, nap) => sum + nap, 0)).toBeLessThanOrEqual(1);
    expect((await m.fireIt(m.shimOf(), env)).text).toContain('one\ntwo');
  });

  it('when there are more than eight: the oldest', async () => {
    const m = machine();
    const shim = m.shimOf();
    for (let i = 0; i < 9; i++) {
      await m.fireIt(shim, { WHICH: `${i}` });
      for (const { pid } of m.kept()) m.keepers.add(pid);
    }
    const [first = 0] = m.pids();
    await expect.poll(() => isAlive(first), WAIT).toBe(false);
    expect(m.kept()).toHaveLength(8);
    expect(m.pids().filter(isAlive)).toHaveLength(8);
  });

  it('when a fire of another runtime needs it', async () => {
    const m = machine();
    await m.fireIt(m.shimOf());
    const { pid } = m.keeper();
    m.keepers.add(pid);
    const runtime = join(m.home, 'data', 'runtime', 'r2');
    cpSync(m.runtime, runtime, { recursive: true });
    const shim = m.shimOf();
    const script = hookFile(shim.path);
    writeFileSync(script, readFileSync(script, 'utf8').replaceAll(inJson(m.runtime), inJson(runtime)));
    expect((await m.fireIt(shim)).text).toContain('one\ntwo');
    expect(m.keeper().runtime).toBe(runtime);
    await expect.poll(() => isAlive(pid), WAIT).toBe(false);
  });
});

/** A process in the place of a keeper, which has its file and misbehaves. */
async function impostor(m: ReturnType<typeof machine>, how: string, hinted = true): Promise<ChildProcess> {
  const kept = m.keeper();
  m.keepers.add(kept.pid);
  const hints = readdirSync(m.folder).filter((name) => name.endsWith('.hint'));
  expect(hints).toHaveLength(1);
  const code = `
    const { createHmac } = require('node:crypto');
    const { writeFileSync, readFileSync, rmSync } = require('node:fs');
    const [how, file, text] = process.argv.slice(1);
    const kept = JSON.parse(text);
    kept.pid = process.pid; kept.address += 'x';
    if (kept.started) {
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      kept.started = boot + ':' + readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ')[19];
    }
    const proof = (nonces) => createHmac('sha256', Buffer.from(kept.secret, 'hex')).update(nonces.join('\\0')).digest('hex').slice(0, 32);
    process.on('SIGTERM', () => {});
    require('node:net').createServer((socket) => {
      socket.on('error', () => {});
      if (how === 'closes') return socket.destroy();
      if (how === 'hangs') return;
      if (how === 'endless') { const more = () => socket.write('x'.repeat(1 << 20), more); return more(); }
      socket.on('data', (chunk) => String(chunk).split('\\n').slice(0, -1).forEach((line) => {
        const message = JSON.parse(line);
        const say = (m) => socket.write(JSON.stringify(m) + '\\n');
        if (how === 'garbage') return socket.write('HTTP/1.1 400 Bad Request\\r\\n\\r\\n{{{\\n');
        if (how === 'no proof') return say({ nonce: 'ff', proof: '00'.repeat(16) });
        if (how === 'repeats') return say({ nonce: message.nonce, proof: message.proof ?? message.nonce });
        if (message.nonce) return say({ nonce: 'ff', proof: proof([message.nonce, 'ff']) });
        if (how === 'takes nothing') return;
        if (how === 'closes late') return message.call && socket.destroy();
        if (how === 'sends others away') return message.call && say({ id: message.id, elsewhere: true });
        if (message.call && how === 'takes and closes') return socket.end(JSON.stringify({ id: message.id, taken: true }) + '\\n');
        if (message.call && how === 'never answers') return say({ id: message.id, taken: true });
      }));
    }).listen(kept.address, () => {
      rmSync(file, { force: true });
      writeFileSync(file, JSON.stringify(kept), { mode: 0o600 });
      console.log('ready');
    });`;
  await m.end(kept);
  const file = join(m.folder, `${kept.id}.json`);
  const liar = spawn(process.execPath, ['-e', code, how, file, JSON.stringify(kept)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => liar.stdout.once('data', resolve));
  for (const hint of hinted ? hints : []) writeFileSync(join(m.folder, hint), kept.id, { mode: 0o600 });
  return liar;
}

const LIES = [
  'hangs',
  'garbage',
  'no proof',
  'takes nothing',
  'closes',
  'closes late',
  'repeats',
  'endless',
  'sends others away',
] as const;

describe('a keeper that misbehaves', () => {
  const cases = LIES.flatMap((how) => [true, false].map((hinted) => [how, hinted] as const));
  it.each(sample(cases, 3))(
    '%s (hinted: %s): the fire is answered, and the keeper replaced',
    async (how, hinted) => {
      const m = machine();
      const shim = m.shimOf();
      await m.fireIt(shim);
      const liar = await impostor(m, how, hinted);
      try {
        const began = Date.now();
        const ran = await m.fireIt(shim);
        expect(ran).toMatchObject({ code: 0, stderr: '', text: expect.stringContaining('one\ntwo') });
        expect(Date.now() - began).toBeLessThan(6000);
        expect((await m.fireIt(shim)).text).toContain('one\ntwo');
        expect(m.kept().map(({ pid }) => pid)).not.toContain(liar.pid);
        expect(m.kept()).toHaveLength(1);
        const lives = () => isAlive(liar.pid ?? 0);
        // Only a process that is known to be the keeper is killed, which Windows doesn't tell.
        if (!WINDOWS && !/^(?:closes|sends)/.test(how)) await expect.poll(lives, WAIT).toBe(false);
      } finally {
        liar.kill('SIGKILL');
      }
    },
  );

  it.each(['never answers', 'takes and closes'])(
    '%s, when it has taken a call: one deadline, then it is replaced',
    async (how) => {
      const m = machine([], { callMs: CALL_MS });
      const shim = m.shimOf([tool('two'), { text: 'Static.' }]);
      await m.fireIt(shim);
      const liar = await impostor(m, how);
      try {
        const ran = await m.fireIt(shim);
        expect(ran.text).toContain('Static.');
        expect(ran.text).not.toContain('two');
        expect((await m.fireIt(shim)).text).toContain('one\ntwo');
        if (!WINDOWS && how === 'never answers')
          await expect.poll(() => isAlive(liar.pid ?? 0), WAIT).toBe(false);
      } finally {
        liar.kill('SIGKILL');
      }
    },
  );

  it('is stopped: the fire is answered, and it is replaced', async () => {
    const m = machine();
    await m.fireIt(m.shimOf());
    const { pid } = m.keeper();
    m.keepers.add(pid);
    process.kill(pid, 'SIGSTOP');
    expect((await m.fireIt(m.shimOf())).text).toContain('one\ntwo');
    expect((await m.fireIt(m.shimOf())).text).toContain('one\ntwo');
    expect(m.keeper().pid).not.toBe(pid);
    await expect.poll(() => isAlive(pid), WAIT).toBe(false);
  });

  it('is dead, and left its file and socket', async () => {
    const m = machine();
    await m.fireIt(m.shimOf());
    const kept = m.keeper();
    m.keepers.add(kept.pid);
    process.kill(kept.pid, 'SIGKILL');
    await m.allGone();
    // Another process may have its number since.
    const file = join(m.folder, `${kept.id}.json`);
    writeFileSync(file, JSON.stringify({ ...kept, pid: process.pid }), { mode: 0o600 });
    expect((await m.fireIt(m.shimOf())).text).toContain('one\ntwo');
    expect(m.keeper().pid).not.toBe(process.pid);
  });

  it('is dead, and its file names a file of somebody else as its socket', async () => {
    const m = machine();
    await m.fireIt(m.shimOf());
    const kept = m.keeper();
    m.keepers.add(kept.pid);
    process.kill(kept.pid, 'SIGKILL');
    await m.allGone();
    const notes = join(m.home, 'notes');
    for (const address of [notes, join(m.folder, '..', '..', '..', 'notes')]) {
      writeFileSync(notes, 'mine');
      writeFileSync(join(m.folder, `${kept.id}.json`), JSON.stringify({ ...kept, address }), { mode: 0o600 });
      expect((await m.fireIt(m.shimOf())).text).toContain('one\ntwo');
      expect(readFileSync(notes, 'utf8')).toBe('mine');
      await m.end(m.keeper());
    }
  });

  it('keeps a server that answers nothing: that is ended after a call was given up', async () => {
    const m = machine([], { callMs: CALL_MS });
    await m.fireIt(m.shimOf());
    const [server = 0] = m.pids();
    m.keepers.add(m.keeper().pid);
    process.kill(server, 'SIGSTOP');
    await m.fireIt(m.shimOf());
    expect(m.logged().at(-1)).toMatchObject({ incident: 'tool.slow' });
    await m.allGone();
    expect((await m.fireIt(m.shimOf())).text).toContain('one\ntwo');
  });
});

it('passes on the largest answer of a server, whatever its letters', () => {
  const text = '\u8a9e'.repeat(LARGEST_ANSWER - 100);
  const got: unknown[] = [];
  const receive = reader(
    ({ result }) => got.push(result),
    () => got.push('bad'),
  );
  const line = Buffer.from(`${JSON.stringify({ id: 1, result: text })}\n`);
  for (let at = 0; at < line.length; at += 2 ** 16) receive(line.subarray(at, at + 2 ** 16));
  expect(got.map((one) => one === text)).toEqual([true]);
});

describe('who may talk to a keeper', () => {
  it('nobody without the secret', async () => {
    const m = machine();
    await m.fireIt(m.shimOf());
    const { address } = m.keeper();
    if (!WINDOWS) expect(statSync(m.folder).mode & 0o777).toBe(0o700);
    for (const name of WINDOWS ? [] : readdirSync(m.folder))
      if (name.endsWith('.json')) expect(statSync(join(m.folder, name)).mode & 0o777).toBe(0o600);
    const call = {
      id: 1,
      call: { method: 'tools/call', params: { name: 'two' }, by: Date.now() + 60_000, keepMs: 1 },
    };
    const nonce = 'ff'.repeat(16);
    for (const lines of [
      [call],
      [{ nonce }, call],
      [{ nonce }, { proof: '00'.repeat(16) }, call],
      ['no json'],
      [],
    ]) {
      const closed = await new Promise<string>((resolve) => {
        const socket = connect(address);
        let got = '';
        socket.on('data', (chunk) => (got += chunk));
        socket.on('close', () => resolve(got));
        for (const line of lines) socket.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
      });
      expect(closed).not.toContain('taken');
    }
    expect(m.entries().filter((line) => 'call' in line)).toHaveLength(1);
    expect((await m.fireIt(m.shimOf())).text).toContain('one\ntwo');
    expect(m.starts()).toBe(1);
  });

  // Windows has no modes.
  const open: [string, (m: Case['m']) => void][] = [
    ['a folder that others can read', (m) => chmodSync(m.folder, 0o755)],
    ['a file that others can read', (m) => chmodSync(join(m.folder, `${m.keeper().id}.json`), 0o644)],
  ];
  const NOT_OVER: typeof open = [
    ...(WINDOWS ? [] : open),
    [
      'a state folder that is a file',
      (m) => {
        rmSync(m.folder, { recursive: true });
        writeFileSync(m.folder, '');
      },
    ],
  ];
  it.each(NOT_OVER)('not over %s', async (_, change) => {
    const m = machine();
    await m.fireIt(m.shimOf());
    const kept = m.keeper();
    m.keepers.add(kept.pid);
    change(m);
    expect((await m.fireIt(m.shimOf())).text).toContain('one\ntwo');
    expect(m.starts()).toBe(2);
  });

  it('nobody where the path of a socket would be too long', async () => {
    const m = machine();
    const state = join(m.home, 'a'.repeat(60), 'state');
    mkdirSync(state, { recursive: true });
    expect((await m.fireIt(m.shimOf([tool('two')], { ...m.server, state }))).text).toContain('one\ntwo');
    expect(existsSync(join(state, 'warm'))).toBe(false);
    await m.allGone();
  });
});

describe('a soak of fires by several processes, with a server that dies at random', () => {
  it('answers or is silent, and leaves nothing', async () => {
    const m = machine(['--mortal', '12']);
    const [fires, processes] = ALL ? [500, 8] : [24, 4];
    // By default some of the fires run here, one among others.
    const shims = [process.execPath, ALL ? process.execPath : HERE].map((node) =>
      m.shimOf([tool('two'), { text: 'Static.' }], undefined, node),
    );
    let left = fires;
    let answered = 0;
    await Promise.all(
      Array.from({ length: processes }, async (_, i) => {
        const shim = shims[i % shims.length] as (typeof shims)[number];
        while (left-- > 0) {
          const ran = await m.fireIt(shim);
          expect(ran).toMatchObject({ code: 0, stderr: '', text: expect.stringContaining('Static.') });
          if (ran.text?.includes('one\ntwo')) answered++;
          for (const { pid } of m.kept()) m.keepers.add(pid);
        }
      }),
    );
    expect(m.kept().length).toBeLessThanOrEqual(1);
    expect(answered).toBeGreaterThan(fires * 0.7);
    expect(m.logged().filter(({ incident }) => incident === 'fire.failed')).toEqual([]);
  }, 600_000);
});
