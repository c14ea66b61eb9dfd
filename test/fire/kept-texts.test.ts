import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { clientById } from '../../src/clients/index.ts';
import type { PayloadShape } from '../../src/fire/format.ts';
import { keptTextsFolder } from '../../src/fire/own-folders.ts';
import { isContinuation } from '../../src/fire/session/continuation.ts';
import { tidy } from '../../src/fire/session/kept-texts.ts';
import { LONG } from '../effort.ts';
import { nodeHere } from '../node-here/start.ts';
import { slashed, WINDOWS } from '../platform.ts';
import { captured, type Fired, served, world } from './world.ts';

const w = world({ node: nodeHere({ servers: true }) });
/** Where fires may meet: here they would run one after the other. */
const apart = { node: process.execPath };
let sessions = 0;
const newSession = (): string => `kept-${sessions++}`;
const CLAUDE = { stop: 'Stop', prompt: 'UserPromptSubmit', start: 'SessionStart', end: 'SessionEnd' };
const PAYLOADS: Record<string, Record<string, unknown>> = {
  stop: captured('claude-code', 'Stop'),
  prompt: captured('claude-code', 'UserPromptSubmit'),
  start: captured('claude-code', 'SessionStart.startup'),
  instead: captured('claude-code', 'SessionStart.resume'),
  end: captured('claude-code', 'SessionEnd.other'),
};

/** The shims of one server whose texts are given later, on Claude Code. */
function deferring(more: object = {}, script: { node?: string } = {}) {
  const post = { n: 1, event: 'post_request', priority: 'important' } as const;
  const end = { n: 2, event: 'session_end' } as const;
  const server = { server: `later-${sessions}`, ...more };
  const shims: Record<string, Fired> = {
    stop: w.shim(
      'claude-code',
      CLAUDE.stop,
      [{ ...post, does: 'defer', text: 'Save it, {session_id}.' }],
      server,
    ),
    prompt: w.shim(
      'claude-code',
      CLAUDE.prompt,
      [
        { ...post, does: 'emit-deferred' },
        { ...end, does: 'mark-turn' },
      ],
      server,
      undefined,
      script,
    ),
    start: w.shim('claude-code', CLAUDE.start, [{ ...end, does: 'emit-deferred' }], server),
    instead: w.shim(
      'claude-code',
      CLAUDE.start,
      [{ ...post, at: 'start', replacesKept: true, text: 'Instead, {session_id}.' }],
      server,
    ),
    end: w.shim('claude-code', CLAUDE.end, [{ ...end, does: 'defer', text: 'It ended.' }], server),
  };
  const run = async (step: string, session: string, cwd?: string) => {
    const env = cwd === undefined ? {} : { CLAUDE_PROJECT_DIR: cwd };
    const ran = await w.fire(shims[step] as Fired, { ...PAYLOADS[step], session_id: session }, env, cwd);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    return ran.text;
  };
  return { run, folder: keptTextsFolder(w.state, 'claude-code', server.server) };
}

