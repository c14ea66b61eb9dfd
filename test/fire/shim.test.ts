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
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sessionsFolder } from '../../src/fire/own-folders.ts';
import { FROM_TOOL, openSession, type Session, takeBack, textId } from '../../src/fire/session/session.ts';
import { documentFor, outputOf } from '../../src/fire/text/render.ts';
import { longestStableSubstring, needlesFile } from '../../src/shims/prefilter.ts';
import { LONG } from '../effort.ts';
import { nodeHere } from '../node-here/start.ts';
import { WINDOWS } from '../platform.ts';
import { mkdirBelowAcl } from '../shells.ts';
import { captured, commandOf, type Fired, nativeOf, world } from './world.ts';

const w = world({ node: nodeHere() });
const OPEN = '[mcphooks 7f3ac2e1 | MCP server "annal" | post_tool_use | suggestion]';
const CLOSE = '[/mcphooks 7f3ac2e1]';

describe('a text with a matcher', () => {
  const match = { name: '^Bash$', contains: 'git commit' };
  const files = { needles: needlesFile([longestStableSubstring('git commit')]) ?? '' };

  it.each([
    ['claude-code', 'PostToolUse', 'PostToolUse.Bash', 'tool_input'],
    ['codex', 'PostToolUse', 'PostToolUse', 'tool_input'],
    ['gemini-cli', 'AfterTool', 'AfterTool', 'tool_input'],
  ])('is given by %s only where it matches', async (client, native, name) => {
    const shim = w.shim(client, native, [{ text: 'Store it.', match }], {}, files);
    const payload = captured(client, name);
    const committed = { ...payload, tool_input: { command: 'git commit -m "x"' } };
    const other = { ...payload, tool_input: { command: 'ls' } };
    const ran = await w.fire(shim, committed);
    expect(ran).toMatchObject({ code: 0, stderr: '', text: `${OPEN}\nStore it.\n${CLOSE}` });
    expect(JSON.parse(ran.stdout).hookSpecificOutput.hookEventName).toBe(native);
    expect(await w.fire(shim, other)).toMatchObject({ code: 0, stderr: '', stdout: '' });
    expect(await w.fire(shim, { ...committed, tool_name: 'Other' })).toMatchObject({ code: 0, stdout: '' });
  });

  it('is found in any spelling of the payload', async () => {
    const shim = w.shim('claude-code', 'PostToolUse', [{ text: 'Store it.', match }], {}, files);
    const plain = JSON.stringify(captured('claude-code', 'PostToolUse.Bash'), null, 2);
    for (const spelling of ['git\\u0020commit', '\\u0067it commit', 'git commit']) {
      const spelled = plain.replace('mkdir -p sub', `mkdir -p sub; ${spelling}`);
      expect((await w.fire(shim, spelled.trimEnd())).text).toContain('Store it.');
    }
  });

  it('starts no node where the needle is missing', async () => {
    const shim = w.shim('claude-code', 'PostToolUse', [{ text: 'x', match }], {}, files, {
      node: '/no/node',
    });
    const payload = captured('claude-code', 'PostToolUse.Bash');
    const failed = `${w.home}/data/hooks/annal/failed`;
    expect(await w.fire(shim, payload, { PATH: w.bare })).toMatchObject({ code: 0, stdout: '' });
    expect(existsSync(failed)).toBe(false);
    const wanted = { ...payload, tool_input: { command: 'git commit' } };
    expect(await w.fire(shim, wanted, { PATH: w.bare })).toMatchObject({ code: 0, stdout: '' });
    expect(existsSync(failed)).toBe(true);
  });

  it.runIf(LONG)('is found, or not, in 1 MB', async () => {
    const shim = w.shim('claude-code', 'PostToolUse', [{ text: 'Store it.', match }], {}, files);
    const payload = (end: string) => ({
      ...captured('claude-code', 'PostToolUse.Bash'),
      tool_input: { command: `${'gé/i\n"\\'.repeat(100_000)}${end}` },
    });
    expect((await w.fire(shim, payload('git commit'))).text).toContain('Store it.');
    expect(await w.fire(shim, payload(''))).toMatchObject({ code: 0, stdout: '' });
  });
});

