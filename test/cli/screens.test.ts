import { describe, expect, it } from 'vitest';
import { EVENTS } from '../../src/declarations/types.ts';
import { LONG, sample } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { slashed, WINDOWS } from '../platform.ts';
import { COMMIT, declare, homeWith, START } from './home.ts';
import { atTerminal, hasTerminal, type Screen, shownAt } from './terminal.ts';
import { cleanWorlds, type World } from './world.ts';

cleanWorlds();
installsNodeHere({ servers: true });

const WORDY = {
  event: 'pre_tool_use',
  matcher: { tool_name: 'Bash', input_contains: 'git push' },
  context: `Before pushing: does the checklist stand in docs/release.md, and has everybody read it? ${'很长的文字。'.repeat(20)}`,
  priority: 'required',
};
const LATER = EVENTS.filter((e) => /post_request|session_end/.test(e)).map((event) => ({
  event,
  context: 'If this settled a question, keep the answer where others find it, with the reason for it.',
  priority: 'suggestion',
}));
const SENDS = {
  ...COMMIT,
  context: undefined,
  context_tool: 'note',
  context_tool_args: { all: '{tool_input}' },
};

/** Columns that a line takes: wide characters take two. */
const width = (line: string): number =>
  [...line].reduce((n, c) => n + (/[\u3000-\uffef]/.test(c) ? 2 : 1), 0);
/** What is written, without where lines end. */
const words = (text: string): string => text.replaceAll(/[\s│┊]/g, '');
/** `script` tells of the terminal's end on some systems. */
const text = (screen: Screen): string => screen.lines.join('\n');