describe('a text for the end of a request', () => {
  it('is given once, with the next prompt of that session, and says what it was meant for', async () => {
    const { run } = deferring();
    const [a, b] = [newSession(), newSession()];
    expect(await run('stop', a)).toBeUndefined();
    expect(await run('stop', a)).toBeUndefined();
    expect(await run('prompt', b)).toBeUndefined();
    const text = await run('prompt', a);
    expect(text).toMatch(
      /^\[mcphooks 7f3ac2e1 \| MCP server "later-\d+" \| post_request \| important \| meant for the end of an earlier turn, \d{4}-\d\d-\d\d \d\d:\d\d UTC\]\n/,
    );
    expect(text).toContain(`\nSave it, ${a}.\n[/mcphooks 7f3ac2e1]`);
    expect(text?.match(/Save it/g)).toHaveLength(1);
    expect(await run('prompt', a)).toBeUndefined();
  });

  it('goes with the text that takes its place, and stays where there is none', async () => {
    const { run, folder } = deferring();
    const session = newSession();
    await run('stop', session);
    expect(await run('instead', session)).toContain(`Instead, ${session}.`);
    expect(await run('prompt', session)).toBeUndefined();
    await run('stop', session);
    expect(await run('instead', session)).toBeUndefined();
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^1\..*\.json$/)]);
    expect(await run('prompt', session)).toContain('Save it');
  });

  it.runIf(LONG)('is given to one of several prompts at the same time', async () => {
    const { run } = deferring({}, apart);
    const session = newSession();
    await run('stop', session);
    const texts = await Promise.all([1, 2, 3, 4].map(() => run('prompt', session)));
    expect(texts.filter(Boolean)).toHaveLength(1);
  });

  it.runIf(LONG)(
    'survives a fire that crashed while giving it, expires, and belongs to its install',
    async () => {
      const { run, folder } = deferring();
      const session = newSession();
      await run('stop', session);
      const [name = ''] = readdirSync(folder);
      const claimed = join(folder, `${name}.taken-1`);
      renameSync(join(folder, name), claimed);
      expect(await run('prompt', session)).toBeUndefined();
      expect(existsSync(claimed)).toBe(true);
      tidy(folder, Date.now() + 61_000);
      expect(await run('prompt', session)).toContain('Save it');

      // One kept since is newer.
      await run('stop', session);
      renameSync(join(folder, name), claimed);
      await run('stop', session);
      const newer = readFileSync(join(folder, name), 'utf8');
      writeFileSync(claimed, newer.replace('Save it', 'Old'));
      tidy(folder, Date.now() + 61_000);
      expect(readFileSync(join(folder, name), 'utf8')).toBe(newer);
      expect(existsSync(claimed)).toBe(false);
      expect(await run('prompt', session)).toContain('Save it');

      const change = async (edit: (item: Record<string, unknown>) => void) => {
        await run('stop', session);
        const file = join(folder, readdirSync(folder)[0] ?? '');
        const item = JSON.parse(readFileSync(file, 'utf8'));
        edit(item);
        writeFileSync(file, JSON.stringify(item));
        return run('prompt', session);
      };
      expect(await change((item) => (item.meantAt = '2020-01-01T00:00:00.000Z'))).toBeUndefined();
      expect(await change((item) => (item.tag = 'other'))).toBeUndefined();
      expect(await change((item) => delete item.text)).toBeUndefined();
      expect(await change(() => {})).toContain('Save it');
      expect(readdirSync(folder)).toEqual([]);
    },
  );
});

it('a text that no prompt came for is deleted after a week, as is one that a fire left half written', async () => {
  const { run, folder } = deferring();
  await run('stop', newSession());
  const [name = ''] = readdirSync(folder);
  const files = [name, `.${name}.1`, `${name}.taken-1`].sort();
  for (const file of files) writeFileSync(join(folder, file), '{');
  rmSync(join(folder, name));
  const day = 24 * 3600 * 1000;
  // The claimed one is free again.
  for (const days of [0, 6]) tidy(folder, Date.now() + days * day);
  expect(readdirSync(folder).sort()).toEqual(files.slice(0, 2));
  tidy(folder, Date.now() + 8 * day);
  expect(readdirSync(folder)).toEqual([]);
});

it('a text that a fire claimed is free again also after the clock was set back', async () => {
  const { run, folder } = deferring();
  await run('stop', newSession());
  const [name = ''] = readdirSync(folder);
  renameSync(join(folder, name), join(folder, `${name}.taken-1`));
  tidy(folder, Date.now() - 30 * 24 * 3600 * 1000);
  expect(readdirSync(folder)).toEqual([name]);
});

it.skipIf(WINDOWS)('texts are tidied by a script that has other hooks, too', async () => {
  const [node, clock] = [join(w.home, 'later'), join(w.home, 'clock.cjs')];
  writeFileSync(clock, 'const now = Date.now;\nDate.now = () => now() + 61_000;\n');
  writeFileSync(node, `#!/bin/sh\nexec '${process.execPath}' -r '${clock}' "$@"\n`, { mode: 0o755 });
  const { run, folder } = deferring({}, { node });
  await run('stop', newSession());
  const [name = ''] = readdirSync(folder);
  renameSync(join(folder, name), join(folder, `${name}.taken-1`));
  await run('prompt', newSession());
  expect(readdirSync(folder)).toEqual([name]);
});

