import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { CLIENTS } from '../../src/clients/index.ts';
import type { FireHook } from '../../src/fire/format.ts';
import { LOG_FILE } from '../../src/fire/own-folders.ts';
import { readLog } from '../../src/inspect/log.ts';
import { ALL, cpuTime, LONG, sample } from '../effort.ts';
import { canMount } from '../mount.ts';
import { nodeHere } from '../node-here/start.ts';
import { homeEnv, WINDOWS } from '../platform.ts';
import {
  captured,
  capturedAs,
  commandOf,
  type Fired,
  samplesOf,
  served,
  startFolders,
  world,
} from './world.ts';

const w = world({ node: nodeHere({ servers: true }) });
const file = join(w.state, LOG_FILE);
const config = join(w.home, '.config/mcphooks/config.json');

afterEach(() => {
  rmSync(w.state, { recursive: true, force: true });
  rmSync(config, { force: true });
  mkdirSync(w.state, { recursive: true, mode: 0o700 });
});
mkdirSync(w.state, { recursive: true, mode: 0o700 });
mkdirSync(join(w.home, '.config/mcphooks'), { recursive: true });

const prompt = captured('claude-code', 'UserPromptSubmit');
const session = String(prompt.session_id);
const TEXT = 'Read "this" first: é 😀, 100 %\nand \\this.';
const fixed: Partial<FireHook> = { event: 'pre_request', text: TEXT };
const always = (hooks = [fixed], client = 'claude-code') => w.shim(client, 'UserPromptSubmit', hooks);
/** Code points and a quarter of the bytes, counted anew. */
const sizes = (text = '') => ({
  chars: [...text].length,
  tokens: Math.ceil(Buffer.from(text).length / 4),
});

const SHELLS = ['sh', 'dash', 'bash', 'zsh', 'ksh', 'mksh', 'posh', 'busybox'];

describe('a text that the shell gives', () => {
  it('is logged whatever variables of these names the client has', async () => {
    const evil = join(w.home, 'evil');
    const victim = join(w.home, 'victim');
    writeFileSync(evil, `${victim}\n"n":1\n`);
    writeFileSync(victim, '');
    await w.fire(always(), prompt, { lines: evil, why: 'x', unsure: '1', once: victim, id: 'x', log: evil });
    expect(w.log()).toHaveLength(1);
    expect(readFileSync(victim, 'utf8')).toBe('');
  });

  it('is one line of the log', async () => {
    const ran = await w.fire(always(), prompt, { TZ: 'JST-9' });
    expect(w.log()).toEqual([
      {
        at: expect.stringMatching(/^20/),
        server: 'annal',
        client: 'claude-code',
        native: 'UserPromptSubmit',
        n: 1,
        event: 'pre_request',
        ...sizes(ran.text),
        tag: '7f3ac2e1',
        session,
        project: w.project,
      },
    ]);
    expect(Math.abs(Date.parse(w.log()[0]?.at ?? '') - Date.now())).toBeLessThan(20_000);
    if (!WINDOWS) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each(sample(SHELLS.filter(isThere), 3))('is logged by %s', async (name) => {
    const shell = { busybox: ['busybox', 'sh'], zsh: ['zsh', '--emulate', 'sh'] }[name] ?? [name];
    const project = join(w.home, `a "b" \\c %d é $x`);
    mkdirSync(project, { recursive: true });
    writeFileSync(config, '{\n  "log": true,\n  "texts" :\ttrue\n}');
    const shim = always([fixed, { ...fixed, text: 'Two.' }]);
    const ran = await w.start([...shell, shim.path], prompt, {
      CLAUDE_PROJECT_DIR: project,
      XDG_CONFIG_HOME: '',
    }).done;
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(w.log()).toMatchObject([
      { n: 1, session, project, text: TEXT },
      { n: 2, session, project, text: 'Two.' },
    ]);
  });

  it.skipIf(WINDOWS)('is one line even in a folder with a line end in its name', async () => {
    const project = join(w.home, 'a\n{"at":"2026-01-01T00:00:00Z","server":"forged"}\nb');
    mkdirSync(project, { recursive: true });
    await w.fire(always(), prompt, { CLAUDE_PROJECT_DIR: project });
    expect(w.log()).toMatchObject([{ n: 1, session, project: '' }]);
  });

  it.skipIf(WINDOWS)('is JSON even in a folder with a control character in its name', async () => {
    const project = join(w.home, 'a\tb\u001bc');
    mkdirSync(project, { recursive: true });
    await w.fire(always(), prompt, { CLAUDE_PROJECT_DIR: project });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ n: 1, session, project: '' });
  });

  it('stands there without secrets, and as it was given, whatever it imitates', async () => {
    writeFileSync(config, '{ "texts": true }');
    const secret = { ...fixed, text: 'A header: Bearer hidden-1' };
    const imitates = { ...fixed, text: 'One.\n[/mcphooks 0]\n\n[mcphooks 0 | x]\nForged.' };
    await w.fire(always([secret, imitates, { ...fixed, text: 'Three.' }]), prompt);
    expect(readFileSync(file, 'utf8')).not.toContain('hidden-1');
    expect(w.log()).toMatchObject([{ n: 1 }, { n: 2, text: imitates.text }, { n: 3, text: 'Three.' }]);
  });

  it('stands there unless it is long, so that a line is written whole', async () => {
    writeFileSync(config, '{ "texts": true }');
    const [long, longest] = ['x'.repeat(2501), 'y'.repeat(2500)];
    await w.fire(
      always([
        { ...fixed, text: long },
        { ...fixed, text: longest },
      ]),
      prompt,
    );
    expect(w.log().map(({ n, text }) => [n, text])).toEqual([
      [1, undefined],
      [2, longest],
    ]);
  });

  it('says that mcphooks fire ran it', async () => {
    await w.fire(always(), prompt, { MCPHOOKS_WHY: '/nowhere/mcphooks-why' });
    await w.fire(always(), prompt, { MCPHOOKS_WHY: '1' });
    const [byHand, ...rest] = w.log();
    expect(byHand).toMatchObject({ n: 1, try: true });
    expect(rest).toEqual([expect.not.objectContaining({ try: true })]);
  });
});

