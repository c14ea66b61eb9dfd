import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type { RequestListener } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { isAbandoned } from '../../src/fire/claim-file.ts';
import { hashOf } from '../../src/fire/own-folders.ts';
import { toolStates } from '../../src/fire/tools/tool-state.ts';
import type { Definition } from '../../src/servers/types.ts';
import { ALL, LONG, sample } from '../effort.ts';
import { withHttp } from '../http-server.ts';
import { canMount } from '../mount.ts';
import { nodeHere } from '../node-here/start.ts';
import { WINDOWS } from '../platform.ts';
import { at, captured, commandOf, FIRE_SERVER, isAlive, served, TAG, world } from './world.ts';

const w = world({ node: nodeHere({ servers: true }) });
const payload = captured('claude-code', 'PostToolUse.Bash');
const OPEN = '[mcphooks 7f3ac2e1 | MCP server "annal" | post_tool_use | suggestion]';
const CLOSE = '[/mcphooks 7f3ac2e1]';
const tool = (name: string, args: Record<string, unknown> = {}) => ({ call: { tool: name, args } });
const shimOf = (hooks: object[], more: object = served(), node = w.node) =>
  w.shim('claude-code', 'PostToolUse', hooks, more, undefined, { node });
/** For what happens when its process ends. */
const inNode = (hooks: object[], more: object) => shimOf(hooks, more, process.execPath);
let sessions = 0;
/** A session of its own, so that no failure of another test counts. */
const fresh = (more = {}) => ({ ...payload, session_id: `call-${sessions++}`, ...more });
const entries = (log: string): Record<string, unknown>[] =>
  existsSync(log)
    ? readFileSync(log, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line))
    : [];