describe('a text for the end of a session', () => {
  it('is given at the next session of the project, if this one had a turn', async () => {
    const { run } = deferring();
    const other = join(w.home, 'work', 'other');
    mkdirSync(join(other, '.git', 'worktrees', 'tree'), { recursive: true });
    const [a, b] = [newSession(), newSession()];
    await run('end', a);
    expect(await run('start', b)).toBeUndefined();
    await run('prompt', a);
    await run('end', a);
    await run('end', a);
    expect(await run('start', b, other)).toBeUndefined();
    expect(await run('start', b, join(w.project))).toContain('It ended.');
    expect(await run('start', newSession())).toBeUndefined();

    // A worktree is the same project.
    const tree = join(w.home, 'work', 'tree');
    mkdirSync(join(tree, 'sub'), { recursive: true });
    writeFileSync(join(tree, '.git'), `gitdir: ${other}/.git/worktrees/tree\n`);
    writeFileSync(join(other, '.git/worktrees/tree/gitdir'), `${tree}/.git\n`);
    await run('prompt', a, join(tree, 'sub'));
    await run('end', a, join(tree, 'sub'));
    expect(await run('start', b)).toBeUndefined();
    expect(await run('start', b, other)).toContain('It ended.');
  });

  it('is not given in a folder that says itself that it is a worktree of the project', async () => {
    const { run } = deferring();
    const secret = join(w.home, 'work', 'secret');
    mkdirSync(join(secret, '.git/worktrees/tree'), { recursive: true });
    writeFileSync(join(secret, '.git/worktrees/tree/gitdir'), `${join(w.home, 'work/elsewhere')}/.git\n`);
    writeFileSync(join(secret, '.git/worktrees/tree/commondir'), '../..\n');
    const [a, b] = [newSession(), newSession()];
    await run('prompt', a, secret);
    await run('end', a, secret);
    const forged = join(w.home, 'work', 'forged');
    mkdirSync(join(forged, 'own/worktrees/tree'), { recursive: true });
    for (const [own, common] of [
      ['own', `${secret}/.git`],
      ['own/worktrees/tree', `${secret}/.git`],
      [`${secret}/.git/worktrees/tree`, ''],
      [`${secret}/.git`, ''],
    ] as const) {
      writeFileSync(join(forged, '.git'), `gitdir: ${own}\n`);
      if (common) writeFileSync(join(forged, own, 'commondir'), `${common}\n`);
      writeFileSync(join(forged, 'own/worktrees/tree/gitdir'), `${forged}/.git\n`);
      expect(await run('start', b, forged), own).toBeUndefined();
    }
    expect(await run('start', b, secret)).toContain('It ended.');
  });

  it('replaces the one that waits', async () => {
    const { run, folder } = deferring();
    for (const session of [newSession(), newSession()]) {
      await run('prompt', session);
      await run('end', session);
    }
    expect(readdirSync(folder)).toHaveLength(1);
  });
});

it.each([
  ['only what was kept', []],
  [
    'a text for a file that is missing, too,',
    [{ event: 'pre_request', text: 'It is there.', when: { files: ['none'] } }],
  ],
] as const)('a shim that gives %s starts node only while something waits', async (server, more) => {
  const hook = { event: 'post_request', does: 'emit-deferred' } as const;
  const shim = w.shim('claude-code', 'UserPromptSubmit', [hook, ...more], { server }, undefined, {
    node: '/no/node',
  });
  const failed = join(w.home, 'data/hooks/annal/failed');
  rmSync(failed, { force: true });
  await w.fire(shim, PAYLOADS.prompt, { PATH: w.bare });
  expect(existsSync(failed)).toBe(false);
  mkdirSync(keptTextsFolder(w.state, 'claude-code', server), { recursive: true });
  writeFileSync(join(keptTextsFolder(w.state, 'claude-code', server), 'x'), '');
  await w.fire(shim, PAYLOADS.prompt, { PATH: w.bare });
  expect(existsSync(failed)).toBe(true);
});

