import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lastTextsText } from '../../src/messages/log.ts';
import { LONG, sample } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { WINDOWS } from '../platform.ts';
import { COMMIT, homeWith } from './home.ts';
import { atTerminal, hasTerminal, shownAt } from './terminal.ts';
import { CLI, cleanWorlds, madeOnce, makeWorld, type World } from './world.ts';

cleanWorlds();
installsNodeHere({ servers: true });

const PROMPT = { event: 'pre_request', context: 'Look into the notes first.', priority: 'suggestion' };
const TOOL = {
  event: 'pre_request',
  context_tool: 'note',
  context_tool_args: { q: 'x' },
  priority: 'suggestion',
};
const FILE = 'home/.local/state/mcphooks/hooks.log';

interface Line {
  [key: string]: unknown;
}
const given = (more: Line = {}): Line => ({
  at: '2026-11-22T10:00:00Z',
  server: 'memo',
  client: 'codex',
  native: 'UserPromptSubmit',
  n: 1,
  event: 'pre_request',
  chars: 130,
  tokens: 33,
  session: 's-one',
  project: '/projects/shop',
  ...more,
});
const silent = (more: Line = {}): Line => {
  const { chars, tokens, ...line } = given({ silence: 'cooldown', ...more });
  return line;
};
const write = (world: World, lines: readonly Line[]): void => {
  world.write(FILE, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
};
const installed = madeOnce(async (...declarations: object[]): Promise<World> => {
  const world = homeWith(...declarations);
  const ran = await world.run('install', 'memo', '--yes');
  expect(ran.code, ran.stderr).toBe(0);
  return world;
});
/** The time so many days ago. */
const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
/** A time after each install of a test. */
const LATER = ago(-1);

describe('mcphooks log', () => {
  it('says that there is nothing, and refuses a server that nobody knows', async () => {
    const world = await installed(PROMPT);
    expect(await world.run('log')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('No hook has given a text yet'),
    });
    expect(await world.run('log', 'nobody')).toMatchObject({ code: 1 });
    world.write('home/.config/mcphooks/config.json', '{ "log": false }');
    expect((await world.run('log')).stderr).toContain('is off');
  });

  it('shows what a hook gave, with the declared text, and marks a try', async () => {
    const world = await installed(PROMPT);
    expect((await world.run('fire', 'memo', 'pre_request', '--client', 'codex')).code).toBe(0);
    const { stdout } = await world.run('log');
    expect(stdout).toMatch(
      /^\d{4}-\d\d-\d\d \(UTC\)\n\d\d:\d\d:\d\d {2}memo {2}Codex {2}prompt {2}hook 1 {2}session /,
    );
    expect(stdout).toContain('by mcphooks fire');
    expect(stdout).toContain('│ Look into the notes first.');
    const narrow = (await world.runAs({ columns: 60 }, 'log')).stdout.split('\n');
    expect(narrow.filter((line) => / $|^ {11}\S/.test(line))).toEqual([]);
    expect((await world.run('stats')).stderr).toContain('Runs of mcphooks fire are not counted');
    const [line] = (await world.run('log', '--json')).stdout.trim().split('\n');
    expect(JSON.parse(line ?? '')).toMatchObject({
      version: 1,
      command: 'log',
      server: 'memo',
      client: 'codex',
      fidelity: 'native',
      text: PROMPT.context,
      try: true,
    });
  });

  it('names sessions so that they can be told apart and asked for', async () => {
    const world = await installed(PROMPT);
    // Two of Codex, then two of OpenCode, each begun a few seconds after the other.
    const ids = [
      '01a22c71-66c5-76f0-b9b0-25f8a0f0074f',
      '01a22c71-68e8-75d3-9c5d-1f0209161530',
      'ses_dd38d95d0ffezFCdk7UwnatsnB',
      'ses_dd38d7a1cffeCJfcppNuAQao5s',
    ];
    write(
      world,
      ids.map((session) => given({ at: ago(1), session })),
    );
    const shown = [...(await world.run('log')).stdout.matchAll(/ {2}session (\S+)/g)].map(
      ([, id]) => id ?? '',
    );
    expect(new Set(shown).size).toBe(ids.length);
    for (const [i, id] of shown.entries()) {
      const { stdout } = await world.run('log', '--session', id, '--json');
      expect(stdout.trim().split('\n')).toEqual([expect.stringContaining(`"${ids[i]}"`)]);
    }
  });

  it('writes out in JSON, too, what a terminal would not show', async () => {
    const world = await installed(PROMPT);
    write(world, [given({ at: ago(1), project: '/p\u202e\u009b31mx' })]);
    const { stdout } = await world.run('log', '--json');
    expect(stdout).toContain('/p\\u202e\\u009b31mx');
    expect(stdout).not.toContain('\u202e');
  });

  it('shows what is asked for', async () => {
    const world = await installed(PROMPT, COMMIT);
    const lines = [
      given({ at: ago(40), session: 'old' }),
      given({ at: ago(3), client: 'gemini-cli', session: 'three' }),
      silent({ at: ago(1), session: 'one' }),
      given({ at: ago(1), server: 'other', session: 'two', text: 'A header: Bearer hidden-1' }),
      given({ at: ago(1), n: 2, event: 'post_tool_use', meant: ago(2), session: 'four' }),
    ];
    write(world, lines);
    const sessions = async (...args: string[]): Promise<string[]> =>
      (await world.run('log', ...args, '--json')).stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).session);
    expect(await sessions()).toEqual(['old', 'three', 'one', 'two', 'four']);
    expect(await sessions('memo')).toEqual(['old', 'three', 'one', 'four']);
    expect(await sessions('--client', 'gemini-cli')).toEqual(['three']);
    expect(await sessions('--since', '2d')).toEqual(['one', 'two', 'four']);
    expect(await sessions('--since', ago(4).slice(0, 10))).toEqual(['three', 'one', 'two', 'four']);
    expect(await sessions('--session', 'th')).toEqual(['three']);
    for (const time of ['yesterday', '2026-02-30', '2026-04-31T10:00Z'])
      expect(await world.run('log', '--since', time), time).toMatchObject({ code: 1 });
    expect(await world.run('log', '--since', '2024-02-29T23:30-05:00')).toMatchObject({ code: 0 });
    const { stdout } = await world.run('log', '--since', '2d');
    expect(stdout).toContain('no text: its cooldown is not over');
    expect(stdout).toContain('deferred');
    expect(stdout).not.toContain('hidden-1');
  });

  it('takes a time as the log shows it, in UTC, wherever the user is', async () => {
    const world = await installed(PROMPT);
    write(world, [given({ at: '2026-11-22T10:00:05Z', session: 'one' })]);
    const { TZ } = process.env;
    process.env.TZ = 'America/New_York';
    try {
      const found: boolean[] = [];
      const times = ['', 'T10:00', ' 10:00:05', 'T10:00:06', 'T05:00-05:00', 'T11:00Z'];
      // As `date +%FT%T%z` and git print them.
      for (const time of [...times, 'T05:00:05-0500', ' 05:00:06 -0500'])
        found.push((await world.run('log', '--since', `2026-11-22${time}`, '--json')).stdout !== '');
      expect(found).toEqual([true, true, true, false, true, false, true, false]);
      for (const time of ['2026-11-22 (noon)', '2026-11-22,10:00'])
        expect(await world.run('log', '--since', time), time).toMatchObject({ code: 1 });
    } finally {
      if (TZ === undefined) delete process.env.TZ;
      else process.env.TZ = TZ;
    }
  });

  it('prints a failure on one line, too, with --json', async () => {
    const world = makeWorld();
    for (const args of [['nobody'], ['--since', 'yesterday']]) {
      const { code, stdout } = await world.run('log', ...args, '--json');
      expect([code, stdout.trim().split('\n').length]).toEqual([1, 1]);
      expect(JSON.parse(stdout)).toMatchObject({ command: 'log', status: 'failed' });
    }
  });

  it('shows a session as it went', async () => {
    const world = await installed(PROMPT);
    write(world, [
      given(),
      given({ session: 's-two' }),
      silent({ at: '2026-11-22T10:00:05.120Z', ms: 40 }),
      given({
        at: '2026-11-22T10:01:00Z',
        incident: 'tool.failed',
        detail: 'note: refused\u001b[31m',
        chars: undefined,
      }),
    ]);
    const { stdout } = await world.run('log', '--session', 's-one');
    expect(stdout).toBe(
      [
        '2026-11-22 (UTC)  Codex  /projects/shop  s-one',
        '10:00:00  memo  prompt  hook 1  130 characters, about 33 tokens',
        '10:00:05  memo  prompt  hook 1  no text: its cooldown is not over  40 ms',
        '10:01:00  memo  prompt  hook 1  no text: its tool failed (note: refused<U+001B>[31m)',
        '',
      ].join('\n'),
    );
  });

  it('shows lines that a later version or a fault wrote', async () => {
    const world = await installed(PROMPT);
    write(world, [
      given({ event: 'later_event', session: 'later' }),
      given({ event: 'toString', session: 'odd' }),
      silent({ silence: 'constructor', session: 'odd' }),
      given({ at: '2026-11-22 (\u001b[31mred)', session: 'no time' }),
      given({ at: '22 Nov 2026', session: 'no time' }),
    ]);
    const { code, stdout } = await world.run('log');
    expect(code).toBe(0);
    expect(stdout).toContain('later_event');
    expect(stdout).toContain('no text: constructor');
    expect(stdout).not.toMatch(/native code|no time/);
    expect((await world.run('stats')).code).toBe(0);
  });

  it('says of what went wrong whether it cost the text', async () => {
    const world = await installed(PROMPT);
    write(world, [
      ...[
        'tool.installing',
        'definition.changed',
        'budget.session',
        'fire.failed',
        'text.dropped',
        'text.cut',
        'later',
      ].map((incident) => given({ incident, chars: undefined })),
    ]);
    const { stdout } = await world.run('log', '--session', 's-one');
    expect(
      stdout
        .split('\n')
        .slice(1, -1)
        .map((line) => line.split('hook 1  ')[1]),
    ).toEqual([
      'no text: its package is still being installed in the background',
      "no text: the server's definition changed since it was approved",
      'no text: the limit for one session is used up',
      'no text: the hook failed',
      'the text was dropped to make room for others',
      'the text was cut',
      'later',
    ]);
  });

  it('says of a declared text that it is a template, and how to keep the filled-in ones', async () => {
    const world = await installed(PROMPT, COMMIT);
    const note = 'Texts with {…} are shown as declared.';
    const told = async (...lines: Line[]): Promise<boolean> => {
      write(world, lines);
      return (await world.run('log')).stderr.includes(note);
    };
    const template = given({ at: LATER, n: 2, event: 'post_tool_use' });
    expect(await told(given({ at: LATER }))).toBe(false);
    expect(await told({ ...template, text: 'You committed in {project_name}.' })).toBe(false);
    expect(await told(template)).toBe(true);
    expect((await world.run('log')).stderr).toContain('"texts": true');
    expect((await world.run('log', '--json')).stderr).toBe('');
  });

  it('knows a server that is only in the log, whatever else is asked for', async () => {
    const world = await installed(PROMPT);
    write(world, [given({ server: 'gone', at: ago(3) })]);
    for (const args of [
      ['--client', 'gemini-cli'],
      ['--since', '1h'],
      ['--session', 'x'],
    ])
      expect(await world.run('log', 'gone', ...args)).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('No line in the log matches'),
      });
    expect(await world.run('stats', 'gone', '--since', '1h')).toMatchObject({ code: 0 });
  });

  it('leaves out a text that had no room beside those of other servers, and says so where it was', async () => {
    const world = await installed(PROMPT);
    const { n, session, project, ...dropped } = given({
      incident: 'text.dropped',
      tag: 'aaaa',
      detail: 'no room',
    });
    const text = (more: Line) => given({ tag: 'aaaa', ...more });
    write(world, [
      text({ session: 'one' }),
      text({ session: 'two' }),
      dropped,
      dropped,
      text({ session: 'three' }),
    ]);
    const { stdout } = await world.run('log', '--json');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => [line.session, line.incident, line.n])).toEqual([
      ['two', 'text.dropped', 1],
      ['one', 'text.dropped', 1],
      ['three', undefined, 1],
    ]);
    const stats = JSON.parse((await world.run('stats', '--json')).stdout);
    expect(stats.hooks).toMatchObject([{ n: 1, fired: 3, texts: 1 }]);
  });

  it.runIf(LONG)(
    'goes on with every line once: the same line again, a new file, a text that had no room',
    async () => {
      const world = await installed(PROMPT);
      const begin = [given({ session: 'first' }), given({ session: 'again' })];
      write(world, begin);
      const child = spawn(process.execPath, [CLI, 'log', '--follow', '--json'], {
        cwd: world.project,
        env: world.env,
      });
      onTestFinished(() => void child.kill());
      let out = '';
      child.stdout.on('data', (chunk) => (out += chunk));
      const seen = (): string[] =>
        out
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line))
          .map((line) => line.incident ?? line.session);
      const file = join(world.home, '..', FILE);
      const add = async (...lines: Line[]): Promise<void> => {
        const before = seen().length;
        appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
        for (let i = 0; i < 100 && seen().length < before + lines.length; i++) await wait(100);
      };
      for (let i = 0; i < 100 && seen().length < 2; i++) await wait(100);
      await add(given({ session: 'again' }));
      await add(given({ session: 'dropped', tag: 'aaaa' }));
      const { n, session, ...dropped } = given({ incident: 'text.dropped', tag: 'aaaa' });
      await add(dropped);
      renameSync(file, `${file}.20261122T100000000Z-12`);
      appendFileSync(`${file}.20261122T100000000Z-12`, `${JSON.stringify(given({ session: 'late' }))}\n`);
      await add(given({ session: 'new' }), given({ session: 'new' }));
      for (let i = 0; i < 50 && seen().length < 8; i++) await wait(100);
      await wait(700);
      child.kill();
      expect(seen()).toEqual(['first', 'again', 'again', 'dropped', 'text.dropped', 'late', 'new', 'new']);
    },
  );

  it('goes on with what comes', async () => {
    const world = await installed(PROMPT);
    write(world, [given({ session: 'first' })]);
    const child = spawn(process.execPath, [CLI, 'log', '--follow', '--json'], {
      cwd: world.project,
      env: world.env,
    });
    onTestFinished(() => void child.kill());
    let out = '';
    child.stdout.on('data', (chunk) => (out += chunk));
    const until = async (word: string): Promise<void> => {
      for (let i = 0; i < 100 && !out.includes(word); i++) await wait(100);
    };
    await until('first');
    write(world, [given({ session: 'first' }), given({ session: 'second' })]);
    await until('second');
    write(world, [given({ session: 'first' }), given({ session: 'second' }), given({ session: 'third' })]);
    await until('third');
    // Its folder is a file for a while.
    const state = join(world.home, '..', dirname(FILE));
    renameSync(state, `${state}.away`);
    writeFileSync(state, '');
    await wait(1200);
    expect(child.exitCode).toBe(null);
    child.kill();
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).session),
    ).toEqual(['first', 'second', 'third']);
  });
});