describe('a prepared document', () => {
  const text = 'Read "this"}} first. {"}}: é 😀\n';
  const files = { out: `${documentFor(outputOf('UserPromptSubmit'), text)}\n`, unless: '"agent_id"\n\n' };
  const payload = captured('codex', 'UserPromptSubmit');
  const hooks = [{ event: 'pre_request', text } as const];
  const noNode = { node: '/no/node' };

  it('is given without node', async () => {
    const shim = w.shim('codex', 'UserPromptSubmit', hooks, {}, files, noNode);
    expect(await w.fire(shim, payload, { PATH: w.bare })).toMatchObject({ code: 0, text });
  });

  it('is given by node too, where a line of .unless stands in the payload', async () => {
    const shim = w.shim('codex', 'UserPromptSubmit', hooks, { payload: { skipIf: 'agent_id' } }, files);
    expect((await w.fire(shim, { ...payload, prompt: 'what is "agent_id"?' })).text).toContain('Read "this"');
    expect(await w.fire(shim, captured('codex', 'UserPromptSubmit.subagent'))).toMatchObject({ stdout: '' });
  });

  it('is not given when cut short', async () => {
    for (const length of [0, 1, 20, 60, 100, files.out.length - 3, files.out.length - 2]) {
      const cut = { out: files.out.slice(0, length) };
      const shim = w.shim('codex', 'UserPromptSubmit', hooks, {}, cut);
      expect(await w.fire(shim, payload), `${length}`).toMatchObject({ code: 0, stderr: '', stdout: '' });
    }
  });

  it('stays within the budget of a session', async () => {
    const folder = `${w.state}/sessions/budgeted`;
    const shim = w.shim(
      'codex',
      'UserPromptSubmit',
      [],
      {},
      { ...files, budget: `${folder}\n40 100\n` },
      noNode,
    );
    const session = { ...payload, session_id: 'abc-1' };
    const given = [];
    for (let i = 0; i < 4; i++)
      given.push((await w.fire(shim, session, { PATH: w.bare })).text !== undefined);
    expect(given).toEqual([true, true, false, false]);
    expect(readFileSync(`${folder}/abc-1/spent`, 'utf8')).toBe('40\n40\n');
    expect((await w.fire(shim, { ...payload, session_id: 'abc-2' })).text).toBeDefined();
  });

  it('is given by node where a line of the units is no number', async () => {
    const folder = `${w.state}/sessions/uncounted`;
    mkdirSync(`${folder}/abc-1`, { recursive: true });
    writeFileSync(`${folder}/abc-1/spent`, '40\n-\n');
    const budget = { ...files, budget: `${folder}\n40 100\n` };
    const shim = w.shim('codex', 'UserPromptSubmit', hooks, {}, budget);
    expect((await w.fire(shim, { ...payload, session_id: 'abc-1' })).text).toContain('Read "this"');
  });

  it('counts in no session but that of the first id in the payload, as by node', async () => {
    const folder = `${w.state}/sessions/first`;
    const budget = { ...files, budget: `${folder}\n40 100\n` };
    const shim = w.shim('cursor', 'beforeSubmitPrompt', [], {}, budget, noNode);
    const sends = captured('cursor', 'beforeSubmitPrompt');
    await w.fire(shim, { ...sends, conversation_id: 'not plain', session_id: 'abc' }, { PATH: w.bare });
    expect(existsSync(`${folder}/abc`)).toBe(false);
    await w.fire(shim, { ...sends, conversation_id: 'plain', session_id: 'abc' }, { PATH: w.bare });
    expect(readdirSync(folder)).toEqual(['plain']);
  });
});

it('a text waits for no more than some old sessions to be deleted', () => {
  const folder = `${w.state}/sessions/many`;
  for (let i = 0; i < 150; i++) {
    mkdirSync(`${folder}/${i}`, { recursive: true });
    utimesSync(`${folder}/${i}`, 1, 1);
  }
  const left = ['one', 'two'].map((id) => {
    openSession(folder, id).set('turn');
    return readdirSync(folder).length;
  });
  expect(left).toEqual([51, 2]);
});