describe('Gemini CLI', () => {
  const server = { server: 'gem' };
  const payload = (name: string, session: string, more = {}) => ({
    ...captured('gemini-cli', name),
    session_id: session,
    ...more,
  });
  const continuation = {
    beside: 'transcript_path',
    log: '../logs.json',
    time: 'timestamp',
    withinMs: 60_000,
  };
  const start = w.shim(
    'gemini-cli',
    'SessionStart',
    [{ n: 1, event: 'session_start', does: 'start-session' }],
    server,
  );
  const before = w.shim(
    'gemini-cli',
    'BeforeAgent',
    [
      { n: 1, event: 'session_start', at: 'start', text: 'Begin.' },
      { n: 2, event: 'pre_request', text: 'Each.' },
      { n: 3, event: 'post_tool_use', does: 'emit-deferred' },
    ],
    { ...server, payload: { continuation } },
  );
  const after = w.shim('gemini-cli', 'AfterAgent', [{ n: 2, event: 'pre_request', does: 'mark-turn' }], {
    ...server,
    payload: { turnEnd: 'timestamp' },
  });
  const tool = w.shim(
    'gemini-cli',
    'AfterTool',
    [
      { n: 3, event: 'post_tool_use', text: 'After {tool_name}: {tool_output}' },
      { n: 3, event: 'post_tool_use', does: 'emit-deferred' },
    ],
    { ...server, payload: { keepIf: 'tool_response.error' } },
  );
  const texts = async (shim: Fired, input: unknown): Promise<string[]> =>
    ((await w.fire(shim, input)).text ?? '')
      .split('\n')
      .filter((line) => line !== '' && !line.includes('mcphooks'));

  it('gives a session_start text with the first prompt, again after /clear and resume', async () => {
    const [a, b] = [newSession(), newSession()];
    for (const session of [a, b]) {
      await w.fire(start, payload('SessionStart', session));
      expect(await texts(before, payload('BeforeAgent', session))).toEqual(['Begin.', 'Each.']);
      expect(await texts(before, payload('BeforeAgent', session))).toEqual(['Each.']);
    }
    await w.fire(start, payload('SessionStart.resume', a));
    expect(await texts(before, payload('BeforeAgent', a))).toEqual(['Begin.', 'Each.']);
    // Without any SessionStart (ACP) too.
    expect(await texts(before, payload('BeforeAgent', newSession()))).toEqual(['Begin.', 'Each.']);
  });

  it('keeps the text of a failed tool result for the next prompt', async () => {
    const session = newSession();
    await texts(before, payload('BeforeAgent', session));
    expect(await texts(tool, payload('AfterTool', session))).toEqual([
      'After Bash: <untrusted_context>',
      'Output: [master (root-commit) 1f655d5] x',
      'Process Group PGID: 12096',
      '</untrusted_context>',
    ]);
    expect(await texts(tool, payload('AfterTool.error', session))).toEqual([]);
    expect(await texts(before, payload('BeforeAgent', session))).toEqual([
      'Each.',
      'After Read: Could not read file because no file was found at the specified path.',
    ]);
    expect(await texts(before, payload('BeforeAgent', session))).toEqual(['Each.']);
  });

  it('keeps the text of a command that the user cancelled', async () => {
    const fixed = w.shim(
      'gemini-cli',
      'AfterTool',
      [{ n: 3, event: 'post_tool_use', text: 'Fixed.' }],
      server,
    );
    const session = newSession();
    await texts(before, payload('BeforeAgent', session));
    expect(await texts(fixed, payload('AfterTool', session))).toEqual(['Fixed.']);
    expect(await texts(fixed, payload('AfterTool.cancelled', session))).toEqual([]);
    expect(await texts(before, payload('BeforeAgent', session))).toEqual(['Each.', 'Fixed.']);
  });

  it.runIf(LONG)('or for the next tool result, whichever comes first', async () => {
    const session = newSession();
    await texts(before, payload('BeforeAgent', session));
    expect(await texts(tool, payload('AfterTool.error', session))).toEqual([]);
    expect(await texts(tool, payload('AfterTool.error', session))).toEqual([]);
    const kept = 'After Read: Could not read file because no file was found at the specified path.';
    expect(await texts(tool, payload('AfterTool', session))).toContain(kept);
    expect(await texts(tool, payload('AfterTool', session))).not.toContain(kept);
    expect(await texts(before, payload('BeforeAgent', session))).toEqual(['Each.']);
  });

  it.runIf(LONG)('gives nothing with a prompt that the client made itself', async () => {
    const at = (second: number): string => `2026-11-20T23:00:${String(second).padStart(2, '0')}.000Z`;
    const chats = join(w.home, '.gemini/tmp/shop/chats');
    mkdirSync(chats, { recursive: true });
    const event = (name: string, session: string, second: number) =>
      payload(name, session, { transcript_path: join(chats, 's.jsonl'), timestamp: at(second) });
    const headless = newSession();
    await w.fire(start, event('SessionStart', headless, 0));
    expect(await texts(before, event('BeforeAgent', headless, 1))).toEqual(['Begin.', 'Each.']);
    await w.fire(after, event('AfterAgent', headless, 5));
    expect(await texts(before, event('BeforeAgent', headless, 7))).toEqual([]);
    await w.fire(after, event('AfterAgent.continuation', headless, 9));
    expect(await texts(before, event('BeforeAgent', headless, 10))).toEqual([]);
    await w.fire(start, event('SessionStart.resume', headless, 12));
    expect(await texts(before, event('BeforeAgent', headless, 13))).toEqual(['Begin.', 'Each.']);

    // At a terminal the client writes down each of the user's prompts.
    const tui = newSession();
    const prompts: object[] = [];
    const type = (second: number): void => {
      prompts.push({
        sessionId: tui,
        messageId: prompts.length,
        type: 'user',
        message: 'm',
        timestamp: at(second),
      });
      writeFileSync(join(chats, '../logs.json'), JSON.stringify(prompts));
    };
    await w.fire(start, event('SessionStart', tui, 20));
    type(21);
    expect(await texts(before, event('BeforeAgent', tui, 21))).toEqual(['Begin.', 'Each.']);
    await w.fire(after, event('AfterAgent', tui, 25));
    type(26);
    expect(await texts(before, event('BeforeAgent', tui, 26))).toEqual(['Each.']);
    await w.fire(after, event('AfterAgent', tui, 30));
    expect(await texts(before, event('BeforeAgent', tui, 31))).toEqual([]);
    type(32);
    expect(await texts(before, event('BeforeAgent', tui, 33))).toEqual(['Each.']);
    // After /clear it goes on writing them down under the session's old id (0.61.0).
    const cleared = newSession();
    await w.fire(start, event('SessionStart.clear', cleared, 34));
    type(35);
    expect(await texts(before, event('BeforeAgent', cleared, 35))).toEqual(['Begin.', 'Each.']);
    await w.fire(after, event('AfterAgent', cleared, 36));
    expect(await texts(before, event('BeforeAgent', cleared, 37))).toEqual([]);
    await w.fire(after, event('AfterAgent', cleared, 38));
    type(39);
    expect(await texts(before, event('BeforeAgent', cleared, 39))).toEqual(['Each.']);
    // ACP sends no SessionStart: every prompt is the user's.
    const acp = newSession();
    await w.fire(after, event('AfterAgent', acp, 40));
    expect(await texts(before, event('BeforeAgent', acp, 41))).toEqual(['Begin.', 'Each.']);
  });
});