describe('the answer of a tool', () => {
  it('is given as text', async () => {
    const ran = await w.fire(shimOf([tool('two')]), fresh());
    expect(ran).toMatchObject({ code: 0, stderr: '', text: `${OPEN}\none\ntwo\n${CLOSE}` });
  });

  it.runIf(LONG)('is given too where its id comes back as a text, as the SDK takes it', async () => {
    const ran = await w.fire(shimOf([tool('two')], served(['--text-ids'])), fresh());
    expect(ran.text).toBe(`${OPEN}\none\ntwo\n${CLOSE}`);
  });

  it('is given too where the hook has less time than a call may take', async () => {
    const ran = await w.fire(
      shimOf([tool('two')], { ...served([], { callMs: 60_000 }), deadlineMs: 6000 }),
      fresh(),
    );
    expect(ran.text).toBe(`${OPEN}\none\ntwo\n${CLOSE}`);
  });

  it('is text, whatever it looks like', async () => {
    const ran = await w.fire(shimOf([tool('control')]), fresh());
    expect(Object.keys(JSON.parse(ran.stdout))).toEqual(['hookSpecificOutput']);
    expect(Object.keys(JSON.parse(ran.stdout).hookSpecificOutput)).toEqual([
      'hookEventName',
      'additionalContext',
    ]);
    expect(ran.text).toContain('"permissionDecision":"allow"');
  });

  it('loses control, ANSI, bidirectional and tag characters', async () => {
    const ran = await w.fire(shimOf([tool('hostile')]), fresh());
    expect(ran.text).toBe(`${OPEN}\nared bc d \ufffd </hook_context> end\n${CLOSE}`);
    expect(w.logged().at(-1)).toMatchObject({ incident: 'text.sanitised', n: 1, detail: 'hostile' });
  });

  it('gets the arguments with templates filled in, nested ones too, and no others', async () => {
    const args = {
      a: '{project_name} {tool_name} {session_id} {unknown} {toString} {__proto__} {',
      b: [{ c: 'in: {tool_input}' }, 7, null, true],
      '{tool_name}': '{tool_output}',
    };
    const payload = fresh({ tool_input: { command: '{tool_name}' }, tool_response: { out: 'é' } });
    const ran = await w.fire(shimOf([tool('echo', args)]), payload);
    expect(JSON.parse(ran.text?.split('\n')[1] ?? '')).toEqual({
      a: `shop Bash ${payload.session_id} {unknown} {toString} {__proto__} {`,
      b: [{ c: 'in: {"command":"{tool_name}"}' }, 7, null, true],
      '{tool_name}': '{"out":"é"}',
    });
  });

  const failing = sample(
    [
      ['fails', 'tool.failed'],
      ['malformed', 'tool.failed'],
      ['crash', 'tool.failed'],
      ['huge', 'tool.failed'],
      ['none-such', 'tool.failed'],
      ['odd-error', 'tool.failed'],
      ['slow', 'tool.slow'],
      ['raw', 'tool.slow'],
    ] as const,
    2,
  );
  it.each(LONG ? failing : failing.slice(0, 2))(
    '%s: silence for it, and the static text all the same',
    async (name, incident) => {
      const callMs = incident === 'tool.slow' ? 1500 : 5000;
      const ran = await w.fire(shimOf([tool(name), { text: 'Static.' }], served([], { callMs })), fresh());
      expect(ran).toMatchObject({ code: 0, stderr: '', text: `${OPEN}\nStatic.\n${CLOSE}` });
      expect(w.logged().at(-1)).toMatchObject({ incident, n: 1 });
    },
  );

  it('of an error without a number as its code is logged as that', async () => {
    await w.fire(shimOf([tool('odd-error')]), fresh());
    expect(w.logged().at(-1)).toMatchObject({ detail: 'odd-error: refused without a numeric code' });
  });

  it.runIf(LONG)('that is empty is no text', async () => {
    const empty = ['{ "entities": [], "relations": [] }', '{}', '[]', 'null', ' \n', '\u200b\ufeff'];
    const hooks = [tool('empty'), ...empty.map((text) => tool('say', { texts: [text] }))];
    expect(await w.fire(shimOf(hooks), fresh())).toMatchObject({ code: 0, stdout: '' });
    const ran = await w.fire(shimOf([tool('say', { texts: [...empty, '{\n  "a": [1]\n}'] })]), fresh());
    expect(ran.text).toBe(`${OPEN}\n{"a":[1]}\n${CLOSE}`);
  });

  it('stands between lines with a tag that no other fire has', async () => {
    const shim = shimOf([tool('two')]);
    const tags = await Promise.all(
      [1, 2].map(async () => {
        const { stdout } = await w.fire(shim, fresh());
        const text: string = JSON.parse(stdout).hookSpecificOutput.additionalContext;
        const [, tag] = /^\[mcphooks ([0-9a-f]{8}) \|.*\]\none\ntwo\n\[\/mcphooks \1\]$/.exec(text) ?? [];
        return tag;
      }),
    );
    expect(tags).toEqual([expect.any(String), expect.any(String)]);
    expect(new Set([...tags, TAG]).size).toBe(3);
  });

  it.runIf(LONG)(
    'gives way to a declared text, however long it is, also where it is read later',
    async () => {
      const hooks = [
        { ...tool('long', { length: 30_000 }), priority: 'required' },
        { text: `Static ${'z'.repeat(3000)} end.` },
      ];
      const ran = await w.fire(shimOf(hooks), fresh());
      expect(ran.text).toContain('z end.');
      const stop = { event: 'post_request', does: 'defer' } as const;
      const payload = fresh();
      await w.fire(
        w.shim('claude-code', 'Stop', hooks.map((hook) => ({ ...hook, ...stop })) as object[], served()),
        payload,
      );
      const later = w.shim('claude-code', 'UserPromptSubmit', [
        { ...stop, does: 'emit-deferred' },
        { ...stop, does: 'emit-deferred' },
      ]);
      expect((await w.fire(later, payload)).text).toContain('z end.');
    },
  );

  it.runIf(LONG)(
    'that was not given counts for nothing: the hook may speak again, a tool after the deadline',
    async () => {
      const rest = { cooldownMs: null, event: 'post_tool_use' } as const;
      const long = { text: 'z'.repeat(3000), priority: 'required' } as const;
      const other = { match: { name: '^Read$' } };
      const spoken = async (hook: object, waits: number): Promise<boolean[]> => {
        const payload = fresh();
        const more = { ...served(), deadlineMs: 2500 };
        const dropped = await w.fire(shimOf([long, hook], { ...more, eventBudget: 3100 }), payload);
        expect(dropped.text).not.toContain('one');
        const shim = shimOf([other, hook], more);
        const first = await w.fire(shim, payload);
        await sleep(waits);
        const later = [await w.fire(shim, payload), await w.fire(shim, payload)];
        return [first, ...later].map(({ stdout }) => stdout.includes('one'));
      };
      const said = { text: `one ${'y'.repeat(150)}`, ...rest };
      expect(await spoken(said, 0)).toEqual([true, false, false]);
      expect(await spoken({ ...tool('two'), ...rest }, 2500)).toEqual([false, true, false]);
    },
  );

  it.runIf(ALL && !WINDOWS)(
    'is asked for again when its fire was killed, once the deadline of that has passed',
    async () => {
      const log = `${w.home}/again.jsonl`;
      const payload = fresh();
      const more = { ...served(['--log', log]), deadlineMs: 2500 };
      const shim = inNode([{ ...tool('slow', { ms: 700 }), cooldownMs: null }], more);
      const { child, done } = w.start(['/bin/sh', '-c', commandOf(shim)], payload, {}, w.project, {
        detached: true,
      });
      await expect.poll(() => entries(log).filter((e) => 'call' in e).length, { timeout: 15_000 }).toBe(1);
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      await done;
      expect((await w.fire(shim, payload)).stdout).toBe('');
      await sleep(2500);
      expect((await w.fire(shim, payload)).text).toContain('late');
      await sleep(2500);
      expect((await w.fire(shim, payload)).stdout).toBe('');
    },
  );

  it.skipIf(WINDOWS)(
    "comes from a server that gets no payload by a client's variable of a script's name",
    async () => {
      const names = ['in', 'begin', 'b', 'id', 'p', 's', 't', 'v'];
      const env = Object.fromEntries([...names, 'other'].map((name) => [name, 'x']));
      const shim = w.shim(
        'codex',
        'UserPromptSubmit',
        [{ ...tool('environment', { names: [...names, 'other'] }), event: 'pre_request' }],
        served(),
      );
      const prompt = 'x'.repeat(200_000);
      const ran = await w.fire(shim, { ...captured('codex', 'UserPromptSubmit'), prompt }, env);
      expect(ran.text).toContain(JSON.stringify([...names.map(() => null), 'x']));
    },
  );

  it('comes from a server that prints noise, or refuses initialize', async () => {
    for (const flags of [['--noise'], ['--modern']])
      expect((await w.fire(shimOf([tool('two')], served(flags)), fresh())).text).toContain('one\ntwo');
  });

  it('is not waited for when the server fills its stdout with other text', async () => {
    const began = performance.now();
    const hooks = [tool('babble'), { text: 'Static.' }];
    const ran = await w.fire(inNode(hooks, served([], { callMs: 1000 })), fresh());
    expect(ran).toMatchObject({ code: 0, stderr: '', text: `${OPEN}\nStatic.\n${CLOSE}` });
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it('is not waited for when the server is mute, or no program', async () => {
    for (const more of [
      served(['--mute'], { callMs: 500 }),
      server({ transport: 'stdio', command: '/no/such', args: [], env: {} }),
    ])
      expect(await w.fire(shimOf([tool('two')], more), fresh())).toMatchObject({
        code: 0,
        stderr: '',
        stdout: '',
      });
  });

  it('is cut to what the client takes, and says so', async () => {
    const ran = await w.fire(shimOf([tool('long', { length: 30_000 })]), fresh());
    // The report of the cut takes less room than is left for it when fewer digits are needed.
    expect(10_000 - (ran.text?.length ?? 0)).toBeOneOf([0, 1]);
    expect(ran.text).toContain('[cut by mcphooks: ');
    expect(w.logged().at(-1)).toMatchObject({ incident: 'text.cut', n: 1 });
  });
});

const server = (definition: Definition) => ({ server_at: { ...at(definition), definition } });

describe('several tools of one event', () => {
  it('are called by one server process, in any order, and given in theirs', async () => {
    const log = `${w.home}/several.jsonl`;
    const hooks = [tool('slow', { ms: 400 }), { text: 'Between.' }, tool('two')];
    const ran = await w.fire(shimOf(hooks, served(['--log', log])), fresh());
    expect(ran.text?.split('\n').filter((line) => !line.startsWith('[') && line !== '')).toEqual([
      'late',
      'Between.',
      'one',
      'two',
    ]);
    expect(entries(log).filter((e) => 'pid' in e)).toHaveLength(1);
  });

  it.runIf(ALL)('keep to two calls at once, over all fires', async () => {
    const log = `${w.home}/busy.jsonl`;
    const hooks = ['done', 'also done'].map((says) => tool('busy', { ms: 150, says }));
    const shim = inNode(hooks, served(['--log', log]));
    const runs = await Promise.all([1, 2, 3].map(() => w.fire(shim, fresh())));
    for (const ran of runs) expect(ran.text?.match(/done/g)).toHaveLength(2);
    let now = 0;
    let most = 0;
    const times = entries(log).flatMap((e) =>
      'begin' in e ? [[e.begin, 1]] : 'end' in e ? [[e.end, -1]] : [],
    ) as [number, number][];
    for (const [, step] of times.sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
      now += step;
      most = Math.max(most, now);
    }
    expect(times).toHaveLength(12);
    expect(most).toBeLessThanOrEqual(2);
  });

  it.runIf(LONG)('give their places back when they are late, or their fire is gone', async () => {
    const late = shimOf([tool('slow')], served([], { callMs: 700 }));
    for (let i = 0; i < 3; i++) await w.fire(late, fresh());
    expect(readdirSync(`${w.state}/calls`)).toEqual([]);
    for (const i of [0, 1]) writeFileSync(`${w.state}/calls/${hashOf('annal')}.${i}`, '4194303');
    expect((await w.fire(shimOf([tool('two')]), fresh())).text).toContain('one');
  });

  it('take no account of a place from a time to come, whose process may be any', async () => {
    for (const i of [0, 1]) {
      const file = `${w.state}/calls/${hashOf('annal')}.${i}`;
      mkdirSync(`${w.state}/calls`, { recursive: true });
      writeFileSync(file, `${process.pid}`);
      utimesSync(file, Date.now() / 1000 + 3600, Date.now() / 1000 + 3600);
    }
    const ran = await w.fire(shimOf([tool('two')], served([], { callMs: 3000 })), fresh());
    expect(ran.text).toContain('one');
    expect(readdirSync(`${w.state}/calls`)).toEqual([]);
  });

  it.each([
    ['is taken at some seconds ahead, as the clock of a share may be', 5, false],
    ['was left at more than any call takes', 11, true],
  ])('see that a place from a time to come %s', (_, seconds, expected) => {
    const file = join(w.home, 'place');
    writeFileSync(file, `${process.pid}`);
    utimesSync(file, Date.now() / 1000 + seconds, Date.now() / 1000 + seconds);
    expect(isAbandoned(file, 10_000)).toBe(expected);
  });

  it.skipIf(!canMount)('leave no place taken on a full disk', async () => {
    const calls = join(w.state, 'calls');
    mkdirSync(calls, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4k,mode=700', 'tmpfs', calls]);
    try {
      spawnSync('dd', ['if=/dev/zero', `of=${join(calls, 'filler')}`, 'bs=1k']);
      expect((await w.fire(shimOf([tool('two')]), fresh())).text).toContain('one');
      expect(readdirSync(calls)).toEqual(['filler']);
    } finally {
      execFileSync('umount', [calls]);
    }
  });

  it('rest after three failures in a session', async () => {
    const log = `${w.home}/rest.jsonl`;
    const shim = shimOf([tool('fails')], served(['--log', log]));
    const session = fresh();
    for (let i = 0; i < (LONG ? 5 : 4); i++) await w.fire(shim, session);
    expect(entries(log).filter((e) => 'call' in e)).toHaveLength(3);
    expect(w.logged().at(-1)).toMatchObject({ incident: 'tool.resting' });
    await w.fire(shim, fresh());
    expect(entries(log).filter((e) => 'call' in e)).toHaveLength(4);
  });

  it('rest no longer where the failures are from a time to come', async () => {
    const log = `${w.home}/rest-ahead.jsonl`;
    const shim = shimOf([tool('fails')], served(['--log', log]));
    const session = fresh();
    await w.fire(shim, session);
    const failed = readdirSync(w.state, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.includes(session.session_id) && basename(name).startsWith('failed.'),
    );
    expect(failed).toHaveLength(1);
    const file = join(w.state, failed[0] ?? '');
    writeFileSync(file, '...');
    utimesSync(file, Date.now() / 1000 + 3600, Date.now() / 1000 + 3600);
    await w.fire(shim, session);
    expect(entries(log).filter((e) => 'call' in e)).toHaveLength(2);
  });
});

describe('a tool that gives nothing in time', () => {
  const slow = (log: string, flags: string[] = []) =>
    // The server's start counts, which takes longer on Windows and on a busy machine.
    shimOf([tool('slow')], served(['--log', log, ...flags], { callMs: WINDOWS ? 2000 : 1000 }));
  const states = () => toolStates(w.state).filter((one) => one.tool === 'slow' && one.server === 'annal');
  const calls = (log: string) => entries(log).filter((e) => 'call' in e).length;
  // Of what was late in the tests before.
  beforeAll(() => rmSync(`${w.state}/tools`, { recursive: true, force: true }));

  it.runIf(LONG)(
    'in three sessions in a row is paused for a day, in which nothing is started for it',
    async () => {
      const log = `${w.home}/paused.jsonl`;
      const shim = slow(log);
      for (const times of [2, 1]) {
        const session = fresh();
        for (let i = 0; i < times; i++) await w.fire(shim, session);
      }
      expect(states()).toMatchObject([{ server: 'annal', late: [expect.any(String), expect.any(String)] }]);
      expect(states()[0]).not.toHaveProperty('pausedUntil');
      await w.fire(shim, fresh());
      const until = Date.parse(states()[0]?.pausedUntil ?? '') - Date.now();
      expect(until / 3_600_000).toBeGreaterThan(23.9);
      expect(until / 3_600_000).toBeLessThanOrEqual(24);

      const before = { calls: calls(log), lines: w.logged().length };
      const session = fresh();
      for (let i = 0; i < 2; i++) expect(await w.fire(shim, session)).toMatchObject({ code: 0, stdout: '' });
      expect(calls(log)).toBe(before.calls);
      expect(w.logged().slice(before.lines)).toMatchObject([
        { incident: 'tool.paused', n: 1 },
        { incident: 'tool.paused', n: 1 },
      ]);

      // The next day it is called again; one more such session is enough.
      const [file = ''] = readdirSync(`${w.state}/tools`).filter((name) => name.endsWith('.json'));
      const path = `${w.state}/tools/${file}`;
      const state = JSON.parse(readFileSync(path, 'utf8'));
      writeFileSync(path, JSON.stringify({ ...state, pausedUntil: new Date().toISOString() }));
      await w.fire(shim, fresh());
      expect(calls(log)).toBe(before.calls + 1);
      expect(Date.parse(states()[0]?.pausedUntil ?? '')).toBeGreaterThan(Date.now());
    },
  );

  it.runIf(LONG)(
    'is not paused where it was approved anew, nor for a person who asks; an answer ends it',
    async () => {
      const log = `${w.home}/unpaused.jsonl`;
      expect(states()).toHaveLength(1);
      await w.fire(slow(log, ['--noise']), fresh());
      expect(calls(log)).toBe(1);
      const paused = `${w.home}/paused.jsonl`;
      const before = calls(paused);
      await w.fire(slow(paused), fresh(), { MCPHOOKS_WHY: `${w.home}/mcphooks-why` });
      expect(calls(paused)).toBe(before + 1);
      const quick = shimOf([tool('slow', { ms: 1 })], served(['--log', paused], { callMs: 5000 }));
      await w.fire(quick, fresh(), { MCPHOOKS_WHY: `${w.home}/mcphooks-why` });
      expect(states().filter((one) => one.pausedUntil)).toEqual([]);
    },
  );

  it('is not paused for longer than a day: its pause may be of a clock that was set back', async () => {
    const log = `${w.home}/ahead.jsonl`;
    const server = served(['--log', log]);
    const shim = shimOf([tool('fails')], server);
    const { hash } = server.server_at;
    const pause = async (ms: number) => {
      const pausedUntil = new Date(Date.now() + ms).toISOString();
      const state = { format: 1, server: 'annal', tool: 'fails', hash, late: ['a', 'b', 'c'], pausedUntil };
      const file = `${w.state}/tools/${hashOf('annal', 'fails', hash)}.json`;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(state));
      await w.fire(shim, fresh());
      rmSync(file);
      return entries(log).filter((e) => 'call' in e).length;
    };
    expect(await pause(3_600_000)).toBe(0);
    expect(await pause(48 * 3_600_000)).toBe(1);
  });

  it.runIf(LONG)('does not count where a person runs the hook', async () => {
    const before = states();
    const shim = slow(`${w.home}/by-hand.jsonl`);
    for (let i = 0; i < 3; i++) await w.fire(shim, fresh(), { MCPHOOKS_WHY: `${w.home}/mcphooks-why` });
    expect(calls(`${w.home}/by-hand.jsonl`)).toBe(3);
    expect(states()).toEqual(before);
  });

  it('does not count in a session in which it gave something', async () => {
    const log = `${w.home}/gave.jsonl`;
    const more = served(['--log', log, '--stubborn'], { callMs: 3000 });
    const session = fresh();
    expect((await w.fire(shimOf([tool('slow', { ms: 1 })], more), session)).text).toContain('late');
    const before = states();
    await w.fire(shimOf([tool('slow')], { server_at: { ...more.server_at, callMs: 300 } }), session);
    expect(states()).toEqual(before);
  });
});

describe('the server that is started', () => {
  it.runIf(LONG && !WINDOWS)(
    "has the session's folder as PWD, where the hook's shell is in another one, too",
    async () => {
      const shim = shimOf([tool('environment', { names: ['PWD'] })]);
      const sub = join(w.project, 'sub');
      const link = join(w.home, 'link');
      mkdirSync(sub);
      symlinkSync(w.project, link);
      const pwd = async (cwd: string, env = {}) =>
        /\["(.*)"\]/.exec((await w.fire(shim, fresh(), { PWD: cwd, ...env }, cwd)).text ?? '')?.[1];
      expect(await pwd(sub)).toBe(w.project);
      expect(await pwd(link, { CLAUDE_PROJECT_DIR: link })).toBe(link);
    },
  );

  it.runIf(LONG)(
    "is that of the client's own file, else of another file with a definition that was approved",
    async () => {
      const entry = (name: string) => ({
        command: process.execPath,
        args: [FIRE_SERVER],
        env: { NAME: name },
      });
      const file = (name: string) => `${w.home}/${name}.json`;
      const write = (name: string, value?: object) =>
        writeFileSync(file(name), JSON.stringify({ mcpServers: { annal: value } }));
      const source = (name: string, client?: 'claude-code') => {
        const place = {
          ...(client && { client }),
          scope: 'user' as const,
          file: file(name),
          pointer: ['mcpServers', 'annal'],
        };
        const { callMs: _, ...rest } = at({ transport: 'stdio', ...entry(name) }, place);
        return rest;
      };
      const shim = shimOf([tool('environment', { names: ['NAME'] })], {
        server_at: {
          ...source('first'),
          callMs: 5000,
          others: [source('gone'), source('other'), source('own', 'claude-code')],
        },
      });
      const name = async () => /\["(.*)"\]/.exec((await w.fire(shim, fresh())).text ?? '')?.[1];
      for (const one of ['own', 'first', 'other']) write(one, entry(one));
      expect(await name()).toBe('own');
      const changed = { ...entry('own'), args: [FIRE_SERVER, '--noise'] };
      write('own', changed);
      expect(await name()).toBeUndefined();
      expect(w.logged().at(-1)).toMatchObject({ incident: 'definition.changed' });
      write('own');
      expect(await name()).toBe('first');
      for (const value of [undefined, changed]) {
        write('first', value);
        expect(await name()).toBe('other');
      }
      // Approved is the definition, in whichever of these files it stands.
      write('own', entry('other'));
      expect(await name()).toBe('other');
      write('own');
      write('first');
      write('other', { command: 'sh' });
      expect(await name()).toBeUndefined();
      expect(w.logged().at(-1)).toMatchObject({ incident: 'definition.changed' });
      write('other');
      expect(await name()).toBeUndefined();
      expect(w.logged().at(-1)).toMatchObject({ incident: 'definition.missing' });
    },
  );

  it('is the one that was approved, from the file that was approved', async () => {
    const file = `${w.home}/servers.json`;
    const log = `${w.home}/approved.jsonl`;
    const entry = {
      command: process.execPath,
      args: [FIRE_SERVER, '--log', log],
      env: { KEY: '${SECRET:-none}' },
    };
    const definition: Definition = { transport: 'stdio', ...entry };
    const write = (value: unknown) => writeFileSync(file, JSON.stringify({ mcpServers: { annal: value } }));
    const source = { scope: 'user' as const, file, pointer: ['mcpServers', 'annal'] };
    const shim = shimOf(
      [
        tool('environment', {
          names: ['KEY', 'CLAUDE_PID', 'NODE_OPTIONS', 'OTHER', 'MCPHOOKS_NODE_OPTIONS', 'BUN_OPTIONS'],
        }),
      ],
      {
        server_at: at(definition, source),
      },
    );
    const starts = () => entries(log).filter((e) => 'pid' in e).length;

    write(entry);
    const env = { SECRET: 'for-nobody', CLAUDE_PID: '1', NODE_OPTIONS: '--no-warnings', OTHER: 'o' };
    // As the script sets it for a client that stands in for node.
    const bun = { BUN_OPTIONS: '--config=/dev/null --env-file=/dev/null' };
    for (const [given, options] of [
      [bun, 'null'],
      [{ ...bun, MCPHOOKS_BUN_OPTIONS: '--smol' }, '"--smol"'],
    ] as const) {
      const { text } = await w.fire(shim, fresh(), { ...env, ...given });
      expect(text).toContain(`["for-nobody",null,"--no-warnings","o",null,${options}]`);
    }
    expect(starts()).toBe(2);

    write({ ...entry, args: [...entry.args, '--noise'] });
    expect(await w.fire(shim, fresh())).toMatchObject({ code: 0, stdout: '' });
    expect(w.logged().at(-1)).toMatchObject({ incident: 'definition.changed' });
    write(undefined);
    expect(await w.fire(shim, fresh())).toMatchObject({ code: 0, stdout: '' });
    writeFileSync(file, '{');
    expect(await w.fire(shim, fresh())).toMatchObject({ code: 0, stdout: '' });
    expect(w.logged().at(-1)).toMatchObject({ incident: 'definition.missing' });
    expect(starts()).toBe(2);
    expect(readFileSync(`${w.state}/hooks.log`, 'utf8')).not.toContain('for-nobody');
  });

  it.runIf(LONG)('runs in the folder in which the client was started, and ends with the fire', async () => {
    const log = `${w.home}/ends.jsonl`;
    const ran = await w.fire(
      inNode([tool('folder'), tool('slow', { ms: 800 })], served(['--log', log, '--helper'])),
      fresh(),
      {},
      w.home,
    );
    expect(ran.text).toContain(`\n${w.project}\n`);
    await gone(log, 5);
  });

  it.runIf(LONG)('ends with the fire, and all that it started, however little it listens', async () => {
    const log = `${w.home}/stubborn.jsonl`;
    const hooks = [tool('slow', { ms: 800 })];
    await w.fire(inNode(hooks, served(['--log', log, '--helper', '--stubborn'])), fresh());
    await gone(log, 5);
  });

  it.runIf(LONG).each([
    ['the whole group of the hook', (shell: ChildProcess) => process.kill(-(shell.pid ?? 0), 'SIGKILL')],
    ['the shell of the hook', (shell: ChildProcess) => shell.kill('SIGKILL')],
  ])('ends when %s is killed', async (what, kill) => {
    const log = `${w.home}/${what.replaceAll(' ', '-')}.jsonl`;
    const shim = inNode([tool('slow')], served(['--log', log, '--helper', '--stubborn']));
    const { child, done } = w.start(['/bin/sh', '-c', commandOf(shim)], fresh(), {}, w.project, {
      detached: true,
    });
    await expect.poll(() => entries(log).filter((e) => 'call' in e || 'helper' in e).length, WAIT).toBe(5);
    kill(child);
    await gone(log, 5);
    await done;
  });

  /** A server and its helpers, by its log: each of them is gone a moment later. */
  async function gone(log: string, count: number): Promise<void> {
    const pids = () =>
      entries(log).flatMap((e) => [e.pid, e.helper].filter((pid) => pid !== undefined)) as number[];
    await expect.poll(() => pids().length, WAIT).toBe(count);
    for (const pid of pids()) await expect.poll(() => isAlive(pid), WAIT).toBe(false);
  }
  const WAIT = { timeout: 15_000 };

  it.runIf(LONG)('may send any number of requests without reading: few get a reply', async () => {
    const args = [join(import.meta.dirname, '../fixtures/servers/unread.mjs')];
    const definition: Definition = { transport: 'stdio', command: process.execPath, args, env: {} };
    const ran = await w.fire(
      inNode([tool('any')], { server_at: { ...at(definition), definition } }),
      fresh(),
    );
    const replies = Number.parseInt(ran.text?.split('\n')[1] ?? '', 10);
    expect(replies).toBeGreaterThan(0);
    expect(replies).toBeLessThan(60_000);
  });
});

describe('over Streamable HTTP', () => {
  const children: ChildProcess[] = [];
  afterAll(() => children.map((child) => child.kill()));
  const urls = new Map<string, Promise<string>>();
  const logOf = (flags: string) => `${w.home}/http${flags}.jsonl`;
  const start = async (flags: string): Promise<string> => {
    const words = [FIRE_SERVER, '--http', flags, '--log', logOf(flags)];
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const port = await new Promise((resolve) =>
      child.stdout.once('data', (data) => resolve(String(data).trim())),
    );
    return `http://127.0.0.1:${port}/`;
  };
  /** One server for all tests that need one of its kind. */
  const listen = (flags = ''): Promise<string> => {
    const url = urls.get(flags) ?? start(flags);
    urls.set(flags, url);
    return url;
  };
  const reached = (url: string) =>
    server({ transport: 'http', url, headers: {}, envHeaders: { 'X-Key': 'KEY' } });
  const run = (url: string, name = 'two', env = {}) =>
    w.fire(shimOf([tool(name)], reached(url)), fresh(), env);

  it.runIf(LONG)(
    'a tool answers by JSON, also in a list, or by events, in its session and with its header',
    async () => {
      for (const flags of ['', '--sse', '--list', '--modern', '--plain']) {
        const url = await listen(flags);
        expect((await run(url, 'two', { KEY: 'k' })).text).toContain('one\ntwo');
        const last = entries(logOf(flags))
          .filter((e) => 'session' in e)
          .at(-1);
        expect(last).toEqual({ session: /modern|plain/.test(flags) ? null : 's-1', key: 'k' });
      }
    },
  );

  it.runIf(LONG)('a call has the headers that the input of its tool demands', async () => {
    const handler = createMcpHandler(
      () => {
        const demanding = new McpServer({ name: 'demanding', version: '1' });
        const region = z.string().meta({ 'x-mcp-header': 'Region' });
        const nested = z.object({ deep: z.number().int().meta({ 'x-mcp-header': 'Deep' }) });
        demanding.registerTool('q', { inputSchema: z.object({ region, nested }) }, (args) => ({
          content: [{ type: 'text', text: JSON.stringify(args) }],
        }));
        return demanding;
      },
      { legacy: 'reject' },
    );
    const serve: (request: object, response: object) => Promise<void> = toNodeHandler(handler) as never;
    await withHttp(
      (request, response) => void serve(request, response),
      async (url) => {
        for (const region of ['eu', ' ü ', '=?base64?eA==?=']) {
          const args = { region, nested: { deep: 7 } };
          const ran = await w.fire(shimOf([tool('q', args)], reached(url)), fresh());
          expect(ran.text).toContain(JSON.stringify(args));
        }
      },
    );
  });

  it.runIf(LONG)('a call has the headers that a tool on a later page of the list demands', async () => {
    const answer: RequestListener = async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { id, method, params } = JSON.parse(body);
      const region = { type: 'string', 'x-mcp-header': 'Region' };
      const listed = { name: 'q', inputSchema: { type: 'object', properties: { region } } };
      const pages = { first: { tools: [], nextCursor: '2' }, 2: { tools: [listed] } };
      const is = request.headers['mcp-param-region'] === 'eu';
      const answers: Record<string, object> = {
        initialize: { error: { code: -32_601, message: 'No.' } },
        'tools/list': { result: pages[(params?.cursor ?? 'first') as keyof typeof pages] },
        'tools/call': is
          ? { result: { content: [{ type: 'text', text: 'real' }] } }
          : { error: { code: -32_020, message: 'A header is missing.' } },
      };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answers[method] }));
    };
    const ran = await withHttp(answer, (url) =>
      w.fire(shimOf([tool('q', { region: 'eu' })], reached(url)), fresh()),
    );
    expect(ran.text).toContain('real');
  });

  it.each<[string, number, string[]]>([
    ['its answer', 21, ['real', 'Static.']],
    ...(LONG
      ? ([
          ['its answer', 12_000, ['real', 'Static.']],
          ['nothing', 12_000, ['Static.']],
        ] as [string, number, string[]][])
      : []),
  ])('a server may flood the hook with requests before %s (%i)', async (last, count, texts) => {
    let replies = 0;
    const answer: RequestListener = async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { id, method } = JSON.parse(body || '{}');
      if (method !== 'tools/call') {
        if (method === undefined) replies++;
        const result = {
          protocolVersion: '2025-11-25',
          capabilities: {},
          serverInfo: { name: 'f', version: '1' },
        };
        return void response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const event = (n: number) =>
        `data: {"jsonrpc":"2.0","id":"r${n}","method":"sampling/createMessage","params":{}}\n\n`;
      response.write(Array.from({ length: count }, (_, n) => event(n)).join(''));
      const result = { content: [{ type: 'text', text: 'real' }] };
      if (last === 'its answer') response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
    };
    const began = performance.now();
    const ran = await withHttp(answer, (url) => {
      const { server_at, ...more } = reached(url);
      const to = { ...more, server_at: { ...server_at, callMs: last === 'nothing' ? 3000 : 8000 } };
      return w.fire(inNode([tool('two'), { text: 'Static.' }], to), fresh());
    });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    for (const text of ['real', 'Static.']) expect(ran.text?.includes(text)).toBe(texts.includes(text));
    expect(performance.now() - began).toBeLessThan(10_000);
    // Of each chunk that arrives.
    expect(replies).toBeLessThanOrEqual(Math.max(20, count / 10));
  });

  it('an answer may come by a second stream, after the server has closed the first', async () => {
    const asked: unknown[] = [];
    const session = { 'mcp-session-id': 's' };
    const answerTo: RequestListener = async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { method } = JSON.parse(body || '{}');
      const last = request.headers['last-event-id'];
      if (request.method === 'GET')
        asked.push([Buffer.from(`${last}`, 'latin1').toString(), request.headers['mcp-session-id']]);
      const headers = { 'content-type': 'text/event-stream', ...(method === 'initialize' && session) };
      response.writeHead(request.method === 'DELETE' ? 405 : 200, headers);
      if (method === 'initialize') return void response.end('id: ignored\nid: e0\nretry: 0\ndata: \n\n');
      if (method === 'tools/call') return void response.end('id: \u2713 1\nretry: 60\nretry: x\ndata: \n\n');
      if (request.method !== 'GET') return void response.end();
      const answer = (id: number, result: object) =>
        response.end(`id: e${id}\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
      if (last === 'e0') return void answer(1, { capabilities: {} });
      // The second is closed, too.
      if (last !== 'e2') return void response.end('id: e2\ndata: \n\n');
      answer(2, { content: [{ type: 'text', text: 'polled' }] });
    };
    const ran = await withHttp(answerTo, (url) => w.fire(shimOf([tool('two')], reached(url)), fresh()));
    const ids = ['e0', '\u2713 1', 'e2'];
    expect([ran.text, asked]).toEqual([`${OPEN}\npolled\n${CLOSE}`, ids.map((id) => [id, 's'])]);
  });

  it('no answer is waited for where the last event takes the id back', async () => {
    let gets = 0;
    const answer: RequestListener = async (request, response) => {
      if (request.method === 'GET') gets++;
      let body = '';
      for await (const chunk of request) body += chunk;
      const { id, method } = JSON.parse(body || '{}');
      if (method === 'initialize')
        return void response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { capabilities: {} } }));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(method === 'tools/call' ? 'id: e1\ndata: \n\nid\ndata: \n\n' : '');
    };
    const ran = await withHttp(answer, (url) => w.fire(shimOf([tool('two')], reached(url)), fresh()));
    expect([ran.text, gets]).toEqual([undefined, 0]);
  });

  it('an answer by events may hold any line separator', async () => {
    expect((await run(await listen('--sse'), 'separators')).text).toMatch(/one.*two.*three/s);
  });

  it('redirects are followed within the origin only', async () => {
    const url = await listen();
    expect((await run(`${url}moved`)).text).toContain('one');
    expect((await run(`${url}away`)).stdout).toBe('');
    expect(w.logged().at(-1)).toMatchObject({
      incident: 'tool.failed',
      detail: expect.stringContaining('another origin'),
    });
    expect((await run(`${url}round`)).stdout).toBe('');
    expect(w.logged().at(-1)).toMatchObject({ detail: expect.stringContaining('too many redirects') });
  });

  it.each([
    ['a version that no header can have', { result: { protocolVersion: 'Said: x\0', capabilities: {} } }],
    ['a redirect with a user name', 'http://Said:x@'],
  ])('no words of the server get into the log by %s', async (_, given) => {
    const answer: RequestListener = async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { id } = JSON.parse(body || '{}');
      if (typeof given === 'string')
        return void response.writeHead(307, { location: `${given}${request.headers.host}/Said` }).end();
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...given }));
    };
    const before = w.logged().length;
    await withHttp(answer, (url) => w.fire(shimOf([tool('two')], reached(url)), fresh()));
    const [line] = w.logged().slice(before);
    expect(line).toMatchObject({ incident: 'tool.failed', detail: expect.not.stringMatching(/said/i) });
  });

  it('in plain text, only this machine is reached, also where a variable holds the address', async () => {
    const url = await listen();
    const to = (address: string) => reached(address);
    expect((await run(url.replace('127.0.0.1', 'localhost'))).text).toContain('one');
    const moving = shimOf([tool('two')], to('${PLACE}'));
    expect((await w.fire(moving, fresh(), { PLACE: url })).text).toContain('one');
    const before = w.logged().length;
    // Names that lead to this machine, so that a connection would succeed.
    const elsewhere = url.replace('127.0.0.1', '0.0.0.0');
    for (const [PLACE, detail] of [
      [elsewhere, 'plain-http'],
      [url.replace('127.0.0.1', 'me@127.0.0.1'), 'user-info'],
      [url.replace('//', '\\\\'), 'backslash'],
      ['ftp://127.0.0.1/', 'scheme'],
      ['nonsense', 'malformed'],
    ]) {
      expect(await w.fire(moving, fresh(), { PLACE })).toMatchObject({ code: 0, stdout: '' });
      expect(w.logged().at(-1)).toMatchObject({ incident: 'url.refused', detail });
    }
    expect(await run(elsewhere)).toMatchObject({ stdout: '' });
    expect(w.logged().length).toBe(before + 6);
  });

  it.runIf(LONG)('too much, nothing and nobody: silence', async () => {
    const url = await listen('--sse');
    for (const [to, name] of [
      [url, 'huge'],
      [url, 'fails'],
      ['http://127.0.0.1:1/', 'two'],
      ['nonsense', 'two'],
    ] as const)
      expect(await run(to, name)).toMatchObject({ code: 0, stderr: '', stdout: '' });
  });
});