describe.skipIf(WINDOWS)('sessions of a week ago are forgotten where the shell', () => {
  const text = 'Read this first.';
  const out = `${documentFor(outputOf('UserPromptSubmit'), text)}\n`;
  const call = { ...captured('codex', 'PostToolUse'), tool_name: 'mcp__annal__store' };

  it.each([
    ['gives every text', [{ event: 'pre_request', text }] as const, { out, budget: '40 100' }, {}],
    [
      'notes every call',
      [{ does: 'note-call' }] as const,
      { called: 'called.1 - "mcp__annal__store"\n' },
      call,
    ],
  ])('%s', async (server, hooks, { budget, called, ...files }: Record<string, string>, more) => {
    const sessions = sessionsFolder(w.state, 'codex', server);
    const payload = { ...captured('codex', 'UserPromptSubmit'), ...more, session_id: 'new' };
    const native = nativeOf(more) ?? 'UserPromptSubmit';
    const shim = w.shim(
      'codex',
      native,
      [...hooks],
      { server },
      {
        ...files,
        ...(budget && { budget: `${sessions}\n${budget}\n` }),
        ...(called && { called: `${sessions}\n${called}\n` }),
      },
    );
    // A file that was written last changes no time of the folder.
    for (const [name, ...days] of [
      ['old', 9, 9] as const,
      ['live', 2, 2] as const,
      ['used', 2, 9] as const,
    ]) {
      mkdirSync(`${sessions}/${name}`, { recursive: true });
      writeFileSync(`${sessions}/${name}/spent`, '40\n');
      for (const [i, path] of ['/spent', ''].entries())
        utimesSync(`${sessions}/${name}${path}`, 1, Date.now() / 1000 - (days[i] ?? 0) * 86_400);
    }
    await w.fire(shim, payload);
    expect(readdirSync(sessions)).toEqual(['live', 'new', 'used']);
  });
});

describe('silence', () => {
  const payload = captured('claude-code', 'UserPromptSubmit');
  const hooks = [{ event: 'pre_request', text: 'Hello.' } as const];
  const out = { out: `${documentFor(outputOf('UserPromptSubmit'), 'Hello.')}\n` };

  it.each([
    ['prepared', out],
    ['by node', {}],
  ])('on request, of a text %s', async (_, files) => {
    const shim = w.shim('claude-code', 'UserPromptSubmit', hooks, {}, files as Record<string, string>);
    expect((await w.fire(shim, payload)).text).toContain('Hello.');
    expect((await w.fire(shim, payload, { MCPHOOKS_DISABLE: 'other' })).text).toContain('Hello.');
    for (const value of ['1', 'annal', 'other, annal'])
      expect(await w.fire(shim, payload, { MCPHOOKS_DISABLE: value })).toMatchObject({ code: 0, stdout: '' });
    const disabledFile = `${w.home}/data/hooks/annal/disabled`;
    writeFileSync(disabledFile, '');
    expect(await w.fire(shim, payload)).toMatchObject({ code: 0, stdout: '' });
    rmSync(disabledFile);
  });

  it('on request, of a server whose name has a comma', async () => {
    const shim = w.shim('claude-code', 'UserPromptSubmit', hooks, { server: 'a, b' });
    expect(await w.fire(shim, payload, { MCPHOOKS_DISABLE: 'a' })).not.toMatchObject({ stdout: '' });
    expect(await w.fire(shim, payload, { MCPHOOKS_DISABLE: 'a, b' })).toMatchObject({ code: 0, stdout: '' });
  });

  it.each([
    ['prepared', out],
    ['by node', {}],
  ])('when another client runs the hook, of a text %s', async (_, files) => {
    const unless = '"cursor_version"\n"hookEventName"\n"timestamp"\n\n';
    const shim = w.shim(
      'claude-code',
      'UserPromptSubmit',
      hooks,
      {},
      { ...(files as Record<string, string>), unless },
    );
    const silent = { code: 0, stdout: '' };
    expect(await w.fire(shim, payload, { COPILOT_PROJECT_DIR: '/p' })).toMatchObject(silent);
    expect(await w.fire(shim, payload, { DEVIN_PROJECT_DIR: '/p' })).toMatchObject(silent);
    expect(await w.fire(shim, { ...payload, cursor_version: '2' })).toMatchObject(silent);
    // A client that was started by another one's agent is still itself.
    const own = { DEVIN_PROJECT_DIR: '/p', CLAUDE_CODE_SESSION_ID: String(payload.session_id) };
    expect((await w.fire(shim, payload, own)).text).toContain('Hello.');
  });
});