describe('Copilot CLI: a prompt is its own, by its log,', () => {
  const { continuation } = clientById('copilot').natives.userPromptSubmitted ?? {};
  const file = join(w.home, 'events.jsonl');
  const prompt = (timestamp: number) => ({ type: 'hook.start', data: { input: { timestamp } } });
  const ended = (decision?: string) => ({
    type: 'hook.end',
    data: { hookType: 'agentStop', output: { decision } },
  });
  const message = { type: 'user.message', data: {} };
  const write = (lines: readonly object[]): void =>
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  /** `ago`: ms since the last turn ended. */
  const isOwn = (timestamp: number, ago = 1_000): boolean => {
    const session = { read: () => file, counted: () => ({ times: 1, last: Date.now() - ago }) };
    return isContinuation({ timestamp }, { continuation } as PayloadShape, session as never);
  };

  it.each<[string, boolean, object[]]>([
    ['when a hook refused the end of a turn', true, [message, ended('block'), prompt(7)]],
    ['not when none did', false, [message, ended(), prompt(7)]],
    [
      'not when the refused turn went on to a later end',
      false,
      [ended('block'), message, ended(), prompt(7)],
    ],
    ['not when a prompt came since', false, [ended('block'), prompt(6), message, prompt(7)]],
    ['whatever follows', true, [ended('block'), prompt(7), message, ended(), prompt(8)]],
  ])('%s', (_, is, lines) => {
    write(lines);
    expect(isOwn(7)).toBe(is);
  });

  it('only shortly after the end', () => {
    write([ended('block'), prompt(7)]);
    expect([isOwn(7, 59_000), isOwn(7, 61_000)]).toEqual([true, false]);
  });

  it('also when the client writes its line late', () => {
    write([ended('block')]);
    const wait = vi.spyOn(Atomics, 'wait').mockImplementationOnce(() => {
      write([ended('block'), prompt(7)]);
      return 'timed-out';
    });
    expect(isOwn(7)).toBe(true);
    expect(wait).toHaveBeenCalledOnce();
    wait.mockRestore();
  });
});