describe('a text that node gives', () => {
  const hook: Partial<FireHook> = { event: 'pre_request', text: 'In {project_name}.' };

  it('is one line of the log, with the time it took', async () => {
    const shim = always([hook, { event: 'pre_request', call: { tool: 'two', args: {} } }]);
    Object.assign(shim.data, served());
    writeFileSync(`${shim.path}.json`, JSON.stringify(shim.data));
    const ran = await w.fire(shim, prompt);
    const texts = ran.text?.split('\n\n') ?? [];
    expect(w.log()).toMatchObject([
      { n: 1, event: 'pre_request', ...sizes(texts[0]), session, project: w.project },
      { n: 2, ...sizes(texts[1]), server: 'annal', client: 'claude-code', native: 'UserPromptSubmit' },
    ]);
    expect(w.log()[0]?.ms).toBeGreaterThan(5);
    expect(w.log()[0]).not.toHaveProperty('text');
    if (!WINDOWS) expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('stands there when the configuration says so, secrets masked', async () => {
    writeFileSync(config, '{ "texts": true }');
    const text = 'In {project_name}: ghp_abcdefghijklmnopqrstuv, Authorization: Bearer hidden-1';
    await w.fire(always([{ ...hook, text }]), prompt);
    expect(w.log()).toMatchObject([{ n: 1, text: 'In shop: ***, Authorization: Bearer ***' }]);
  });

  it('is cut there, so that a line is written whole', async () => {
    writeFileSync(config, '{ "texts": true }');
    const long = { ...hook, text: `{project_name}${'"é\n'.repeat(1_500)}` };
    // What escapes add to this one makes its line too long.
    const escaped = { ...hook, text: `{project_name}${'"'.repeat(2_400)}` };
    await w.fire(always([long, escaped]), prompt);
    expect(w.log().map(({ n, text }) => [n, text !== undefined])).toEqual([
      [1, true],
      [2, false],
    ]);
    for (const line of readFileSync(file, 'utf8').split('\n'))
      expect(Buffer.byteLength(line)).toBeLessThan(4096);
  });
});

describe('a hook without a text', () => {
  it.each([
    ['its cooldown', { text: '{project_name}', cooldownMs: 60_000 }, 2, { silence: 'cooldown' }],
    ['a condition', { text: '{project_name}', when: { files: ['none'] } }, 1, { silence: 'when.files' }],
    ['its tool failed', { call: { tool: 'failing', args: {} } }, 1, { incident: 'tool.failed' }],
  ] as const)('is a line when it matched: %s', async (_, hook, times, line) => {
    const shim = w.shim(
      'claude-code',
      'UserPromptSubmit',
      [{ event: 'pre_request', ...hook } as never],
      served(),
      {},
    );
    for (let i = 0; i < times; i++) await w.fire(shim, prompt);
    expect(w.log().at(-1)).toMatchObject({
      n: 1,
      event: 'pre_request',
      session,
      project: w.project,
      ...line,
    });
  });

  const hook = { event: 'pre_request', text: '{project_name}' } as const;
  const quiet = [
    ['a cooldown', { cooldownMs: 60_000 }, 'cooldown'],
    ['a cooldown for the session', { cooldownMs: null }, 'cooldown.session'],
    ['a missing file', { when: { files: ['none', '*.none'] } }, 'when.files'],
    ['a call of its own tool', { when: { unlessCalled: true } }, 'when.called'],
  ] as const;
  it.each(quiet)('is a line where the shell alone decides: %s', async (_, more, silence) => {
    const shim = w.shim('claude-code', 'UserPromptSubmit', [{ ...hook, ...more } as never], {}, undefined, {
      node: '/no/node',
    });
    const marks = join(w.state, 'sessions', 'claude-code', 'annal');
    const folder = /^.+sessions.+$/m.exec(readIfThere(`${shim.path}.marks`))?.[0] ?? marks;
    mkdirSync(join(folder, session), { recursive: true });
    writeFileSync(join(folder, session, 'cooldown.1'), silence === 'cooldown' ? `${Date.now() + 9e6}\n` : '');
    writeFileSync(join(folder, session, 'called.1'), '');
    const ran = await w.fire(shim, prompt, { PATH: w.bare }, w.home);
    expect(ran).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(w.log()).toEqual([
      {
        at: expect.any(String),
        server: 'annal',
        client: 'claude-code',
        native: 'UserPromptSubmit',
        n: 1,
        event: 'pre_request',
        session,
        project: w.project,
        silence,
      },
    ]);
    rmSync(file);
    writeFileSync(config, '{"log":false}');
    await w.fire(shim, prompt, { PATH: w.bare });
    expect(existsSync(file)).toBe(false);
  });

  it('is no line for a prompt that is none, and where hooks are off', async () => {
    const missing = { ...hook, when: { files: ['none'] } };
    const shim = w.shim('claude-code', 'UserPromptSubmit', [missing] as never);
    await w.fire(shim, prompt);
    expect(w.log()).toMatchObject([{ silence: 'when.files' }]);
    await w.fire(shim, { ...prompt, prompt: '<task-notification>\nDone.' });
    await w.fire(shim, prompt, { MCPHOOKS_DISABLE: 'annal' });
    expect(w.log()).toHaveLength(1);
  });

  it.each(sample([...SHELLS, 'yash'].filter(isThere), 3, 1))(
    'is a line for each hook with its own cause, by %s',
    async (name) => {
      const shell = { busybox: ['busybox', 'sh'], zsh: ['zsh', '--emulate', 'sh'] }[name] ?? [name];
      const hooks = [
        { ...hook, cooldownMs: 60_000 },
        { ...hook, when: { unlessCalled: true } },
        { ...hook, mark: 'ab12', cooldownMs: null, when: { unlessCalled: true } },
      ];
      const shim = w.shim('claude-code', 'UserPromptSubmit', hooks as never);
      await w.fire(shim, prompt);
      const folder = /^.+$/m.exec(readIfThere(`${shim.path}.marks`))?.[0] ?? '';
      writeFileSync(join(folder, session, 'called.2'), '');
      rmSync(file);
      expect(await w.start([...shell, shim.path], prompt).done).toMatchObject({
        code: 0,
        stdout: '',
        stderr: '',
      });
      expect(w.log().map(({ n, silence }) => [n, silence])).toEqual([
        [1, 'cooldown'],
        [2, 'when.called'],
        [3, 'cooldown.session'],
      ]);
    },
  );

  it('is a line where the payload names no session', async () => {
    const shim = w.shim('claude-code', 'UserPromptSubmit', [{ ...hook, when: { files: ['none'] } }]);
    const { session_id, ...nameless } = prompt;
    expect(await w.fire(shim, capturedAs('UserPromptSubmit', nameless))).toMatchObject({
      code: 0,
      stdout: '',
    });
    expect(w.log()).toMatchObject([{ n: 1, silence: 'when.files' }]);
  });

  it('is no line where the client drops texts and none is waiting', async () => {
    const shim = w.shim(
      'gemini-cli',
      'AfterTool',
      [
        { does: 'emit-deferred', event: 'pre_tool_use' },
        { does: 'emit', text: '{project_name}' },
        { does: 'emit-deferred' },
      ].map((one, i) => ({ ...one, n: i === 0 ? 1 : 2 })) as never,
      { payload: { keepIf: 'tool_response.error' } },
    );
    const payload = captured('gemini-cli', 'AfterTool.error');
    const failing = { ...payload, tool_response: { ...(payload.tool_response as object), error: 'x' } };
    await w.fire(shim, capturedAs('AfterTool', failing));
    expect(w.log().map(({ n, silence }) => [n, silence])).toEqual([[2, 'kept']]);
    await w.fire(shim, capturedAs('AfterTool', failing));
    expect(w.log().filter(({ n }) => n === 1)).toEqual([]);
  });

  it('is left to node where only it can tell whether the hook matched', async () => {
    const match = { name: '^Bash$', contains: 'git commit' };
    const shim = w.shim('claude-code', 'PostToolUse', [{ text: '{project_name}', match, cooldownMs: null }]);
    const payload = captured('claude-code', 'PostToolUse.Bash');
    const fire = (command: string) => w.fire(shim, { ...payload, tool_input: { command } });
    await fire('git commit');
    expect((await fire('git commit -a')).text).toBeUndefined();
    await fire('ls');
    await w.fire(shim, { ...payload, tool_name: 'Other', tool_input: { command: 'git commit' } });
    expect(w.log().map(({ silence }) => silence)).toEqual([undefined, 'cooldown.session']);
  });

  it('is none for a payload that is no prompt of the user', async () => {
    const shim = w.shim('claude-code', 'UserPromptSubmit', [{ ...hook, cooldownMs: null }], {
      payload: { skipIf: 'agent_id' },
    });
    await w.fire(shim, prompt);
    await w.fire(shim, { ...prompt, agent_id: 'a' });
    expect(w.log()).toHaveLength(1);
  });

  it('is a line when the budget of the session is spent', async () => {
    const shim = w.shim('claude-code', 'UserPromptSubmit', [fixed], { sessionBudget: 10 });
    await w.fire(shim, prompt);
    expect(w.log()).toMatchObject([{ n: 1, incident: 'budget.session', session }]);
  });

  it('is no line when it did not match', async () => {
    const match = { name: '^Bash$', contains: 'git' };
    const shim = w.shim('claude-code', 'PostToolUse', [{ text: '{project_name}', match }]);
    const payload = captured('claude-code', 'PostToolUse.Bash');
    await w.fire(shim, { ...payload, tool_input: { command: 'ls' } });
    await w.fire(shim, { ...payload, tool_name: 'Other', tool_input: { command: 'git' } });
    expect(existsSync(file)).toBe(false);
  });
});

it.each(sample(CLIENTS, 2).map(({ id }) => id))('logs a text of %s', async (id) => {
  const name = samplesOf(id).prompt;
  const native = name.split('.')[0] ?? '';
  const shim = w.shim(id, native, [{ event: 'pre_request', text: 'In {project_name}.' }]);
  const ran = await w.fire({ ...shim }, captured(id, name));
  if (ran.text === undefined) return expect(w.log()).toEqual([]);
  expect(w.log()).toMatchObject([{ client: id, native, ...sizes(ran.text), session: expect.any(String) }]);
});

describe('the configuration file', () => {
  it.each(sample(['{"log":false}', '{\n "log" : \n\tfalse }', '{ "texts": true, "log":  false }'], 2))(
    'turns the log off: %s',
    async (text) => {
      writeFileSync(config, text);
      await w.fire(always(), prompt);
      await w.fire(always([{ ...fixed, text: '{project_name}' }]), prompt);
      expect(existsSync(file)).toBe(false);
    },
  );

  it('turns the log off where XDG_CONFIG_HOME says', async () => {
    const XDG_CONFIG_HOME = join(w.home, 'elsewhere');
    mkdirSync(join(XDG_CONFIG_HOME, 'mcphooks'), { recursive: true });
    writeFileSync(join(XDG_CONFIG_HOME, 'mcphooks/config.json'), '{"log":false}');
    await w.fire(always(), prompt, { XDG_CONFIG_HOME });
    await w.fire(always([{ ...fixed, text: '{project_name}' }]), prompt, { XDG_CONFIG_HOME });
    expect(existsSync(file)).toBe(false);
  });
});

describe('a log that can not be written', () => {
  const shims = () => [always(), always([{ ...fixed, text: '{project_name}' }])];
  const fire = async (): Promise<void> => {
    for (const shim of shims()) {
      const begin = performance.now();
      const { code, stderr, text } = await w.fire(shim, prompt);
      expect({ code, stderr, said: text !== undefined }).toEqual({ code: 0, stderr: '', said: true });
      expect(performance.now() - begin).toBeLessThan(5_000);
    }
  };

  it('may be a link', async () => {
    const other = join(w.home, 'other');
    writeFileSync(other, '');
    symlinkSync(other, file);
    await fire();
    rmSync(other);
    await fire();
    expect(existsSync(other)).toBe(false);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
  });

  it('may be a pipe that nobody reads', async () => {
    execFileSync('mkfifo', [file]);
    await fire();
    expect(lstatSync(file).isFIFO()).toBe(true);
  });

  it('may be a folder', async () => {
    mkdirSync(file);
    await fire();
    expect(readdirSync(file)).toEqual([]);
  });

  it('may lead to a full disk, and has all lines of later fires', async () => {
    symlinkSync('/dev/full', file);
    await fire();
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    rmSync(file);
    await fire();
    expect(w.log()).toMatchObject([{ session }, { session, ms: expect.any(Number) }]);
  });

  it.skipIf(!ALL || !canMount)('may be on a small disk that fills up', async () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=700', 'tmpfs', w.state]);
    try {
      const [byShell, byNode] = shims();
      for (const shim of [byShell, byNode]) await w.fire(shim as Fired, prompt);
      const before = w.log().length;
      // Nothing but the end of the last block is free.
      spawnSync('dd', ['if=/dev/zero', `of=${join(w.state, 'filler')}`, 'bs=1k']);
      for (let i = 0; i < 40; i++)
        for (const shim of i < 35 ? [byShell] : [byShell, byNode]) {
          const { code, stderr, text } = await w.fire(shim as Fired, { ...prompt, session_id: `s${i % 2}` });
          expect({ code, stderr, said: text !== undefined }).toEqual({ code: 0, stderr: '', said: true });
        }
      rmSync(join(w.state, 'filler'));
      const full = w.log().length;
      expect(full).toBeGreaterThanOrEqual(before);
      await w.fire(byShell as Fired, prompt);
      await w.fire(byNode as Fired, prompt);
      expect(w.log()).toHaveLength(full + 2);
      expect(w.log().slice(-2)).toMatchObject([{ session }, { session, ms: expect.any(Number) }]);
    } finally {
      execFileSync('umount', [w.state]);
    }
  });

  it('may be in a folder that can not be written', async () => {
    writeFileSync(join(w.home, 'file'), '');
    rmSync(w.state, { recursive: true });
    symlinkSync(join(w.home, 'file'), w.state);
    await fire();
    rmSync(w.state);
  });
});

describe('a log that grows', () => {
  const line = (n: number): string =>
    `${JSON.stringify({ at: '2026-01-01T00:00:00Z', server: 'annal', n, chars: 1, tokens: 1, text: 'x'.repeat(900) })}\n`;
  const big = (from: number): string => Array.from({ length: 1_100 }, (_, i) => line(from + i)).join('');

  it.runIf(LONG)('loses its oldest lines first, and stays below 5 MB', async () => {
    const shim = always([{ ...fixed, text: '{project_name}' }]);
    for (let i = 1; i <= 8; i++) {
      writeFileSync(file, big(i * 10_000));
      await w.fire(shim, prompt);
      await new Promise((done) => setTimeout(done, 5));
    }
    const sizes = readdirSync(w.state).map((name) => statSync(join(w.state, name)).size);
    expect(sizes.reduce((a, b) => a + b)).toBeLessThan(5_000_000);
    const kept = w.log().filter(({ n = 0 }) => n >= 10_000);
    expect(kept[0]?.n).toBeGreaterThan(10_000);
    expect(kept.at(-1)?.n).toBe(81_099);
  });

  it('cuts a long session id', async () => {
    const shim = always([{ ...fixed, text: '{project_name}' }]);
    await w.fire(shim, { ...prompt, session_id: 's'.repeat(1_000_000) });
    expect(w.log()).toMatchObject([{ n: 1, session: expect.stringMatching(/^s{100,300}$/) }]);
  });

  it('is made smaller by a session in which the shell alone gives texts', async () => {
    writeFileSync(file, big(10_000));
    const shim = always();
    expect((await w.fire(shim, prompt)).text).toContain('Read');
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined();
    expect((await w.fire(shim, prompt)).text).toContain('Read');
    expect(w.log().filter(({ session: at }) => at === session)).toHaveLength(2);
  });

  it.runIf(ALL)('is made smaller where the shell alone keeps a hook from a text', async () => {
    const shim = w.shim('claude-code', 'UserPromptSubmit', [
      { ...fixed, text: '{project_name}', when: { files: ['none'] } },
    ]);
    writeFileSync(file, big(10_000));
    // It looks in one second of ten.
    const last = Date.now() + 30_000;
    while (statSync(file, { throwIfNoEntry: false }) && Date.now() < last) await w.fire(shim, prompt);
    const lines = w.log().filter(({ session: at }) => at === session);
    expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined();
    expect(lines.map(({ silence }) => silence)).toEqual(lines.map(() => 'when.files'));
    expect(lines.at(-1)).toHaveProperty('ms');
  });

  it('is no reason to give no text where node is gone', async () => {
    writeFileSync(file, big(10_000));
    const shim = w.shim('claude-code', 'UserPromptSubmit', [fixed], {}, undefined, { node: '/no/node' });
    expect((await w.fire(shim, prompt, { PATH: w.bare })).text).toContain('Read');
  });

  it('stops growing where node is gone', async () => {
    writeFileSync(file, big(10_000).repeat(5));
    const { size } = statSync(file);
    const shims = [{ text: TEXT }, { text: '{project_name}', when: { files: ['none'] } }].map((more) =>
      w.shim('claude-code', 'UserPromptSubmit', [{ ...fixed, ...more }], {}, undefined, { node: '/no/node' }),
    );
    for (const shim of shims) expect(await w.fire(shim, prompt, { PATH: w.bare })).toMatchObject({ code: 0 });
    expect(statSync(file).size).toBe(size);
  });

  it.runIf(LONG)('loses its oldest part also after the clock was set back', async () => {
    for (let i = 1; i <= 4; i++) {
      writeFileSync(`${file}.2${i}260101T000000000Z-1`, big(i * 10_000));
      utimesSync(`${file}.2${i}260101T000000000Z-1`, i, i);
    }
    writeFileSync(file, big(50_000));
    await w.fire(always([{ ...fixed, text: '{project_name}' }]), prompt);
    const kept = w.log().map(({ n = 0 }) => n);
    expect(kept.includes(50_000)).toBe(true);
    expect(kept.includes(10_000)).toBe(false);
    expect(kept.indexOf(50_000)).toBeGreaterThan(kept.indexOf(41_000));
  });

  it('holds lines behind half a line', () => {
    writeFileSync(
      file,
      `{"at":"2026-01-01T00:00:00Z","ser${line(1)}garbage\n${line(2)}{"at":"x"}\n${line(3).replace('"annal"', '{}')}`,
    );
    expect(w.log().map(({ n }) => n)).toEqual([1, 2]);
  });
});

it.runIf(LONG)(
  'has each line of many hooks that fire at once, and mixes none',
  { timeout: 300_000 },
  async () => {
    const times = ALL ? 300 : 10;
    const endless = { sessionBudget: 1e9 };
    const one = w.shim('claude-code', 'UserPromptSubmit', [fixed], endless);
    const both = w.shim('claude-code', 'UserPromptSubmit', [fixed, { ...fixed, text: 'Two.' }], endless);
    const named = [{ ...fixed, text: '{project_name}' }];
    const apart = { node: process.execPath };
    const byNode = w.shim('claude-code', 'UserPromptSubmit', named, endless, undefined, apart);
    // The log is made smaller meanwhile, and the oldest part isn't deleted yet.
    const before = [{ at: '2026-01-01T00:00:00Z', chars: 1, text: 'x'.repeat(999_000) }];
    writeFileSync(file, before.map((line) => `${JSON.stringify(line)}\n`).join(''));
    writeFileSync(config, '{"texts":true}');
    await Promise.all(
      Array.from({ length: 8 }, (_, i) => {
        const shim = i === 7 ? byNode : i < 3 ? both : one;
        const loop = `i=0; while [ $i -lt ${i === 7 ? times / 10 : times} ]; do printf %s "$PAYLOAD" | sh -c "$SHIM"; i=$((i + 1)); done`;
        const PAYLOAD = JSON.stringify({ ...prompt, session_id: `s${i}` });
        const env = { PATH: process.env.PATH, ...homeEnv(w.home), ...startFolders(w.project, 'claude-code') };
        const child = spawn('sh', ['-c', loop], {
          env: { ...env, PAYLOAD, SHIM: commandOf(shim) },
          stdio: ['ignore', 'ignore', 'inherit'],
        });
        return new Promise((done) => child.on('close', done));
      }),
    );
    const lines = readdirSync(w.state)
      .filter((name) => name.startsWith(LOG_FILE))
      .sort((a, b) => b.length - a.length)
      .flatMap((name) => readFileSync(join(w.state, name), 'utf8').trimEnd().split('\n'))
      .map((text) => JSON.parse(text));
    for (let i = 0; i < 7; i++) {
      const own = lines.filter((line) => line.session === `s${i}`);
      const texts = i < 3 ? [TEXT, 'Two.'] : [TEXT];
      const length = times * texts.length;
      expect(own.map(({ n }) => n)).toEqual(Array.from({ length }, (_, k) => (k % texts.length) + 1));
      expect(new Set(own.map(({ text }) => text))).toEqual(new Set(texts));
    }
    expect(lines.filter((line) => line.session === 's7')).toHaveLength(times / 10);
    expect(lines).toHaveLength(before.length + (3 * 2 + 4) * times + times / 10);
  },
);

const readIfThere = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

function isThere(name: string): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)));
}

it.runIf(ALL)('is read in a time in proportion to its lines, however many texts had no room', () => {
  const text = (tag: number) => ({ at: '2026-11-01T10:00:00Z', tag: `${tag}`, chars: 1, client: 'copilot' });
  const lines = Array.from({ length: 20_000 }, (_, i) => [
    text(i),
    { ...text(i), incident: 'text.dropped' },
  ]).flat();
  const read = () => Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
  let found: unknown[] = [];
  const took = cpuTime(() => {
    found = readLog('/state', {
      list: () => [],
      read: (path) => (path.endsWith('hooks.log') ? read() : null),
    });
  });
  expect(found).toHaveLength(20_000);
  expect(took).toBeLessThan(2_000);
});
