import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, it } from 'vitest';
import { clientById } from '../../src/clients/index.ts';
import { needlesFile } from '../../src/shims/prefilter.ts';
import { ALL, LONG } from '../effort.ts';
import { WINDOWS } from '../platform.ts';

/** The plugin itself, driven as OpenCode drives it: with the API that it gets, and scripts that are real. */

const root = mkdtempSync(join(tmpdir(), 'mcphooks plugin-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const program = clientById('opencode').hooks.user[0]?.program ?? '';
const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'Stop',
  'SessionEnd',
];
const says = (text: string): string =>
  `cat >>"$0.got"; echo >>"$0.got"; printf '%s\\n' '${JSON.stringify({ hookSpecificOutput: { additionalContext: text } })}'`;

/** Names the tool of the payload. */
const ECHO_TOOL = `t=\${in#*tool_name\\":\\"}; printf '{"hookSpecificOutput":{"additionalContext":"of %s"}}' "\${t%%\\"*}"`;
setFlagsFromString('--expose-gc');
const gc: () => void = runInNewContext('gc');

type Part = { id: string; type: string; text?: string; synthetic?: boolean };
type Handlers = Record<string, (...given: unknown[]) => Promise<void>>;

interface World {
  scripts?: Record<string, string>;
  matcher?: string;
  timeout?: number;
  needles?: string[];
  client?: unknown;
  /** Text of the line of data, in place of the entries. */
  data?: string;
}

let worlds = 0;
async function plugin({ scripts, matcher, timeout = 10, needles, client, data }: World = {}) {
  const dir = join(root, `w${worlds++}`);
  const project = join(dir, 'project');
  mkdirSync(project, { recursive: true });
  const all = scripts ?? Object.fromEntries(EVENTS.map((event) => [event, says(`MARK-${event}`)]));
  const hooks: Record<string, unknown[]> = {};
  for (const [event, body] of Object.entries(all)) {
    const script = join(dir, event);
    writeFileSync(script, `#!/bin/sh\n${body}\n`);
    if (needles) writeFileSync(`${script}.needles`, needlesFile(needles) ?? '');
    const handler = { type: 'command', command: '/bin/sh', args: [script], timeout };
    hooks[event] = [{ ...(matcher !== undefined && { matcher }), hooks: [handler] }];
  }
  const file = join(dir, 'plugins/mcphooks-notebook.mjs');
  mkdirSync(dirname(file));
  writeFileSync(
    file,
    program.replace('/* hooks */ {} /*', () => `/* hooks */ ${data ?? JSON.stringify({ hooks })} /*`),
  );
  const { default: loaded } = await import(pathToFileURL(file).href);
  const asked: string[] = [];
  const sdk = client ?? {
    session: {
      get: async ({ path: { id } }: { path: { id: string } }) => {
        asked.push(id);
        return { data: { id, ...(id.startsWith('child') && { parentID: 'root' }) } };
      },
    },
  };
  const handlers: Handlers = await loaded.server({ client: sdk, directory: project });
  const got = (event: string): Record<string, unknown>[] => {
    const path = join(dir, `${event}.got`);
    if (!existsSync(path)) return [];
    return readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  const call = (name: string, ...given: unknown[]) => handlers[name]?.(...given);
  const event = (type: string, properties: object) => call('event', { event: { type, properties } });
  const prompt = async (
    sessionID = 'ses_1',
    parts: Part[] = [{ id: 'prt_1', type: 'text', text: 'Hello.' }],
  ) => {
    await call('chat.message', { sessionID }, { message: { id: 'msg_1', sessionID }, parts });
    return parts;
  };
  const tool = async (output: object, args: object = { command: 'git commit' }, name = 'bash') => {
    const about = { tool: name, sessionID: 'ses_1', callID: 'call_1' };
    await call('tool.execute.before', about, { args });
    await call('tool.execute.after', { ...about, args }, output);
    return output as { output?: string; content?: { text: string }[] };
  };
  const failed = async (error = 'Broken.', callID = 'call_1', sessionID = 'ses_1', id = `prt_${callID}`) => {
    const part = { id, sessionID, type: 'tool', callID, state: { status: 'error', error } };
    await call('experimental.chat.messages.transform', {}, { messages: [{ info: {}, parts: [part] }] });
    return part.state.error;
  };
  return { dir, project, loaded, handlers, asked, got, call, event, prompt, tool, failed };
}

const texts = (parts: readonly Part[]): string[] => parts.map(({ text }) => text ?? '');

describe('the plugin of OpenCode', () => {
  it('is a default export that 1.x and 2.x load, and does nothing on 2.x', async () => {
    const { loaded } = await plugin();
    expect(Object.keys(loaded)).toEqual(['id', 'server', 'setup']);
    expect(loaded.id).toBe('mcphooks-notebook.mjs');
    expect(await loaded.setup({ options: {} })).toBeUndefined();
  });

  it('gives texts behind the prompt, in a part of their own', async () => {
    const { prompt, got, project } = await plugin();
    const parts = await prompt();
    expect(texts(parts)).toEqual(['Hello.', 'MARK-SessionStart\n\nMARK-UserPromptSubmit']);
    expect(parts[1]).toMatchObject({ synthetic: true, sessionID: 'ses_1', messageID: 'msg_1' });
    expect((parts[1]?.id ?? '') > 'prt_1').toBe(true);
    const common = { session_id: 'ses_1', cwd: project };
    expect(got('SessionStart')).toEqual([{ ...common, source: 'resume', hook_event_name: 'SessionStart' }]);
    expect(got('UserPromptSubmit')).toEqual([
      { ...common, prompt: 'Hello.', hook_event_name: 'UserPromptSubmit' },
    ]);
  });

  it('knows how a session starts: once each', async () => {
    const { prompt, event, got } = await plugin();
    const created = (id: string) => event('session.created', { info: { id } });
    await created('ses_1');
    await prompt('ses_1');
    await prompt('ses_1');
    await event('session.compacted', { sessionID: 'ses_1' });
    await prompt('ses_1');
    await created('ses_2');
    await prompt('ses_2');
    await prompt('ses_3');
    expect(got('SessionStart').map(({ source }) => source)).toEqual([
      'startup',
      'compact',
      'clear',
      'resume',
    ]);
  });

  it("leaves sub-agents' prompts alone, and those that nobody wrote", async () => {
    const { prompt, event, got, asked } = await plugin();
    await event('session.created', { info: { id: 'sub', parentID: 'ses_1' } });
    for (const id of ['sub', 'child', 'child']) expect(texts(await prompt(id))).toEqual(['Hello.']);
    expect(asked).toEqual(['child']);
    const added = [{ id: 'prt_1', type: 'text', text: 'x', synthetic: true }];
    expect(await prompt('ses_1', added)).toHaveLength(1);
    expect(await prompt('ses_1', [{ id: 'prt_1', type: 'compaction' }])).toHaveLength(1);
    expect(got('UserPromptSubmit')).toEqual([]);
  });

  it("puts its text behind a built-in tool's result, and before a server's, whose end is cut", async () => {
    const { tool, got } = await plugin();
    expect((await tool({ output: 'done', metadata: { exit: 0 } })).output).toBe(
      'done\n\nMARK-PreToolUse\n\nMARK-PostToolUse',
    );
    const { content } = await tool(
      { content: [{ type: 'text', text: 'found' }] },
      { query: 'q' },
      'mem_find',
    );
    expect(content?.map(({ text }) => text)).toEqual(['MARK-PreToolUse\n\nMARK-PostToolUse', 'found']);
    const [first, second] = got('PostToolUse');
    expect(first).toMatchObject({ tool_name: 'bash', tool_input: { command: 'git commit' } });
    expect(first?.tool_response).toEqual({ output: 'done' });
    expect(second?.tool_response).toEqual({ output: 'found' });
  });

  it('tells that a command ended with another code than 0', async () => {
    const { tool, got } = await plugin();
    for (const exit of [3, null]) await tool({ output: '', metadata: { exit } });
    expect(got('PostToolUse').map(({ tool_response }) => tool_response)).toEqual([
      { output: '', failed: true },
      { output: '', failed: true },
    ]);
  });

  it('adds its text to the error of a tool that failed or was rejected, in each request anew, once', async () => {
    const { call, failed, got } = await plugin();
    await call('tool.execute.before', { tool: 'read', sessionID: 'ses_1', callID: 'call_1' }, { args: {} });
    const error = 'Broken.\n\nMARK-PreToolUse\n\nMARK-PostToolUseFailure';
    expect(await failed()).toBe(error);
    expect(await failed()).toBe(error);
    expect(await failed(error)).toBe(error);
    expect(await failed('Of another process.', 'call_2')).toBe('Of another process.');
    expect(got('PostToolUseFailure')).toHaveLength(1);
    expect(got('PostToolUseFailure')[0]).toMatchObject({ error: 'Broken.', tool_name: 'read' });
  });

  it('tells calls of sessions apart that have the same id, and calls of a session', async () => {
    const scripts = { PostToolUseFailure: `read -r in; echo "$in" >>"$0.got"; ${ECHO_TOOL}` };
    const { call, failed } = await plugin({ scripts });
    const before = (tool: string, sessionID: string) =>
      call('tool.execute.before', { tool, sessionID, callID: 'call_0' }, { args: {} });
    await before('read', 'ses_1');
    await before('write', 'child_1');
    expect(await failed('A.', 'call_0', 'ses_1')).toBe('A.\n\nof read');
    expect(await failed('B.', 'call_0', 'child_1', 'prt_b')).toBe('B.\n\nof write');
    await before('edit', 'ses_1');
    expect(await failed('A.', 'call_0', 'ses_1')).toBe('A.\n\nof read');
    expect(await failed('C.', 'call_0', 'ses_1', 'prt_later')).toBe('C.\n\nof edit');
    expect(await failed('D.', 'call_0', 'ses_1', 'prt_unknown')).toBe('D.');
  });

  it.runIf(LONG)('keeps neither what calls were given, nor texts without end', async () => {
    const { call, failed } = await plugin({ scripts: { PostToolUseFailure: says('x') }, matcher: '^bash$' });
    const kept: WeakRef<object>[] = [];
    for (let i = 0; i < 50; i++) {
      const args = { text: 'x'.repeat(10_000) };
      kept.push(new WeakRef(args));
      const about = { tool: 'read', sessionID: 'ses_1', callID: `call_${i}` };
      await call('tool.execute.before', about, { args });
      await failed('No.', `call_${i}`);
    }
    await sleep(10);
    gc();
    expect(kept.filter((one) => one.deref()).length).toBeLessThan(5);
  });

  it('takes a turn for ended when it was begun, and neither failed nor was a compaction', async () => {
    const { prompt, event, call, got } = await plugin();
    const idle = async () => {
      await event('session.idle', { sessionID: 'ses_1' });
      await sleep(200);
      return got('Stop').length;
    };
    expect(await idle()).toBe(0);
    await prompt();
    expect(await idle()).toBe(1);
    expect(await idle()).toBe(1);
    await prompt();
    await event('session.error', { sessionID: 'ses_1' });
    expect(await idle()).toBe(1);
    await call('dispose');
    expect(got('SessionEnd').map(({ session_id, reason }) => [session_id, reason])).toEqual([
      ['ses_1', 'exit'],
    ]);
  });

  it.runIf(LONG)('waits at the next prompt, and at the end, for what a turn has left under way', async () => {
    const slow = `sleep 0.3; ${says('x')}`;
    const { prompt, event, call, got } = await plugin({ scripts: { Stop: slow } });
    for (const next of [() => prompt(), () => call('dispose')]) {
      await prompt();
      await event('session.idle', { sessionID: 'ses_1' });
      const before = got('Stop').length;
      await next();
      expect(got('Stop').length).toBe(before + 1);
    }
  });

  it('starts nothing where the tool is another one or no needle is there', async () => {
    const { tool, got } = await plugin({ matcher: '^bash$', needles: ['git commit'] });
    await tool({ output: '' }, { filePath: 'git commit' }, 'read');
    await tool({ output: '' }, { command: 'git push' });
    expect(got('PostToolUse')).toEqual([]);
    await tool({ output: '' }, { command: 'git commit' });
    expect(got('PostToolUse')).toHaveLength(1);
  });

  it('asks the script where a file of needles is damaged, or texts wait', async () => {
    const damaged = await plugin({ needles: ['git commit'] });
    writeFileSync(join(damaged.dir, 'PostToolUse.needles'), 'git comm');
    await damaged.tool({ output: '' }, { command: 'ls' });
    expect(damaged.got('PostToolUse')).toHaveLength(1);

    const waiting = await plugin({ needles: ['git commit'] });
    const folder = join(waiting.dir, 'kept');
    writeFileSync(join(waiting.dir, 'PostToolUse.kept'), `${folder}\n`);
    await waiting.tool({ output: '' }, { command: 'ls' });
    mkdirSync(folder);
    writeFileSync(join(folder, '.draft'), '');
    await waiting.tool({ output: '' }, { command: 'ls' });
    expect(waiting.got('PostToolUse')).toEqual([]);
    writeFileSync(join(folder, '1.json'), '');
    await waiting.tool({ output: '' }, { command: 'ls' });
    expect(waiting.got('PostToolUse')).toHaveLength(1);
  });

  it('runs a script of node by the runtime in the client where node is gone', async () => {
    const script = join(root, 'say.cjs');
    const text = '{"hookSpecificOutput":{"additionalContext":"by "}}';
    writeFileSync(
      script,
      `console.log('${text}'.replace('by ', '$&' + process.env.BUN_BE_BUN + process.env.BUN_OPTIONS))`,
    );
    const handler = { command: '/nonexistent/node', args: [script], timeout: 10 };
    const { prompt } = await plugin({
      data: JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [handler] }] } }),
    });
    expect(texts(await prompt())).toEqual([
      'Hello.',
      `by 1${process.platform === 'win32' ? undefined : '--config=/dev/null --env-file=/dev/null'}`,
    ]);
  });

  it("finds a project's scripts by its own path, wherever OpenCode was started", async () => {
    const { dir, loaded } = await plugin();
    const at = join(dir, 'repo/.opencode/plugins/mcphooks-notebook.mjs');
    mkdirSync(dirname(at), { recursive: true });
    const args = ['.mcphooks/hooks/say'];
    const data = { hooks: { UserPromptSubmit: [{ hooks: [{ command: '/bin/sh', args, timeout: 5 }] }] } };
    writeFileSync(
      at,
      program.replace('/* hooks */ {}', () => `/* hooks */ ${JSON.stringify(data)}`),
    );
    mkdirSync(join(dir, 'repo/.mcphooks/hooks'), { recursive: true });
    writeFileSync(join(dir, 'repo/.mcphooks/hooks/say'), says('MARK-TEAM'));
    const mine = (await import(pathToFileURL(at).href)).default;
    const hears = async (): Promise<string[]> => {
      const handlers = await mine.server({ client: {}, directory: root });
      const parts: Part[] = [{ id: 'prt_1', type: 'text', text: 'Hi.' }];
      await handlers['chat.message']({ sessionID: 's' }, { message: { id: 'm', sessionID: 's' }, parts });
      return texts(parts);
    };
    if (!WINDOWS) expect(await hears()).toEqual(['Hi.', 'MARK-TEAM']);
    // On Windows by the project's runtime.
    mkdirSync(join(dir, 'repo/.mcphooks/runtime'));
    writeFileSync(
      join(dir, 'repo/.mcphooks/runtime/fire.cjs'),
      'console.log(JSON.stringify({ hookSpecificOutput: { additionalContext: process.argv[2] } }))',
    );
    const here = process.platform;
    Object.defineProperty(process, 'platform', { value: 'win32' });
    try {
      expect(await hears()).toEqual(['Hi.', join(dir, 'repo/.mcphooks/hooks/say')]);
    } finally {
      Object.defineProperty(process, 'platform', { value: here });
    }
    expect(loaded.id).toBe(mine.id);
  });
});