describe('limits of a session', () => {
  const payload = (session: string) => ({
    ...captured('claude-code', 'PostToolUse.Bash'),
    session_id: session,
  });
  const count = async (shim: Fired, session: string, times: number): Promise<number> => {
    let given = 0;
    for (let i = 0; i < times; i++) if ((await w.fire(shim, payload(session))).text) given++;
    return given;
  };

  it('budget', async () => {
    const text = `${'x'.repeat(300)} {tool_name}`;
    const shim = w.shim('claude-code', 'PostToolUse', [{ text }], { sessionBudget: 900, server: 'budget' });
    expect(await count(shim, newSession(), 5)).toBe(2);
    expect(w.logged().at(-1)).toMatchObject({ incident: 'budget.session', n: 1 });
    expect(await count(shim, newSession(), 1)).toBe(1);
  });

  it.runIf(LONG)('cooldown', async () => {
    const hook = { text: 'Now.', cooldownMs: 60_000 };
    const shim = w.shim('claude-code', 'PostToolUse', [hook], { server: 'cool' }, undefined, apart);
    const session = newSession();
    expect(await count(shim, session, 2)).toBe(1);
    expect(
      (await Promise.all([1, 2, 3].map(() => w.fire(shim, payload('cool-x'))))).filter((r) => r.text),
    ).toHaveLength(1);
    const folder = join(w.state, 'sessions');
    const file =
      readdirSync(folder, { recursive: true })
        .map(String)
        .find((f) => slashed(f).includes(`${session}/cooldown`)) ?? '';
    writeFileSync(join(folder, file), '1000\n');
    expect(await count(shim, session, 2)).toBe(1);
  });

  it.runIf(LONG)('are those of a sub-agent, too, and those of the main agent stay', async () => {
    const inAgent = (session: string, agent_id: string) => ({ ...payload(session), agent_id });
    for (const hook of [
      { text: 'Now.', cooldownMs: 60_000 },
      { text: 'In {tool_name}.', cooldownMs: 60_000 },
    ]) {
      const shim = w.shim('claude-code', 'PostToolUse', [hook], { server: `agents-${hook.text.length}` });
      const session = newSession();
      const given = [];
      for (const one of [
        inAgent(session, 'a1'),
        payload(session),
        inAgent(session, 'a2'),
        inAgent(session, 'a1'),
      ])
        given.push((await w.fire(shim, one)).text !== undefined);
      expect([given, await count(shim, session, 1)]).toEqual([[true, true, true, false], 0]);
    }
    const more = { sessionBudget: 900, server: 'agents' };
    const shim = w.shim('claude-code', 'PostToolUse', [{ text: 'x'.repeat(300) }], more);
    const session = newSession();
    const given = [];
    for (let i = 0; i < 5; i++) given.push((await w.fire(shim, inAgent(session, 'a1'))).text !== undefined);
    expect(given).toEqual([true, true, false, false, false]);
    expect(await count(shim, session, 5)).toBe(2);
  });

  it('cooldown does not count a tool that failed', async () => {
    const call = { tool: 'fails', args: {} };
    const log = join(w.home, 'cool.jsonl');
    const shim = w.shim('claude-code', 'PostToolUse', [{ call, cooldownMs: 60_000 }], {
      ...served(['--log', log]),
      server: 'cooler',
    });
    await count(shim, newSession(), 2);
    expect(readFileSync(log, 'utf8').match(/"call"/g)).toHaveLength(2);
  });
});
