import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LARGEST_ANSWER } from '../../src/fire/mcp/rpc.ts';
import { hintOf, idOf, lasting } from '../../src/fire/warm/keeper-file.ts';
import { messageParser } from '../../src/fire/warm/messages.ts';
import type { Definition } from '../../src/servers/types.ts';
import { ALL, LONG, sample } from '../effort.ts';
import { homeEnv, hookFile, inJson, WINDOWS } from '../platform.ts';
import { CALL_MS, fresh, HELPER, HELPERS, KEEP, type Machine, machines, tool, WAIT } from './warm-world.ts';
import { at, isAlive, wordsOf, type world } from './world.ts';

const { here: HERE, machine } = machines();

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

  it.runIf(LONG)('gives way after its idle time, with all that it started', async () => {
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

  it.runIf(LONG)('stays when a fire is killed, whose call is cancelled', async () => {
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

  it.runIf(LONG)('is told of a call that was given up, and stays', async () => {
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
    const start = lasting({ to: { command: 'x', args: [], cwd: tmpdir(), env }, variables: [] }, KEEP);
    return [idOf('annal', start), hintOf(own, tmpdir(), env, KEEP)];
  };
  expect(of('session-1')).toEqual(of('session-2'));
  expect(of('session-1')).not.toEqual(of('other'));
});

/** A definition in a client's file, which may change. */
function inFile(m: Machine) {
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
    place,
    shim: m.shimOf([tool('two')], { server_at: { ...place, keep: KEEP } }),
    change: () => write([...args, '--more']),
  };
}

interface Case {
  m: Machine;
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

  it.runIf(LONG)('is checked for each fire, whatever a hint says', async () => {
    const m = machine();
    const ask = m.shimOf([tool('environment', { names: ['TOKEN'] })]);
    const hints = () => readdirSync(m.folder).filter((name) => name.endsWith('.hint'));
    for (const TOKEN of ['a', 'b', 'a', 'b'])
      expect((await m.fireIt(ask, { TOKEN })).text).toContain(JSON.stringify([TOKEN]));
    expect(m.starts()).toBe(2);
    expect(hints()).toHaveLength(2);
    const [one = '', other = ''] = hints().map((name) => join(m.folder, name));
    const id = readFileSync(other, 'utf8');
    for (const text of sample([id, '', '../record', `${id}x`, 'f'.repeat(16)], 2)) {
      for (const file of [one, other]) writeFileSync(file, text);
      for (const TOKEN of ['a', 'b'])
        expect((await m.fireIt(ask, { TOKEN })).text).toContain(JSON.stringify([TOKEN]));
    }
    expect(m.starts()).toBe(2);
  });
});

it.runIf(ALL)(
  'leaves few hints, also where a variable that no server gets differs in each fire',
  async () => {
    const m = machine();
    const shim = m.shimOf();
    for (let i = 0; i < 18; i++) await m.fireIt(shim, { CLAUDE_PID: `${i}` });
    expect(m.starts()).toBe(1);
    expect(readdirSync(m.folder).filter((name) => name.endsWith('.hint'))).toHaveLength(16);
  },
);

it.runIf(LONG)('nothing is kept for a relative folder, which means another one to a keeper', async () => {
  const m = machine();
  for (let i = 0; i < 2; i++)
    expect((await m.fireIt(m.shimOf(), { CLAUDE_PROJECT_DIR: '.' })).text).toContain('one\ntwo');
  expect([m.starts(), m.kept()]).toEqual([2, []]);
});

describe('a kept server ends with all that it started', () => {
  it.each(LONG ? sample(ENDS, 5) : ENDS.slice(0, 1))('when %s', async (name, act) => {
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

  it.runIf(LONG)('when its definition changes, which only another client has', async () => {
    const m = machine();
    const { place, change } = inFile(m);
    const gone = { ...place, source: { ...place.source, file: join(m.home, 'gone.json') } };
    const shim = m.shimOf([tool('two')], { server_at: { ...gone, others: [place], keep: KEEP } });
    expect((await m.fireIt(shim)).text).toContain('one\ntwo');
    m.keepers.add(m.keeper().pid);
    // By then its keeper has looked at the files once.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    change();
    await m.allGone();
  });

  it.runIf(LONG).each<[string, (c: { change: () => void; job: { shim: string } }) => void]>([
    [
      'its hooks are removed',
      ({ job }) => {
        job.shim = join(dirname(dirname(job.shim)), 'gone', 'shim');
      },
    ],
    ['its definition changes', ({ change }) => change()],
  ])('when %s before its keeper looks at them', async (_, act) => {
    const m = machine();
    const { shim, change } = inFile(m);
    const job = {
      id: 'a'.repeat(16),
      folder: join(m.home, 'own'),
      start: { ...m.server.server_at.definition, cwd: m.project, env: { PATH: process.env.PATH } },
      data: { ...shim.data, state: m.state },
      startFolder: m.project,
      hookEnv: { ...homeEnv(m.home), PATH: process.env.PATH },
      shim: shim.path,
      runtime: m.runtime,
    };
    mkdirSync(job.folder, { mode: 0o700 });
    act({ change, job });
    const keeper = spawn(process.execPath, [join(m.runtime, 'warm-keeper.cjs')], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    keeper.stdin.end(JSON.stringify(job));
    await expect.poll(() => keeper.exitCode, { ...WAIT, timeout: 5000 }).toBe(0);
  });

  it.runIf(LONG)('at once when another folder has its path', async () => {
    const m = machine();
    const shim = m.shimOf();
    for (let i = 0; i < 2; i++) await m.fireIt(shim);
    m.keepers.add(m.keeper().pid);
    renameSync(m.project, `${m.project}-before`);
    mkdirSync(m.project);
    expect((await m.fireIt(shim)).text).toContain('one\ntwo');
    expect(m.starts()).toBe(2);
  });

  it.runIf(LONG)('but not when its definition is only written anew', async () => {
    const m = machine();
    const { shim } = inFile(m);
    await m.fireIt(shim);
    const file = join(m.home, '.claude.json');
    writeFileSync(file, `${readFileSync(file, 'utf8')} `);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    await m.fireIt(shim);
    expect(m.starts()).toBe(1);
  });

  it.runIf(LONG).each(sample([[[]], [['--stubborn']]], 2))(
    'within 2 s of a SIGKILL of its keeper: %j',
    async (more) => {
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
    },
  );

  it.runIf(ALL)('in few steps, also when it ignores SIGTERM', async () => {
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

  it.runIf(ALL)('when there are more than eight: the one unused longest', async () => {
    const m = machine();
    const shim = m.shimOf();
    const use = async (which: number): Promise<void> => {
      expect((await m.fireIt(shim, { WHICH: `${which}` })).text).toContain('one');
      for (const { pid } of m.kept()) m.keepers.add(pid);
    };
    for (let i = 0; i < 8; i++) await use(i);
    const [first = 0, second = 0] = m.pids();
    await use(0);
    await use(8);
    await expect.poll(() => isAlive(second), WAIT).toBe(false);
    expect(isAlive(first)).toBe(true);
    expect(m.kept()).toHaveLength(8);
    expect(m.pids().filter(isAlive)).toHaveLength(8);
  });

  it.runIf(LONG)('when another takes its place, but only after the calls under way', async () => {
    const m = machine();
    await m.fireIt(m.shimOf());
    const { pid, id } = m.keeper();
    m.keepers.add(pid);
    const [server = 0] = m.pids();
    const calls = () => m.entries().filter((line) => 'call' in line).length;
    let underWay = true;
    const slow = m.fireIt(m.shimOf([tool('slow', { ms: 3500 })])).finally(() => {
      underWay = false;
    });
    await expect.poll(calls, WAIT).toBe(2);
    rmSync(join(m.folder, `${id}.json`));
    // By then it has seen that.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect((await m.fireIt(m.shimOf())).text).toContain('one\ntwo');
    expect(m.starts()).toBe(2);
    expect(m.keeper().pid).not.toBe(pid);
    // On a busy machine the call may be over.
    if (underWay) expect(isAlive(server)).toBe(true);
    expect((await slow).text).toContain('late');
    for (const one of [pid, server]) await expect.poll(() => isAlive(one), WAIT).toBe(false);
  });

  it.runIf(LONG)('when another takes its place, for which a call that was given up is no use', async () => {
    const m = machine(['--mute'], { callMs: CALL_MS });
    expect((await m.fireIt(m.shimOf())).stdout).toBe('');
    const { id } = m.keeper();
    const usedAt = (): number => statSync(join(m.folder, `${id}.json`)).mtimeMs;
    const before = usedAt();
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(usedAt()).toBe(before);
  });

  it.runIf(LONG).each<[string, number, string[], (m: Machine) => void]>([
    ['eight hours after its start', 8 * 3600 * 1000, [], () => {}],
    [
      '15 s after another takes its place, when it answers nothing',
      15_000,
      ['--mute'],
      (m) => rmSync(join(m.folder, `${m.keeper().id}.json`)),
    ],
  ])('at the latest %s', async (_, ms, flags, act) => {
    const m = machine(flags, { callMs: CALL_MS });
    const program = join(m.runtime, 'warm-keeper.cjs');
    const sooner = `{ const later = setTimeout; globalThis.setTimeout = (run, ms) => later(run, ms === ${ms} ? ${CALL_MS} : ms); }`;
    writeFileSync(program, `${sooner}\n${readFileSync(program, 'utf8')}`);
    await m.fireIt(m.shimOf());
    m.keepers.add(m.keeper().pid);
    act(m);
    await m.allGone();
    expect(m.kept()).toEqual([]);
  });

  it.runIf(LONG)('when a fire of another runtime needs it', async () => {
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

it.runIf(LONG)('passes on the largest answer of a server, whatever its letters', () => {
  const text = '\u8a9e'.repeat(LARGEST_ANSWER - 100);
  const got: unknown[] = [];
  const receive = messageParser(
    ({ result }) => got.push(result),
    () => got.push('bad'),
  );
  const line = Buffer.from(`${JSON.stringify({ id: 1, result: text })}\n`);
  for (let at = 0; at < line.length; at += 2 ** 16) receive(line.subarray(at, at + 2 ** 16));
  expect(got.map((one) => one === text)).toEqual([true]);
});

describe('a soak of fires by several processes, with a server that dies at random', () => {
  it.runIf(LONG)(
    'answers or is silent, and leaves nothing',
    async () => {
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
      // A death takes the calls of all processes along: of few fires, a few deaths are a large part.
      expect(answered).toBeGreaterThan(fires * (ALL ? 0.7 : 0.3));
      expect(m.logged().filter(({ incident }) => incident === 'fire.failed')).toEqual([]);
    },
    600_000,
  );
});
