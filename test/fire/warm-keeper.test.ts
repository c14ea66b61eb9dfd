import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type KeeperFile, removeKeeperFile } from '../../src/fire/warm/keeper-file.ts';
import { proofsOf } from '../../src/fire/warm/proof.ts';
import { ALL, LONG, sample } from '../effort.ts';
import { canMount } from '../mount.ts';
import { WINDOWS } from '../platform.ts';
import { CALL_MS, type Machine, machines, tool, WAIT } from './warm-world.ts';
import { isAlive } from './world.ts';

const { machine } = machines();

/** A process in the place of a keeper, which has its file and misbehaves. */
async function impostor(m: Machine, how: string, hinted = true): Promise<ChildProcess> {
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

/** Kills the keeper of a first fire. Returns what its file says. */
async function killed(m: Machine): Promise<KeeperFile> {
  await m.fireIt(m.shimOf());
  const kept = m.keeper();
  m.keepers.add(kept.pid);
  process.kill(kept.pid, 'SIGKILL');
  await m.allGone();
  return kept;
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

/** Returns a machine whose kept server hangs, after a call without an answer. */
async function withHanging() {
  const m = machine([], { callMs: CALL_MS });
  await m.fireIt(m.shimOf());
  const [server = 0] = m.pids();
  m.keepers.add(m.keeper().pid);
  process.kill(server, 'SIGSTOP');
  await m.fireIt(m.shimOf());
  return { m, server };
}

describe('a keeper that misbehaves', () => {
  const cases = LIES.flatMap((how) => [true, false].map((hinted) => [how, hinted] as const));
  it.each(LONG ? sample(cases, 5) : sample(cases, 5).slice(1, 2))(
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

  it.runIf(LONG).each(['never answers', 'takes and closes'])(
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

  it.runIf(LONG)('is stopped: the fire is answered, and it is replaced', async () => {
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
    const kept = await killed(m);
    // Another process may have its number since.
    const file = join(m.folder, `${kept.id}.json`);
    writeFileSync(file, JSON.stringify({ ...kept, pid: process.pid }), { mode: 0o600 });
    expect((await m.fireIt(m.shimOf())).text).toContain('one\ntwo');
    expect(m.keeper().pid).not.toBe(process.pid);
  });

  it.runIf(LONG)('is dead, and its file names a file of somebody else as its socket', async () => {
    const m = machine();
    const kept = await killed(m);
    const notes = join(m.home, 'notes');
    for (const address of sample([notes, join(m.folder, '..', '..', '..', 'notes')], 2)) {
      writeFileSync(notes, 'mine');
      writeFileSync(join(m.folder, `${kept.id}.json`), JSON.stringify({ ...kept, address }), { mode: 0o600 });
      expect((await m.fireIt(m.shimOf())).text).toContain('one\ntwo');
      expect(readFileSync(notes, 'utf8')).toBe('mine');
      await m.end(m.keeper());
    }
  });

  it('is killed as it starts, as where memory is short: no fire waits for it', async () => {
    const m = machine([], { callMs: CALL_MS });
    writeFileSync(join(m.runtime, 'warm-keeper.cjs'), "process.kill(process.pid, 'SIGKILL');");
    expect((await m.fireIt(m.shimOf())).text).toContain('one\ntwo');
    expect(m.kept()).toEqual([]);
  });

  it.runIf(ALL)('keeps a server that answers nothing: that is ended after a call was given up', async () => {
    const { m } = await withHanging();
    expect(m.logged().at(-1)).toMatchObject({ incident: 'tool.slow' });
    await m.allGone();
    expect((await m.fireIt(m.shimOf())).text).toContain('one\ntwo');
  });

  it.runIf(LONG)(
    'keeps a server that answers nothing: fires do without it before that is known',
    async () => {
      const { m, server } = await withHanging();
      expect(isAlive(server)).toBe(true);
      for (let i = 0; i < 2; i++) expect((await m.fireIt(m.shimOf())).text).toContain('one\ntwo');
      await expect.poll(() => isAlive(server), WAIT).toBe(false);
    },
  );

  it.runIf(LONG)(
    'keeps a server that is busy for a moment: it stays the kept one, whatever came meanwhile',
    async () => {
      const { m, server } = await withHanging();
      expect((await m.fireIt(m.shimOf())).text).toContain('one\ntwo');
      process.kill(server, 'SIGCONT');
      const starts = m.starts();
      await new Promise((resolve) => setTimeout(resolve, 1000));
      expect((await m.fireIt(m.shimOf())).text).toContain('one\ntwo');
      expect([isAlive(server), m.starts()]).toEqual([true, starts]);
    },
  );
});

describe('who may talk to a keeper', () => {
  it('nobody without the secret', async () => {
    const m = machine();
    await m.fireIt(m.shimOf());
    const { address } = m.keeper();
    if (!WINDOWS) expect(statSync(m.folder).mode & 0o777).toBe(0o700);
    for (const name of WINDOWS ? [] : readdirSync(m.folder))
      if (name.endsWith('.json') || lstatSync(join(m.folder, name)).isSocket())
        expect(statSync(join(m.folder, name)).mode & 0o777).toBe(0o600);
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

  it('a fire that knows the secret, but for a call that it gave up before the keeper read it', async () => {
    const m = machine();
    await m.fireIt(m.shimOf());
    const { address, secret } = m.keeper();
    const calls = (): number => m.entries().filter((line) => 'call' in line).length;
    const call = (ms: number) => ({
      call: { method: 'tools/call', params: { name: 'two' }, by: Date.now() + ms, keepMs: 60_000 },
    });
    const answers = await new Promise<string>((resolve) => {
      const socket = connect(address);
      let got = '';
      socket.on('data', (chunk) => {
        got += chunk;
        const [, nonce] = /^\{"nonce":"(\w+)".*\}\n$/.exec(got) ?? [];
        const { fire: proof } = proofsOf(secret, { fire: 'a', keeper: `${nonce}` });
        const sent = [
          { proof, id: 1, ...call(-1) },
          { id: 2, ...call(60_000) },
        ];
        if (nonce) socket.write(sent.map((line) => `${JSON.stringify(line)}\n`).join(''));
        if (!got.includes('"result"')) return;
        socket.destroy();
        resolve(got);
      });
      socket.write('{"nonce":"a"}\n');
    });
    expect(answers).not.toContain('"id":1');
    expect(calls()).toBe(2);
  });

  it.runIf(LONG)(
    'no further call once another takes its place, which would end it in the middle',
    async () => {
      const m = machine();
      await m.fireIt(m.shimOf());
      const { id, address, secret } = m.keeper();
      m.keepers.add(m.keeper().pid);
      const call = (name: string, args = {}) => ({
        call: {
          method: 'tools/call',
          params: { name, arguments: args },
          by: Date.now() + 60_000,
          keepMs: 60_000,
        },
      });
      const socket = connect(address);
      const send = (line: object) => socket.write(`${JSON.stringify(line)}\n`);
      let got = '';
      socket.on('data', (chunk) => {
        got += chunk;
        const [, nonce] = /^\{"nonce":"(\w+)".*\}\n$/.exec(got) ?? [];
        const { fire: proof } = proofsOf(secret, { fire: 'a', keeper: `${nonce}` });
        if (nonce) send({ proof, id: 1, ...call('slow', { ms: 3500 }) });
      });
      send({ nonce: 'a' });
      await expect.poll(() => got, WAIT).toContain('"taken":true');
      rmSync(join(m.folder, `${id}.json`));
      // By then it has seen that.
      await new Promise((resolve) => setTimeout(resolve, 1500));
      send({ id: 2, ...call('two') });
      await expect.poll(() => got, WAIT).toContain('"result"');
      expect(got).toContain('{"id":2,"elsewhere":true}');
      await m.allGone();
    },
  );

  // Windows has no modes.
  const open: [string, (m: Machine) => void][] = [
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
  it.each(LONG ? NOT_OVER : NOT_OVER.slice(0, 1))('not over %s', async (_, change) => {
    const m = machine();
    await m.fireIt(m.shimOf());
    const kept = m.keeper();
    m.keepers.add(kept.pid);
    change(m);
    expect((await m.fireIt(m.shimOf())).text).toContain('one\ntwo');
    expect(m.starts()).toBe(2);
  });

  it.skipIf(!canMount)('nobody on a full disk: no fire waits for a keeper', async () => {
    const m = machine([], { callMs: CALL_MS });
    mkdirSync(m.folder, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4k,mode=700', 'tmpfs', m.folder]);
    try {
      spawnSync('dd', ['if=/dev/zero', `of=${join(m.folder, 'filler')}`, 'bs=1k']);
      expect((await m.fireIt(m.shimOf())).text).toContain('one\ntwo');
      expect(readdirSync(m.folder)).toEqual(['filler']);
    } finally {
      execFileSync('umount', [m.folder]);
    }
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

it('an earlier keeper that ends leaves the file of a later one', async () => {
  const m = machine();
  await m.fireIt(m.shimOf());
  const kept = m.keeper();
  removeKeeperFile(m.folder, { ...kept, secret: '00' });
  expect(m.kept()).toEqual([kept]);
});