describe('mcphooks stats', () => {
  const lines = (): Line[] =>
    Array.from({ length: 120 }, (_, i) => [
      given({ at: ago((i - 120) / 12), chars: 100 + i, tokens: 25 + i, ms: i % 3 ? 10 * i : undefined }),
      i % 4
        ? silent({ at: LATER, n: 2, client: 'claude-code', ms: i })
        : given({ at: LATER, n: 2, incident: 'tool.slow', chars: undefined }),
      given({ try: true, chars: 1e6, tokens: 1e6 }),
      given({ incident: 'text.cut', chars: undefined }),
      silent({ silence: 'kept' }),
      silent({ silence: 'client.drops' }),
      ...['command', 'path', 'source', 'outcome'].map((key) => silent({ n: 3, silence: `when.${key}` })),
    ]).flat();

  it.runIf(LONG)('counts as a recount does', async () => {
    const world = await installed(PROMPT, TOOL);
    const all = lines();
    write(world, all);
    const { stdout, code } = await world.run('stats', '--json');
    expect(code).toBe(0);
    const stats = JSON.parse(stdout);
    const texts = all.filter((line) => line.chars !== undefined && !line.try);
    const times = texts.flatMap((line) => (line.ms as number) ?? []).sort((a, b) => a - b);
    const total = (key: string): number => texts.reduce((sum, line) => sum + Number(line[key]), 0);
    expect(stats.hooks).toEqual([
      {
        server: 'memo',
        n: 1,
        event: 'pre_request',
        fired: 120,
        texts: 120,
        chars: total('chars'),
        tokens: total('tokens'),
        median: times[Math.ceil(times.length / 2) - 1],
        p95: times[Math.ceil(times.length * 0.95) - 1],
        failures: 0,
      },
      expect.objectContaining({ n: 2, fired: 120, texts: 0, tokens: 0, failures: 30 }),
    ]);
    expect(stats.all).toMatchObject({ fired: 240, texts: 120, tokens: total('tokens'), failures: 30 });
    expect(stats.clients).toMatchObject([
      { client: 'claude-code', fired: 90, texts: 0 },
      { client: 'codex', fired: 150, texts: 120 },
    ]);
    expect(stats.days.reduce((sum: number, day: { texts: number }) => sum + day.texts, 0)).toBe(120);
    expect(stats.advice.map(({ command }: { command: string }) => command)).toEqual([
      'mcphooks install memo --cooldown 10m',
      'mcphooks install memo --skip 2',
    ]);
  });

  it('counts the silences of a hook that is about the event', async () => {
    const world = await installed(PROMPT);
    const codes = ['when.files', 'when.called', 'when.outcome-unknown', 'cooldown', 'tool.empty'];
    write(
      world,
      codes.map((silence) => silent({ silence })),
    );
    const { hooks } = JSON.parse((await world.run('stats', '--json')).stdout);
    expect(hooks).toMatchObject([{ n: 1, fired: codes.length, texts: 0 }]);
  });

  it('counts as failures what the log says of no text, but not a limit that is used up', async () => {
    const world = await installed(PROMPT);
    const failed = ['tool.failed', 'tool.paused', 'tool.resting', 'definition.unset', 'fire.failed'];
    write(
      world,
      [...failed, 'budget.session'].map((incident) => given({ incident, chars: undefined })),
    );
    const { hooks } = JSON.parse((await world.run('stats', '--json')).stdout);
    expect(hooks).toMatchObject([{ fired: failed.length + 1, texts: 0, failures: failed.length }]);
  });

  it.runIf(LONG)('gives advice whose commands are taken', async () => {
    const world = await installed(PROMPT, TOOL);
    write(world, lines());
    const { advice } = JSON.parse((await world.run('stats', 'memo', '--json')).stdout);
    for (const { command } of advice) {
      const [, ...words] = command.split(' ');
      expect((await world.run(...words, '--dry-run')).code, command).toBe(2);
    }
  });

  it.runIf(LONG)('suggests to keep a slow server running, then a cooldown, then nothing', async () => {
    const world = await installed(TOOL);
    write(
      world,
      Array.from({ length: 6 }, () => given({ at: LATER, ms: 2_400 })),
    );
    const commands: string[] = [];
    for (let i = 0; i < 3; i++) {
      const { advice } = JSON.parse((await world.run('stats', '--json')).stdout);
      const { command } = advice[0] ?? {};
      if (command === undefined) break;
      commands.push(command);
      expect((await world.run(...command.split(' ').slice(1), '--yes')).code).toBe(0);
    }
    expect(commands).toEqual([
      'mcphooks install memo --keep-warm 10',
      'mcphooks install memo --cooldown 10m',
    ]);
  });

  it('suggests no cooldown for a text that a session should keep', async () => {
    const event = 'session_start';
    const world = await installed({ ...TOOL, event });
    write(
      world,
      Array.from({ length: 6 }, () => given({ at: LATER, ms: 2_400, event })),
    );
    await world.run('install', 'memo', '--keep-warm', '10', '--yes');
    expect(JSON.parse((await world.run('stats', '--json')).stdout).advice).toEqual([]);
  });

  it.runIf(LONG)('suggests commands that can be run one after another, each once', async () => {
    const never = { ...TOOL, context_tool_args: { q: 'y' } };
    const world = await installed(TOOL, never);
    write(
      world,
      Array.from({ length: 120 }, () => [silent({ at: LATER }), silent({ at: LATER, n: 2 })]).flat(),
    );
    const { advice } = JSON.parse((await world.run('stats', '--json')).stdout);
    expect(advice.map(({ n, command }: { n: number; command: string }) => [n, command])).toEqual([
      [1, 'mcphooks install memo --skip 1,2'],
      [2, 'mcphooks install memo --skip 1,2'],
    ]);
    const { stdout } = await world.run('stats');
    expect(stdout.match(/--skip/g)).toHaveLength(1);
    expect(stdout).toContain('Hook 1 of memo');
    expect(stdout).toContain('Hook 2 of memo');
  });

  it.runIf(LONG)(
    'advises on nothing that fired before the last change of the install on a client',
    async () => {
      const world = await installed(TOOL);
      const fires = (at: string, client: string) => Array.from({ length: 60 }, () => silent({ at, client }));
      const advised = async (...lines: Line[][]): Promise<number[]> => {
        write(world, lines.flat());
        const { advice } = JSON.parse((await world.run('stats', '--json')).stdout);
        return advice.map(({ n }: { n: number }) => n);
      };
      const current = fires(LATER, 'codex');
      expect(await advised(current, fires(ago(1), 'codex'))).toEqual([]);
      expect(await advised(current, fires(LATER, 'droid'))).toEqual([]);
      expect(await advised(current, fires(LATER, 'gemini-cli'))).toEqual([1]);
    },
  );

  it('shows the name of a server in a command on one line, without what a terminal obeys', async () => {
    const world = makeWorld();
    const name = 'two\nlines\u001b[31m';
    world.write('home/.claude.json', JSON.stringify({ mcpServers: { [name]: { command: 'true' } } }));
    world.write('declared.json', JSON.stringify({ declarations: [PROMPT] }));
    const args = ['--declarations', '../declared.json', '--client', 'claude-code', '--yes'];
    const ran = await world.run('install', name, ...args);
    expect(ran.code, ran.stderr).toBe(0);
    write(
      world,
      Array.from({ length: 30 }, () => given({ at: LATER, server: name, client: 'claude-code' })),
    );
    const { stdout } = await world.run('stats');
    expect(stdout).toContain(' --cooldown 10m');
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain(name);
  });

  it('keeps its columns apart, however large the numbers', async () => {
    const world = await installed(PROMPT);
    write(
      world,
      Array.from({ length: 1_200 }, (_, i) =>
        given({ tokens: 7_654_321, ms: i < 900 ? 11_234 : 59_876, n: 12, event: 'post_tool_use' }),
      ),
    );
    const { stdout } = await world.run('stats');
    expect(stdout).toMatch(/^12 post_tool_use +1,200 +1,200 +9,185,185,200 +11,234\/59,876 +0$/m);
    const head = stdout.split('\n').find((line) => line.includes('fired')) ?? '';
    expect(head.length).toBeLessThanOrEqual(60);
  });

  it('says that the picture can not be written', async () => {
    const world = await installed(PROMPT);
    write(world, lines());
    const { code, stderr } = await world.run('stats', '--svg', 'no/such/out.svg');
    expect(code).toBe(1);
    expect(stderr).not.toContain('unexpected');
    expect(stderr).toContain('out.svg');
  });

  it('replaces an earlier picture, and no other file', async () => {
    const world = await installed(PROMPT);
    write(world, lines());
    const stats = () => world.run('stats', '--svg', 'out.svg');
    for (const other of ['', 'notes', '<svg xmlns="http://www.w3.org/2000/svg" role="img">\n</svg>\n']) {
      world.write('project/out.svg', other);
      const { code, stdout, stderr } = await stats();
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/out\.svg: the file exists already, .*\n.*Name another/);
      expect(world.read('project/out.svg')).toBe(other);
    }
    if (!WINDOWS) expect((await world.run('stats', '--svg', '/dev/null')).code).toBe(0);
    rmSync(join(world.project, 'out.svg'));
    expect((await stats()).code).toBe(0);
    const first = world.read('project/out.svg');
    write(world, [...lines(), ...lines()]);
    expect((await stats()).code).toBe(0);
    expect(world.read('project/out.svg')).not.toBe(first);
  });

  it.skipIf(WINDOWS)('makes no file where a link leads, and waits for nobody to read a pipe', async () => {
    const world = await installed(PROMPT);
    write(world, lines());
    symlinkSync(join(world.home, 'elsewhere'), join(world.project, 'link.svg'));
    spawnSync('mkfifo', [join(world.project, 'pipe.svg')]);
    for (const name of ['link.svg', 'pipe.svg']) {
      const { status, stderr } = spawnSync(process.execPath, [CLI, 'stats', '--svg', name], {
        cwd: world.project,
        env: world.env,
        encoding: 'utf8',
        timeout: 10_000,
      });
      expect([status, stderr]).toEqual([1, expect.stringContaining(name)]);
    }
    expect(existsSync(join(world.home, 'elsewhere'))).toBe(false);
  });

  it.runIf(LONG)('draws a picture', async () => {
    const world = await installed(PROMPT);
    write(world, [...lines(), given({ server: '<b> & "c"' })]);
    expect((await world.run('stats', '--svg', 'out.svg')).code).toBe(0);
    const svg = readFileSync(join(world.project, 'out.svg'), 'utf8');
    expect(svg).toMatch(/^<svg xmlns=.*<\/svg>\n$/s);
    expect(svg).toContain('&lt;b&gt; &amp;');
    const lint = spawnSync('python3', ['-c', 'import sys,xml.dom.minidom as m;m.parse(sys.stdin)'], {
      input: svg,
    });
    if (!lint.error) expect(String(lint.stderr)).toBe('');
  });
});