it('a payload with a byte order mark is read', async () => {
  const shim = w.shim('codex', 'SessionStart', [{ event: 'session_start', text: 'In {project_name}.' }]);
  const payload = JSON.stringify(captured('codex', 'SessionStart'));
  expect((await w.fire(shim, `\uFEFF${payload}`)).text).toContain('In ');
});

it.runIf(!WINDOWS)('a text comes also where the folder of the session was removed', async () => {
  const shim = w.shim('codex', 'SessionStart', [{ event: 'session_start', text: 'In {project_name}.' }]);
  const gone = join(w.home, 'gone');
  mkdirSync(gone);
  const line = `cd "$0" && rmdir "$0" && ${commandOf(shim)}`;
  const payload = { ...captured('codex', 'SessionStart'), cwd: gone };
  const { done } = w.start(['/bin/sh', '-c', line, gone], payload);
  expect((await done).stdout).toContain('In gone.');
});

it('an expired mark that another fire has set again since stays', () => {
  const folder = join(w.home, 'claims');
  const session = openSession(folder, 's1');
  session.set('cooldown.1', '1000\n');
  expect([session.claim('cooldown.1', 60_000), session.claim('cooldown.1', 60_000)]).toEqual([true, false]);
  expect(readdirSync(join(folder, 's1'))).toEqual(['cooldown.1']);
});

it.skipIf(WINDOWS)('a mark that was set while the clock was ahead holds no text back', async () => {
  const tools = join(w.home, 'clock');
  mkdirSync(tools);
  writeFileSync(
    join(tools, 'ahead.cjs'),
    'const { now } = Date;\nDate.now = () => now() + process.env.AHEAD * 1000;\n',
  );
  writeFileSync(join(tools, 'date'), '#!/bin/sh\necho $(($(/bin/date +%s) + AHEAD))\n', { mode: 0o700 });
  const node = join(tools, 'node');
  writeFileSync(node, `#!/bin/sh\nexec '${process.execPath}' -r '${tools}/ahead.cjs' "$@"\n`, {
    mode: 0o700,
  });
  const hook = {
    text: 'Now.',
    match: { name: '^Bash$' },
    cooldownMs: 60_000,
    when: { unlessCalled: true as const },
  };
  const note = {
    does: 'note-call' as const,
    match: { tools: ['mcp__annal__store'] },
    muteMs: 60_000,
    mark: '1',
  };
  const shim = w.shim('codex', 'PostToolUse', [hook, note], { server: 'ahead' }, undefined, { node });
  expect(['called', 'marks'].map((suffix) => existsSync(`${shim.path}.${suffix}`))).toEqual([true, true]);
  const fire = async (session_id: string, tool_name: string, ahead: number): Promise<boolean> => {
    const payload = { ...captured('codex', 'PostToolUse'), session_id, tool_name };
    const env = { AHEAD: `${ahead}`, PATH: `${tools}:${w.bare}` };
    return (await w.fire(shim, payload, env)).text !== undefined;
  };
  const given = [];
  for (const [session, tool, ahead] of [
    ['s1', 'Bash', 3600],
    ['s1', 'Bash', 3600],
    ['s1', 'Bash', 0],
    ['s1', 'Bash', 0],
    ['s2', 'mcp__annal__store', 3600],
    ['s2', 'Bash', 3600],
    ['s2', 'Bash', 0],
  ] as const)
    given.push(await fire(session, tool, ahead));
  expect(given).toEqual([true, false, true, false, false, false, true]);
});

it.runIf(!WINDOWS)('a full disk leaves no empty mark, which would last for good', () => {
  const folder = join(w.home, 'sessions');
  const session = openSession(folder, 's1');
  session.hold('cooldown.1', 60_000);
  expect(session.holds('cooldown.1')).toBe(true);
  const mark = join(folder, 's1/cooldown.1');
  rmSync(mark);
  symlinkSync('/dev/full', mark);
  session.hold('cooldown.1', 60_000);
  expect(lstatSync(mark, { throwIfNoEntry: false })).toBeUndefined();
});

