import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FireData, PayloadShape } from '../../src/fire/format.ts';
import { nodeHere } from '../node-here/start.ts';
import { homeEnv } from '../platform.ts';
import { captured, world } from './world.ts';

const w = world({ node: nodeHere() });

const hooks = [{ event: 'pre_request', text: 'Say "x"}} now.' } as const];
const noNode = { node: '/no/node' };

/** A hook script for payloads and documents in another spelling than Claude Code's. */
const shimWith = (
  payload: Partial<PayloadShape>,
  more: Partial<Pick<FireData, 'output'>> = {},
  script: { node?: string } = {},
) => w.shim('codex', 'UserPromptSubmit', hooks, { ...more, payload }, undefined, script);

/** The document that was printed; undefined: none. */
function printed(shim: ReturnType<typeof shimWith>, payload: object, PATH = process.env.PATH): unknown {
  const env = { PATH, ...homeEnv(w.home) };
  const { stdout, stderr, status } = spawnSync('/bin/sh', [shim.path], {
    env,
    cwd: w.project,
    input: JSON.stringify(payload),
    encoding: 'utf8',
  });
  expect([stderr, status]).toEqual(['', 0]);
  return stdout === '' ? undefined : JSON.parse(stdout);
}

describe('a payload in two spellings', () => {
  const session = ['sessionId', 'session_id'];

  it.each([{ sessionId: 'one' }, { session_id: 'two' }])(
    'books what %j is given, without node',
    async (id) => {
      const shim = shimWith({ session }, {}, noNode);
      expect((await w.fire(shim, { ...id, prompt: 'x' }, { PATH: w.bare })).text).toContain('Say "x"}} now.');
      expect((await w.fire(shim, { prompt: 'x' }, { PATH: w.bare })).stdout).toBe('');
    },
  );

  // Shells need minutes for this where they try each part of the payload as the one before a key.
  it('is read in time proportional to it', async () => {
    const shim = shimWith({ session, oncePer: 'prompt_id' }, {}, noNode);
    const turn = { session_id: 'three', prompt_id: 'p1', prompt: 'a'.repeat(300_000) };
    expect((await w.fire(shim, turn, { PATH: w.bare })).text).toContain('Say "x"}} now.');
    expect((await w.fire(shim, turn, { PATH: w.bare })).stdout).toBe('');
  });

  it('has a session that no tool’s argument can name', async () => {
    const once = { event: 'pre_request', text: 'Once.', cooldownMs: null } as const;
    const shim = w.shim('codex', 'UserPromptSubmit', [once], { payload: { session } });
    const said = async (payload: object): Promise<boolean> =>
      (await w.fire(shim, payload)).text !== undefined;
    expect(await said({ session_id: 'four', prompt: 'x' })).toBe(true);
    expect(await said({ session_id: 'five', tool_input: { sessionId: 'four' }, prompt: 'x' })).toBe(true);
    expect(await said({ tool_input: { sessionId: 'four' }, session_id: 'six', prompt: 'x' })).toBe(true);
    const escaped = { tool_input: { a: '"}', sessionId: 'four' }, session_id: 'seven', prompt: 'x' };
    expect(await said(escaped)).toBe(true);
    expect(await said({ session_id: 'six', prompt: 'x' })).toBe(false);
  });
});

describe('a document', () => {
  it.each([
    [{ text: ['additional_context'] }, (text: string) => ({ additional_context: text })],
    [
      { text: ['additionalContext', 'a.b.c'], fixed: { quiet: true, 'a.b.event': 'Prompt' } },
      (text: string) => ({ quiet: true, additionalContext: text, a: { b: { event: 'Prompt', c: text } } }),
    ],
  ])('in the form %j is given by the shell and by node, whole or not at all', (output, expected) => {
    const inShell = shimWith({}, { output }, noNode);
    const text = expect.stringContaining('Say "x"}} now.');
    expect(printed(inShell, { session_id: 's', prompt: 'x' }, w.bare)).toEqual(expected(text));
    const byNode = shimWith({ skipUnless: 'prompt' }, { output });
    expect(printed(byNode, { session_id: 's', prompt: 'x' })).toEqual(expected(text));
  });
});