describe.skipIf(!hasTerminal)('at a terminal', () => {
  it.each(sample([60, 80, 120], 3))('log and stats fit %i columns', { timeout: 60_000 }, async (columns) => {
    const world = await installed(PROMPT, TOOL);
    write(world, [
      given({ text: 'A long text. '.repeat(30), ms: 1234 }),
      silent({ client: 'claude-code', session: 'x'.repeat(60) }),
      given({ n: 2, incident: 'tool.failed', detail: 'note: no answer within 5000 ms', chars: undefined }),
      ...Array.from({ length: 120 }, () => given({ ms: 23_456, tokens: 12_345 })),
      ...Array.from({ length: 120 }, () => silent({ n: 2, client: 'claude-code' })),
    ]);
    for (const args of [['log', '--since', '2026-11-01'], ['log', '--session', 's-one'], ['stats']]) {
      const { code, lines } = await shownAt(world, columns, args);
      expect(code).toBe(0);
      const command = (line: string): boolean => line.startsWith('  mcphooks ');
      expect(lines.filter((line) => line.length > columns && !command(line))).toEqual([]);
      expect(lines.length).toBeGreaterThan(5);
    }
  });
});

it('shows no declared text of an update for what a session that began before it was given', async () => {
  const world = await installed(PROMPT);
  expect((await world.run('fire', 'memo', 'pre_request', '--client', 'codex')).code).toBe(0);
  expect((await world.run('log')).stdout).toContain(PROMPT.context);
  const { chars, ...line } = JSON.parse(world.read(FILE));
  world.write(FILE, `${JSON.stringify({ ...line, chars: chars + 5 })}\n`);
  expect((await world.run('log')).stdout).not.toContain(PROMPT.context);
});