describe.skipIf(!hasTerminal)('at a terminal', () => {
  const pages = [
    'install',
    'diff',
    'uninstall',
    'disable',
    'list',
    'explain',
    'fire',
    'log',
    'stats',
    'doctor',
    'export',
    'lint',
    'schema',
    'completions',
  ];

  it('every page of help fits 80 columns and has an example', async () => {
    const world = homeWith(COMMIT);
    for (const args of [[], ...sample(pages, 3).map((page) => [page])]) {
      const screen = await shownAt(world, 80, [...args, '--help']);
      expect(screen.code).toBe(0);
      expect(screen.lines.filter((line) => width(line) > 80)).toEqual([]);
      expect(text(screen)).toMatch(/\n(Example|Start with):\n {2}\S/);
    }
  });

  it('every page of help fits 60 columns, except words that stay whole and examples', async () => {
    const world = homeWith(COMMIT);
    for (const args of [[], ...sample(['install', 'lint', 'init', 'uninstall'], 2).map((page) => [page])]) {
      const { lines } = await shownAt(world, 60, [...args, '--help']);
      const over = lines.filter((line) => width(line) > 60 && !/^ {2}mcphooks /.test(line));
      expect(over, args.join(' ')).toEqual([]);
    }
    const { lines } = await shownAt(world, 60, ['doctor']);
    expect(lines.filter((line) => width(line) > 60)).toEqual([]);
  });

  it('diff breaks what it says of the next command between words', async () => {
    const world = homeWith(COMMIT);
    await world.run('install', 'memo', '--yes');
    declare(world, COMMIT, START);
    const { lines } = await shownAt(world, 50, ['diff']);
    expect(lines.slice(-2)).toEqual(['To review and approve what changed: mcphooks', '  install memo']);
  });

  it.runIf(LONG)(
    'nothing runs over or breaks within a word, and no colour is lost on a light or dark ground',
    async () => {
      const world = homeWith(START, COMMIT, WORDY, ...LATER);
      const screens: (readonly string[])[] = [
        ['install', 'memo', '--dry-run'],
        ['install', 'memo', '--dry-run', '--verbose'],
        ['install', 'memo', '--yes'],
        ['diff'],
        ['diff', '--cooldown', '5'],
        ['list'],
        ['explain', 'memo'],
        ['fire', 'memo', 'pre_tool_use', '--input', '{"command":"git push"}', '--client', 'codex'],
        ['doctor'],
        ['lint', 'memo'],
        ['export', 'memo', '--format', 'gemini-extension', '--out', 'out', '--dry-run'],
        ['disable', 'memo'],
        ['list'],
        ['uninstall', 'memo', '--dry-run'],
        ['install', 'mem'],
      ];
      for (const args of screens) {
        const { raw, lines } = await shownAt(world, 80, args);
        // A single word, such as a path, is left whole so that it can be copied.
        const over = lines.filter((line) => width(line) > 80 && /\S\s+\S/.test(line.trim()));
        expect(over, args.join(' ')).toEqual([]);
        const formats = raw
          .split('\u001b[')
          .slice(1)
          .flatMap((rest) => /^([\d;]*)m/.exec(rest)?.[1] ?? []);
        expect([...new Set(formats)].filter((c) => !/^(0|1|2|22|31|32|35|39)$/.test(c))).toEqual([]);
      }
    },
  );

  it.runIf(LONG)('says the same as in a pipe, where nobody can ask for the lines of files', async () => {
    const world = homeWith(START, COMMIT, WORDY, ...LATER);
    for (const args of [
      ['install', 'memo', '--dry-run'],
      ['lint', 'memo'],
    ]) {
      const screen = await (args[0] === 'install' ? atTerminal : shownAt)(world, 80, args);
      const { stdout } = await world.run(...args);
      expect(stdout).not.toContain('\x1b');
      const upToFiles = (said: string): string => words(said.replace(/^Claude Code {2}~[\s\S]*/m, ''));
      expect(upToFiles(text(screen))).toBe(upToFiles(stdout));
    }
  });

  it('has no colour under NO_COLOR', async () => {
    const world = homeWith(COMMIT);
    world.env.NO_COLOR = '1';
    expect((await shownAt(world, 80, ['install', 'memo', '--dry-run'])).raw).not.toContain('\x1b');
  });

  describe('the question', () => {
    const ASKED = 'Write this?';
    const ask = (world: World, ...answers: [string, string][]): Promise<Screen> =>
      atTerminal(world, 80, ['install', 'memo'], answers);

    it.runIf(LONG)('fits 60 columns', async () => {
      const { lines } = await atTerminal(homeWith(COMMIT), 60, ['install', 'memo'], [[ASKED, 'n\n']]);
      expect(lines.filter((line) => width(line) > 60 && /\S\s+\S/.test(line.trim()))).toEqual([]);
      expect(lines).toContain("d lines · f mcphooks' files · c choose hooks and clients");
    });

    it('writes after yes', async () => {
      const world = homeWith(COMMIT);
      const screen = await ask(world, [ASKED, 'y\n']);
      expect(screen.code).toBe(0);
      expect((await world.run('diff')).code).toBe(0);
    });

    const refusals = [
      ['no', 'n\n'],
      ['nothing', '\n'],
      ['Ctrl-C', '\x03'],
      ['Ctrl-D', '\x04'],
    ] as const;
    // Others below say no, too.
    it.each(sample(refusals, 3, 2))('writes nothing after %s', async (_, key) => {
      const world = homeWith(COMMIT);
      const before = world.files();
      const screen = await ask(world, [ASKED, key]);
      expect(screen.code).toBe(3);
      const { 'home/started.log': log, ...after } = world.files();
      expect(log).toBe('started\n');
      expect(after).toEqual(before);
    });

    it.runIf(LONG)(
      'shows the lines of the clients’ files and asks again, as after a word that it does not know',
      async () => {
        const world = homeWith(COMMIT);
        const screen = await ask(world, [ASKED, 'what\n'], [ASKED, 'd\n'], [ASKED, 'n\n']);
        expect(screen.code).toBe(3);
        expect(text(screen)).toContain('"model": "…"');
        expect(text(screen)).toContain("trap 'exit 0' EXIT");
        expect(text(screen).split(ASKED).length - 1).toBeGreaterThanOrEqual(3);
        expect(text(screen)).not.toContain('#!/bin/sh');
      },
    );

    it.runIf(LONG).each([
      ['', ''],
      ['sed s/^/paged:/', 'paged:'],
      ['no-such-pager', ''],
    ])('shows our own files through PAGER=%s, each script once', async (pager, prefix) => {
      const world = homeWith(COMMIT, START);
      world.env.PAGER = pager;
      const screen = await ask(world, [ASKED, 'f\n'], [ASKED, 'n\n']);
      expect(screen.code).toBe(3);
      expect(text(screen).split(`${prefix}#!/bin/sh`)).toHaveLength(2);
      expect(text(screen)).toContain(`${prefix}same as ~/.local/share/mcphooks/hooks/memo/`);
      expect(text(screen)).toContain(`${prefix}shim=`);
      expect(text(screen)).not.toContain(`${prefix}"model"`);
    });

    it.runIf(LONG)('plans again what was chosen', async () => {
      const world = homeWith(COMMIT, START);
      const screen = await ask(
        world,
        [ASKED, 'c\n'],
        ['Which hooks?', ' \r'],
        ['On which clients?', ' \r'],
        [ASKED, 'y\n'],
      );
      expect(screen.code).toBe(0);
      const { servers } = JSON.parse((await world.run('list', '--json')).stdout);
      expect(servers[0].clients.map((c: { client: string }) => c.client)).toEqual(['codex', 'gemini-cli']);
      const fired = await world.run('fire', 'memo', 'post_tool_use', '--json');
      expect(fired.stdout).not.toContain('You committed');
    });

    it.runIf(LONG)('is followed by one of its own where tool data would be sent', async () => {
      const world = homeWith(SENDS);
      const own = 'Allow these hooks to send';
      expect((await ask(world, [ASKED, 'y\n'], [own, 'n\n'])).code).toBe(3);
      expect(world.read('home/.claude/settings.json')).not.toContain('hooks');
      const screen = await ask(world, [ASKED, 'y\n'], [own, 'y\n']);
      expect(screen.code).toBe(0);
      expect(text(screen).split('● native').length - 1).toBe(3);
      expect((await world.run('diff')).code).toBe(0);
    });
  });
});