it.skipIf(WINDOWS)('a full disk leaves no empty mark where the shell notes a call', async () => {
  const sessions = sessionsFolder(w.state, 'codex', 'full');
  const called = `${sessions}\ncalled.1 - "mcp__annal__store"\n\n`;
  const shim = w.shim(
    'codex',
    'PostToolUse',
    [{ does: 'note-call' }],
    { server: 'full' },
    { called },
    { node: '/no/node' },
  );
  mkdirSync(`${sessions}/s1`, { recursive: true });
  const call = { ...captured('codex', 'PostToolUse'), tool_name: 'mcp__annal__store', session_id: 's1' };
  await w.fire(shim, call, { PATH: w.bare });
  expect(readdirSync(`${sessions}/s1`)).toEqual(['called.1']);
  rmSync(`${sessions}/s1/called.1`);
  symlinkSync('/dev/full', `${sessions}/s1/called.1`);
  await w.fire(shim, call, { PATH: w.bare });
  expect(readdirSync(`${sessions}/s1`)).toEqual([]);
});

describe.skipIf(WINDOWS)('whatever the umask', () => {
  const [text, server] = ['Read this first.', 'masked'];
  const out = `${documentFor(outputOf('UserPromptSubmit'), text)}\n`;
  const prompt = { ...captured('qwen-code', 'UserPromptSubmit'), session_id: 's1' };
  const call = { ...captured('codex', 'PostToolUse'), tool_name: 'mcp__annal__store', session_id: 's1' };
  const state = join(w.home, 'removed', 'mcphooks');
  const sessions = sessionsFolder(state, 'codex', server);
  const noNode = { node: '/no/node' };
  const fire = (shim: Fired, payload: object) =>
    w.start(['/bin/sh', '-c', `umask 0; ${commandOf(shim)}`], payload, { PATH: w.bare }).done;

  it('what the shell writes is for the user alone, also where it makes all folders', async () => {
    const once = `\nturn_id\n\n${sessions}\n`;
    const files = { out, budget: `${sessions}\n40 100\n`, once };
    const given = w.shim('qwen-code', 'UserPromptSubmit', [], { state }, files, noNode);
    const noted = { called: `${sessions}\ncalled.1 - "mcp__annal__store"\n\n` };
    const notes = w.shim('codex', 'PostToolUse', [{ does: 'note-call' }], { state }, noted, noNode);
    expect((await fire(given, { ...prompt, turn_id: 't1' })).text).toBe(text);
    await fire(notes, call);
    const entries = readdirSync(dirname(state), { recursive: true }) as string[];
    expect(entries.map((path) => basename(path))).toEqual(
      expect.arrayContaining(['mcphooks', 'sessions', 's1', 'spent', 'once', 'called.1']),
    );
    for (const path of entries) {
      const stat = statSync(join(dirname(state), path));
      expect([path, stat.mode & 0o777]).toEqual([path, stat.isDirectory() ? 0o700 : 0o600]);
    }
  });

  it('the state folder that the shell makes is closed also where a folder above has a default ACL', async () => {
    const below = join(w.home, 'acl-state', 'mcphooks');
    const files = { out, budget: `${sessionsFolder(below, 'qwen-code', server)}\n40 100\n` };
    const shim = w.shim('qwen-code', 'UserPromptSubmit', [], { state: below }, files, noNode);
    const PATH = `${mkdirBelowAcl(w.home)}:${w.bare}`;
    const { done } = w.start(['/bin/sh', '-c', commandOf(shim)], prompt, { PATH });
    expect((await done).text).toBe(text);
    expect(readdirSync(below)).toEqual(['sessions']);
    expect(statSync(below).mode & 0o777).toBe(0o700);
  });

  it('node, and a server that it starts, has that of the client', async () => {
    const seen = join(w.home, 'umask');
    const node = join(w.home, 'shows-umask');
    writeFileSync(node, `#!/bin/sh\numask >'${seen}'\nprintf -\n`, { mode: 0o700 });
    // Only Node writes the line of a session whose id can't be a folder's name.
    const quiet = `${state}/hooks.log\nfiles "server":"masked"\n`;
    const files = { files: '-\nnever-there\n\n', quiet };
    const shim = w.shim('codex', 'UserPromptSubmit', [], { state }, files, { node });
    await fire(shim, { ...captured('codex', 'UserPromptSubmit'), session_id: 'not plain' });
    expect(Number.parseInt(readFileSync(seen, 'utf8'), 8)).toBe(0);
  });

  it('so is the note that a hook script failed', async () => {
    const shim = w.shim('codex', 'UserPromptSubmit', [], { state }, { out: 'cut' }, noNode);
    await fire(shim, captured('codex', 'UserPromptSubmit'));
    expect(statSync(join(w.home, 'data/hooks/annal/failed')).mode & 0o777).toBe(0o600);
  });
});

