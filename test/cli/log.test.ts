import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { COMMIT, homeWith } from './home.ts';
import { atTerminal, hasTerminal, shownAt } from './terminal.ts';
import { CLI, cleanWorlds, type World } from './world.ts';

cleanWorlds();

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
const installed = async (...declarations: object[]): Promise<World> => {
  const world = homeWith(...declarations);
  const ran = await world.run('install', 'memo', '--yes');
  expect(ran.code, ran.stderr).toBe(0);
  return world;
};
/** The time so many days ago. */
const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

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

  it('shows what is asked for', async () => {
    const world = await installed(PROMPT, COMMIT);
    const lines = [
      given({ at: ago(40), session: 'old' }),
      given({ at: ago(3), client: 'gemini-cli', session: 'three' }),
      silent({ at: ago(1), session: 'one' }),
      given({ at: ago(1), server: 'other', session: 'two', text: 'A token: ghp_abcdefghijklmnopqrstuv' }),
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
    expect(await world.run('log', '--since', 'yesterday')).toMatchObject({ code: 1 });
    const { stdout } = await world.run('log', '--since', '2d');
    expect(stdout).toContain('no text: its cooldown is not over');
    expect(stdout).toContain('deferred');
    expect(stdout).not.toContain('ghp_');
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
        '10:01:00  memo  prompt  hook 1  its tool failed (note: refused<U+001B>[31m)',
        '',
      ].join('\n'),
    );
  });

  it('goes on with what comes', async () => {
    const world = await installed(PROMPT);
    write(world, [given({ session: 'first' })]);
    const child = spawn(process.execPath, [CLI, 'log', '--follow', '--json'], {
      cwd: world.project,
      env: world.env,
    });
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
      given({ at: ago((120 - i) / 12), chars: 100 + i, tokens: 25 + i, ms: i % 3 ? 10 * i : undefined }),
      i % 4
        ? silent({ n: 2, client: 'claude-code', ms: i })
        : given({ n: 2, incident: 'tool.slow', chars: undefined }),
      given({ try: true, chars: 1e6, tokens: 1e6 }),
      given({ incident: 'text.cut', chars: undefined }),
      silent({ silence: 'kept' }),
    ]).flat();

  it('counts as a recount does', async () => {
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

  it('gives advice whose commands are taken', async () => {
    const world = await installed(PROMPT, TOOL);
    write(world, lines());
    const { advice } = JSON.parse((await world.run('stats', 'memo', '--json')).stdout);
    for (const { command } of advice) {
      const [, ...words] = command.split(' ');
      expect((await world.run(...words, '--dry-run')).code, command).toBe(2);
    }
  });

  it('draws a picture', async () => {
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
  it.each([60, 80, 120])('log and stats fit %i columns', { timeout: 60_000 }, async (columns) => {
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

it('doctor says when hooks last gave a text, tries aside', async () => {
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
  expect(stdout).toContain(
    `no text in Gemini CLI since it was installed on ${soon(60 * 24 * 20).slice(0, 10)}`,
  );
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

  it.skipIf(!hasTerminal).each([
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