describe('a plan', () => {
  it('lists no hook that stays as it was approved, unless asked to', async () => {
    const world = homeWith(COMMIT, START);
    await world.run('install', 'memo', '--yes');
    declare(world, { ...COMMIT, context: 'You committed again.' }, START);
    const { stdout } = await world.run('diff');
    expect(stdout).toContain('│ You committed again.');
    expect(stdout).toContain('2: as approved');
    expect(stdout).not.toContain('→ note(');
    expect((await world.run('diff', '--verbose')).stdout).toContain('→ note(');
  });

  it('shows every hook whole to a client that has none yet', async () => {
    const world = homeWith(COMMIT, START);
    await world.run('install', 'memo', '--client', 'codex', '--yes');
    const { stdout } = await world.run('install', 'memo', '--client', 'claude-code', '--dry-run');
    expect(stdout).toContain('│ You committed in');
    expect(stdout).toContain('→ note(');
  });

  it.runIf(LONG)('says of each file which entries come and go, and line by line when asked to', async () => {
    const world = homeWith(COMMIT);
    // Claude Code has a second tool for commands on Windows.
    const tool = WINDOWS ? 'Bash|PowerShell' : 'Bash';
    const both = `2 entries: PostToolUse on ${tool}, PostToolUseFailure on ${tool}\n`;
    const plan = ['install', 'memo', '--client', 'claude-code', '--dry-run'];
    const { stdout: whole } = await world.run(...plan);
    expect(slashed(whole)).toContain(`Claude Code  ~/.claude/settings.json\n  + ${both}`);
    expect(whole).toMatch(/^ {2}\+ .*"matcher": "Bash(\|PowerShell)?"/m);
    await world.run('install', 'memo', '--client', 'claude-code', '--yes');
    declare(world, START);
    const { stdout } = await world.run('diff');
    expect(stdout).toContain(`  - remove ${both}`);
    expect(stdout).toContain('  + 1 entry: SessionStart\n');
  });

  it('says a reason once for the hooks that it holds for, and on which clients', async () => {
    const world = homeWith(WORDY, { ...WORDY, context: 'Another.' });
    const { stdout } = await world.run('install', 'memo', '--dry-run');
    expect(stdout).toContain("  1, 2  Claude Code and Codex: read with the tool's result");
    expect(stdout).toContain("  1, 2  Gemini CLI: read with the tool's result");
  });
});