const HARMLESS: [string, World & { after?: (dir: string) => void }][] = [
  ['a missing script', { after: (dir) => rmSync(join(dir, 'UserPromptSubmit')) }],
  ['an empty script', { scripts: { UserPromptSubmit: '' } }],
  ['a script that ends with 2', { scripts: { UserPromptSubmit: 'echo no >&2; exit 2' } }],
  ['a script that reads no payload', { scripts: { UserPromptSubmit: 'exec <&-; exit 0' } }],
  ['half of a document', { scripts: { UserPromptSubmit: `printf '{"hookSpecificOutput":'` } }],
  ['another document', { scripts: { UserPromptSubmit: `printf '{"decision":"block"}'` } }],
  ['no text', { scripts: { UserPromptSubmit: `printf '{"hookSpecificOutput":{"additionalContext":1}}'` } }],
  ['no entries', { data: '{}' }],
  ['entries without a handler', { data: '{"hooks":{"UserPromptSubmit":[{"hooks":[]}]}}' }],
  ['a matcher that is none', { matcher: '(' }],
  ['a client that throws', { client: {}, scripts: {} }],
];
const SLOW: typeof HARMLESS = [
  ['a script that nobody may read', { after: (dir) => chmodSync(join(dir, 'UserPromptSubmit'), 0) }],
  ['a script that hangs', { scripts: { UserPromptSubmit: 'sleep 60' }, timeout: 0.3 }],
  ['a script whose child holds the output', { scripts: { UserPromptSubmit: 'sleep 60 &' }, timeout: 0.3 }],
  [
    'a script that goes on and on',
    { scripts: { UserPromptSubmit: 'while :; do echo xxxxxxxxxxxxxxxx; done' } },
  ],
  [
    'a client that answers nothing',
    { client: { session: { get: () => new Promise(() => {}) } }, scripts: {} },
  ],
];