it.skipIf(WINDOWS)('writes no file that a variable of the client names', async () => {
  const out = `${documentFor(outputOf('UserPromptSubmit'), 'Read this first.')}\n`;
  const shim = w.shim(
    'codex',
    'UserPromptSubmit',
    [],
    { server: 'variables' },
    { out },
    { node: '/no/node' },
  );
  const file = join(w.home, 'of-the-user');
  writeFileSync(file, 'mine');
  const names = ['once', 'log', 'id', 'k', 's', 'm', 'd', 'line', 'lines', 'node', 'own', 'shim'];
  const env = { ...Object.fromEntries(names.map((name) => [name, file])), PATH: w.bare };
  expect((await w.fire(shim, captured('codex', 'UserPromptSubmit'), env)).text).toBe('Read this first.');
  expect(readFileSync(file, 'utf8')).toBe('mine');
});

it.skipIf(WINDOWS)(
  'the shell alone gives no prepared text after the end of a turn: the prompt may be the client’s',
  async () => {
    const [text, sessions] = ['Read this first.', sessionsFolder(w.state, 'copilot', 'turned')];
    const out = `${documentFor(outputOf('userPromptSubmitted'), text)}\n`;
    const files = { out, budget: `${sessions}\n40 100\n` };
    const shim = w.shim(
      'copilot',
      'userPromptSubmitted',
      [{ event: 'pre_request', text }],
      { server: 'turned' },
      files,
      {
        node: '/no/node',
      },
    );
    const payload = captured('copilot', 'userPromptSubmitted');
    expect((await w.fire(shim, payload, { PATH: w.bare })).text).toBe(text);
    writeFileSync(`${sessions}/${payload.sessionId}/ended`, '/events.jsonl');
    expect(await w.fire(shim, payload, { PATH: w.bare })).toMatchObject({ code: 0, stdout: '' });
  },
);

it('a file among the sessions that is none of them loses no mark', () => {
  const folder = join(w.home, 'strays');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '.DS_Store'), '');
  const session = openSession(folder, 's1');
  session.set('turn');
  expect(session.holds('turn')).toBe(true);
});

it('what was said and had no room is taken back in its session, a tool’s answer for a while', () => {
  const folder = join(w.home, 'taken-back');
  const [one, other] = [openSession(folder, 's1'), openSession(folder, 's2')];
  const id = textId('0badcafe', 'A text.');
  one.hold('cooldown.1', null, id);
  one.hold('started.2', 60_000, textId('0badcafe', 'Another.'));
  one.hold('started.3', null, id + FROM_TOOL);
  one.spend(30, '0badcafe');
  other.hold('cooldown.1', null, textId('1badcafe', 'A text.'));
  other.spend(30, '1badcafe');
  writeFileSync(join(folder, '.DS_Store'), '');
  mkdirSync(join(folder, 's1/0'));
  for (let i = 0; i < 2; i++) takeBack(folder, id, 20, 60_000);
  const held = (session: Session) =>
    (['cooldown.1', 'started.2', 'started.3'] as const).map((n) => session.holds(n));
  expect([held(one), one.spent()]).toEqual([[false, true, true], 10]);
  expect([held(other), other.spent()]).toEqual([[true, false, false], 30]);
  one.hold('started.3', null, id + FROM_TOOL);
  takeBack(folder, id, 20, -1);
  expect(one.holds('started.3')).toBe(false);
});