it('shows no declared text for lines from before it was declared', async () => {
  const world = await installed(PROMPT);
  write(world, [given({ at: ago(1) })]);
  const record = JSON.parse(world.read('home/.local/state/mcphooks/record.json'));
  record.servers[0].since = ago(2);
  world.write('home/.local/state/mcphooks/record.json', JSON.stringify(record));
  expect((await world.run('log')).stdout).not.toContain(PROMPT.context);
});

it('doctor shows each open failure once, and nothing that came beside a text', async () => {
  const world = await installed(PROMPT);
  const now = Date.now();
  const later = (seconds: number): string => new Date(now + seconds * 1_000).toISOString();
  const failure = (at: number, more: Line = {}): Line =>
    given({
      at: later(at),
      chars: undefined,
      incident: 'fire.failed',
      detail: 'a long sentence '.repeat(9),
      ...more,
    });
  write(world, [
    failure(1, { n: 2 }),
    ...Array.from({ length: 9 }, (_, i) => failure(i + 2)),
    ...Array.from({ length: 9 }, (_, i) => failure(i + 12, { incident: 'text.sanitised' })),
  ]);
  const { log } = JSON.parse((await world.run('doctor', '--json')).stdout);
  expect(log.map(({ n }: { n: number }) => n)).toEqual([2, 1]);
  expect(log[1].at > later(8)).toBe(true);
  const { stdout } = await world.runAs({ columns: 60 }, 'doctor');
  const lines = stripVTControlCharacters(stdout).split('\n');
  expect(lines.filter((line) => line.length > 60)).toEqual([]);
});