describe('the plugin of OpenCode does no harm with', () => {
  it.each(LONG ? [...HARMLESS, ...SLOW] : HARMLESS)('%s', async (_, { after, ...world }) => {
    const { handlers, prompt, tool, failed, dir, event, call } = await plugin(world);
    after?.(dir);
    expect(handlers).toBeTypeOf('object');
    const big = { id: 'prt_1', type: 'text', text: 'x'.repeat(200_000) };
    expect(texts(await prompt('ses_1', [big]))[0]).toBe(big.text);
    await event('session.idle', { sessionID: 'ses_1' });
    expect((await tool({ output: 'done' })).output).toMatch(/^done/);
    expect(await failed()).toMatch(/^Broken\./);
    await call('dispose');
  });

  it('arguments that are missing, null or empty', async () => {
    const { handlers, loaded } = await plugin();
    for (const act of Object.values(handlers))
      for (const given of [
        [],
        [undefined, undefined],
        [{}, {}],
        [null, null],
        [{ event: null }, { parts: [] }],
      ])
        expect(await act(...given)).toBeUndefined();
    for (const given of [undefined, null, {}, { client: null, directory: undefined }])
      expect(await loaded.server(given)).toBeTypeOf('object');
  });

  it.runIf(ALL)('what a tool is given, or answers', async () => {
    const { tool, call, got } = await plugin();
    const loop: Record<string, unknown> = { command: 'ls' };
    loop.self = loop;
    for (const args of [undefined, null, 'text', [], Object.create(null)])
      expect((await tool({ output: 'done' }, args as object)).output).toMatch(/^done\n\nMARK-PreToolUse/);
    // No model can write these.
    for (const args of [loop, { big: 1n }])
      expect((await tool({ output: 'done' }, args)).output).toBe('done');
    for (const name of ['__proto__', 'constructor', '', undefined, null, 7])
      expect((await tool({ output: 'done' }, {}, name as string)).output).toMatch(/MARK-PostToolUse$/);
    for (const output of [{}, { output: null, metadata: 'exit' }, { output: 7, metadata: null }])
      expect((await tool(output)).output).toMatch(/MARK-PostToolUse$/);
    for (const content of [[], [null], [undefined, 'x', 7], [{ type: 'image', data: 'x'.repeat(100_000) }]])
      expect((await tool({ content })).content?.[0]?.text).toMatch(/MARK-PostToolUse$/);
    for (const given of [undefined, null, 'text', Object.freeze({ output: 'done' })])
      await call('tool.execute.after', { tool: 'bash', sessionID: 's', callID: 'c', args: {} }, given);
    expect(got('PostToolUse').length).toBeGreaterThan(15);
  });

  it('parts that are none, beside one that is', async () => {
    const { call } = await plugin();
    await call('tool.execute.before', { tool: 'read', sessionID: 's', callID: 'c' }, { args: {} });
    const part = { id: 'p', sessionID: 's', callID: 'c', state: { status: 'error', error: 'Broken.' } };
    const odd = { id: 'q', sessionID: 's', callID: 'c', state: { status: 'error' } };
    const all = [null, { info: {} }, { parts: null }, { parts: [null, undefined, 7, odd, part] }];
    await call('experimental.chat.messages.transform', {}, { messages: all });
    expect(part.state.error).toMatch(/^Broken\.\n\nMARK-PreToolUse/);
  });

  it('a prompt with parts that are none', async () => {
    const { prompt } = await plugin();
    const parts = [{ id: 'prt_1', type: 'text', text: 'Hello.' }, null, {}] as Part[];
    expect((await prompt('ses_1', parts)).at(-1)).toMatchObject({ id: 'prt_1z', synthetic: true });
    // A part without an id that OpenCode knows would fail the prompt.
    expect(await prompt('ses_1', [{ type: 'text', text: 'Hello.' } as Part])).toHaveLength(1);
  });

  it.runIf(process.platform === 'linux')('its end: what left its group keeps no pipe open', async () => {
    const started = join(root, 'started');
    const leave = `setsid sh -c 'echo $$ >"$0"; exec sleep 60' "${started}" &`;
    const { prompt } = await plugin({ scripts: { UserPromptSubmit: leave }, timeout: 0.5 });
    const pipes = () => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length;
    const before = pipes();
    await prompt();
    for (let i = 0; i < 100 && pipes() > before; i++) await sleep(20);
    const after = pipes();
    process.kill(Number(readFileSync(started, 'utf8')), 'SIGKILL');
    expect(after).toBeLessThanOrEqual(before);
  });

  it('its end: what hangs is killed with all that it started', async () => {
    const mark = join(root, 'alive');
    const { prompt } = await plugin({
      scripts: { UserPromptSubmit: `(while :; do date >"${mark}"; sleep 0.05; done) & wait` },
      timeout: 0.5,
    });
    await prompt();
    await sleep(200);
    rmSync(mark, { force: true });
    await sleep(200);
    expect(existsSync(mark)).toBe(false);
  });
});