describe('a prompt that is for nobody', () => {
  it('nobody wrote', async () => {
    const shim = shimWith({ skipUnless: 'prompt' });
    for (const prompt of ['', undefined])
      expect((await w.fire(shim, { session_id: 's', prompt })).stdout).toBe('');
    expect((await w.fire(shim, { session_id: 's', prompt: 'x' })).text).toBeDefined();
  });

  it('is a sub-agent’s task', async () => {
    const shim = shimWith({ skipLike: { path: 'prompt', like: '^# Task' } });
    expect((await w.fire(shim, { session_id: 's', prompt: '# Task: find it' })).stdout).toBe('');
    expect((await w.fire(shim, { session_id: 's', prompt: 'A # Task' })).text).toBeDefined();
  });

  it('is a note of Claude Code that a task in the background ended', async () => {
    const shim = w.shim('claude-code', 'UserPromptSubmit', [{ text: 'A text.', event: 'pre_request' }]);
    const prompt = (text: string) => ({ ...captured('claude-code', 'UserPromptSubmit'), prompt: text });
    expect((await w.fire(shim, prompt('<task-notification>\n<task-id>b1</task-id>'))).stdout).toBe('');
    expect((await w.fire(shim, prompt('What is a <task-notification>?'))).text).toBeDefined();
  });

  it('is a note of Droid that a sub-agent ended', async () => {
    const shim = w.shim('droid', 'UserPromptSubmit', [{ text: 'A text.', event: 'pre_request' }]);
    const fire = (prompt: string) => w.fire(shim, { ...captured('droid', 'UserPromptSubmit'), prompt });
    for (const how of ['completed', 'stopped', 'error'])
      expect((await fire(`Background task ${how}.\ntask_id: b1\ntype: worker`)).text).toBeUndefined();
    expect((await fire('Background task completed.\nWhat does that mean?')).text).toBeDefined();
  });

  it('was answered already', async () => {
    const shim = shimWith({ oncePer: 'prompt_id' });
    const given = [];
    for (const prompt_id of ['a', 'a', 'b'])
      given.push((await w.fire(shim, { session_id: 'once', prompt_id, prompt: 'x' })).text !== undefined);
    expect(given).toEqual([true, false, true]);
    expect((await w.fire(shim, { session_id: 'other', prompt_id: 'b', prompt: 'x' })).text).toBeDefined();
  });

  it('has the id of one that another hook blocked, and is the user’s', async () => {
    const turn = { session_id: 'blocked', prompt_id: 's##0', prompt: 'x' };
    const sent = { ...turn, submitted_prompt: 'x' };
    const quoted = { ...turn, prompt: JSON.stringify(sent) };
    const payload = { oncePer: 'prompt_id', newIf: 'submitted_prompt' };
    const byShell = async (one: object) =>
      (await w.fire(shimWith(payload, {}, noNode), one, { PATH: w.bare })).text !== undefined;
    const byNode = async (one: object) =>
      (await w.fire(shimWith(payload), JSON.stringify(one, null, 1))).text !== undefined;
    for (const said of [byShell, byNode]) {
      expect([await said(sent), await said(sent)]).toEqual([true, true]);
      for (const one of [turn, quoted, { ...turn, submitted_prompt: '' }])
        expect(await said(one)).toBe(false);
    }
  });

  it('is left to node where the shell can’t tell', async () => {
    const turn = { session_id: 'unsure', prompt_id: 's##0', prompt: 'x' };
    const shell = shimWith({ oncePer: 'prompt_id' }, {}, noNode);
    const cut = shimWith({ oncePer: 'prompt_id' }, {}, noNode);
    writeFileSync(`${cut.path}.once`, '\nprompt_id\n');
    const { prompt_id: _, ...unnamed } = turn;
    for (const [shim, one] of [
      [shell, { ...turn, prompt_id: 'an id' }],
      [shell, unnamed],
      [shell, { ...turn, session_id: 'a session' }],
      [cut, turn],
    ] as const)
      expect(await w.fire(shim, one, { PATH: w.bare })).toMatchObject({ code: 0, stdout: '' });
    expect((await w.fire(shell, turn, { PATH: w.bare })).text).toBeDefined();
  });

  it('is told by the shell alone, and by node where the payload is spelled in another way', async () => {
    const turns = { skipUnless: 'prompt', oncePer: 'prompt_id' };
    const turn = (prompt_id: string, prompt: string) => ({ session_id: 'turns', prompt_id, prompt });
    const said = async (shim: ReturnType<typeof shimWith>, payload: unknown, PATH = w.bare) =>
      (await w.fire(shim, payload, { PATH })).text !== undefined;
    const shell = shimWith(turns, {}, noNode);
    expect(await said(shell, turn('s##0', 'a "prompt":"" b'))).toBe(true);
    expect(await said(shell, turn('s##0', ''))).toBe(false);
    expect(await said(shell, turn('s##0', 'A hook wants more.'))).toBe(false);
    expect(await said(shell, turn('s##1', 'x'))).toBe(true);
    const spaced = (payload: object) => JSON.stringify(payload, null, 1);
    const node = shimWith(turns);
    const path = process.env.PATH;
    expect(await said(node, spaced(turn('s##1', 'x')), path)).toBe(false);
    expect(await said(node, spaced(turn('s##2', '')), path)).toBe(false);
    expect(await said(node, spaced(turn('s##2', 'x')), path)).toBe(true);
    expect(await said(shell, turn('s##2', 'x'))).toBe(false);
  });
});