it.runIf(LONG)('doctor says when hooks last gave a text, tries aside', async () => {
  const world = await installed(PROMPT);
  const soon = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
  const record = JSON.parse(world.read('home/.local/state/mcphooks/record.json'));
  for (const client of Object.values<{ since: string }>(record.servers[0].clients))
    client.since = soon(60 * 24 * 20);
  world.write('home/.local/state/mcphooks/record.json', JSON.stringify(record));
  write(world, [
    given({ at: soon(200) }),
    given({ at: soon(3.5) }),
    given({ at: soon(1), client: 'gemini-cli', try: true }),
    given({ at: soon(300), client: 'claude-code' }),
  ]);
  const { stdout } = await world.run('doctor');
  expect(stdout).toContain('last text 3 min ago in Codex');
  expect(stdout).toContain('last text 5 h ago in Claude Code');
  expect(stdout).toContain(`no text in Gemini CLI since the install on ${soon(60 * 24 * 20).slice(0, 10)}`);
  const { texts } = JSON.parse((await world.run('doctor', '--json')).stdout);
  expect(texts).toHaveLength(3);
  world.write('home/.config/mcphooks/config.json', '{ "log": false }');
  expect((await world.run('doctor')).stdout).not.toContain('last text');
});

describe('the last uninstall', () => {
  it('takes the log with it, where nobody can be asked', async () => {
    const world = await installed(PROMPT);
    write(world, [given()]);
    world.write(`${FILE}.20261122T100000000Z-12`, '');
    expect((await world.run('uninstall', '--all')).code).toBe(0);
    expect(Object.keys(world.files()).filter((path) => path.includes('mcphooks'))).toEqual([]);
  });

  it.runIf(LONG && hasTerminal).each([
    ['y', false],
    ['n', true],
  ])('asks at a terminal: %s', async (answer, stays) => {
    const world = await installed(PROMPT);
    write(world, [given()]);
    const { code } = await atTerminal(
      world,
      80,
      ['uninstall', '--all'],
      [['Also delete the log', `${answer}\n`]],
    );
    expect(code).toBe(0);
    expect(Object.keys(world.files()).filter((path) => path.includes('mcphooks'))).toEqual(
      stays ? [FILE] : [],
    );
  });
});

it("names no day for a project's hooks, as its lock file has none", () => {
  expect(lastTextsText([{ client: 'Codex', since: '' }], '2026-11-01T00:00:00Z')).toBe(
    'no text in Codex yet.',
  );
});

it('says once what holds for several clients', () => {
  const since = '2026-10-01T00:00:00Z';
  const clients = ['Codex', 'Cursor', 'Droid'].map((client) => ({ client, since }));
  const last = { client: 'Qwen Code', since, last: '2026-10-31T22:00:00Z' };
  expect(lastTextsText([...clients, last], '2026-11-01T00:00:00Z')).toBe(
    'no text in Codex, Cursor and Droid since the install on 2026-10-01; last text 2 h ago in Qwen Code.',
  );
});
