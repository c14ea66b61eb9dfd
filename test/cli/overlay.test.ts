import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { word } from '../../src/messages/words.ts';
import { ALL, LONG, sample } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { COMMIT, declare, homeWith, installClients, starts } from './home.ts';
import { cleanWorlds, madeOnce, makeWorld, serverEntry, type World } from './world.ts';

cleanWorlds();
installsNodeHere({ servers: true });

const SERVER = join(import.meta.dirname, '../fixtures/servers/declares.mjs');
const REFUSING = join(import.meta.dirname, '../fixtures/servers/fixture.mjs');

const SEARCH = {
  event: 'session_start',
  context_tool: 'search',
  context_tool_args: { query: 'recent work' },
  priority: 'important',
};

/** A home whose server `memo` declares nothing; its hooks stand in a file. */
function overlaid(...declarations: object[]): World {
  const world = homeWith();
  write(world, ...declarations);
  return world;
}

const write = (world: World, ...declarations: object[]): string =>
  world.write('project/hooks.json', `${JSON.stringify({ declarations }, null, 1)}\n`);
const FILE = ['--declarations', '../project/hooks.json'];
/** Where it doesn't matter which client has the hooks. */
const ON = ALL ? [] : ['--client', 'claude-code'];

interface Answer {
  code: number | null;
  codes: string[];
  message: string;
  where?: string;
}

/** In the home folder, where a server is asked for all of its tools without a word. */
async function answer(world: World, ...words: string[]): Promise<Answer> {
  const { code, stdout } = await world.runAs({ folder: 'home' }, ...words, '--json');
  const { faults = [], findings = [] } = JSON.parse(stdout);
  const all = [...faults, ...findings] as { code: string; message: string; where?: string }[];
  const [first] = all;
  return {
    code,
    codes: all.map((one) => one.code),
    message: first?.message ?? '',
    ...(first?.where !== undefined && { where: first.where }),
  };
}

describe('hooks from a file are held against the tools of the server', () => {
  const WRONG: [string, object, string, string, RegExp][] = [
    ['a tool', { context_tool: 'serach' }, 'tool.missing', 'context_tool', /Did you mean 'search'/],
    [
      'an argument',
      { context_tool_args: { query: 'x', limt: 3 } },
      'tool.args-unknown',
      'context_tool_args.limt',
      /Did you mean 'limit'/,
    ],
    ['a type', { context_tool_args: { query: 3 } }, 'tool.args-type', 'context_tool_args.query', /string/],
    ['one too few', { context_tool_args: {} }, 'tool.args-missing', 'context_tool_args', /query/],
    [
      'a value',
      { context_tool_args: { query: 'x', limit: 99 } },
      'tool.args-value',
      'context_tool_args.limit',
      /at most 50/,
    ],
  ];
  const COMMANDS = [
    ['install', 'memo', '--yes'],
    ['lint', 'memo'],
  ];
  const rows = WRONG.map((row, turn) => [...row, turn] as const);
  it.each(rows)('wrong: %s', async (_, wrong, code, path, says, turn) => {
    const world = overlaid(COMMIT, { ...SEARCH, ...wrong });
    for (const command of sample(COMMANDS, 2, turn)) {
      const found = await answer(world, ...command, ...FILE);
      expect(found, command.join(' ')).toMatchObject({ code: 1, codes: [code] });
      expect(found.where).toMatch(/hooks\.json:\d+:\d+ /);
      expect(found.where).toContain(`declarations[1].${path}`);
      expect(found.message).toMatch(says);
    }
    expect(Object.keys(world.files()).some((file) => file.includes('/mcphooks/'))).toBe(false);
  });

  it.runIf(LONG)('and its error is told where it refuses to list them', async () => {
    const world = overlaid(SEARCH);
    const told = { capabilities: { tools: {} }, behave: 'refuse', behaveOn: 'tools/list' };
    const entry = { command: process.execPath, args: [REFUSING, JSON.stringify(told)] };
    world.write('home/.claude.json', JSON.stringify({ mcpServers: { other: entry } }));
    const error = /refuses to list its tools: no, .* \(-32603\)/;
    for (const command of [
      ['install', 'other', ...FILE, ...ON, '--yes'],
      ['lint', 'other', ...FILE],
    ]) {
      const found = await answer(world, ...command);
      expect(found, command.join(' ')).toMatchObject({ code: 1, codes: ['tool.none'] });
      expect(found.message).toMatch(error);
    }
    const { code, stderr } = await world.runAs({ folder: 'home' }, 'init', 'other');
    expect([code, stderr]).toEqual([1, expect.stringMatching(error)]);
  });

  it.runIf(LONG)('by diff, list --check and doctor --check, too, when they come to be wrong', async () => {
    const world = overlaid(SEARCH);
    expect(await answer(world, 'install', 'memo', ...FILE, ...ON, '--yes')).toMatchObject({ code: 0 });
    write(world, { ...SEARCH, context_tool: 'serach' });
    for (const command of [['diff'], ['list', '--check'], ['doctor', '--check']])
      expect((await answer(world, ...command)).codes, command.join(' ')).toContain('tool.missing');
    expect((await answer(world, 'diff', '--offline')).codes).toEqual([]);
  });

  it('leaves faulty ones out with --lenient', async () => {
    const world = overlaid({ ...SEARCH, context_tool: 'serach' }, COMMIT);
    const install = (...more: string[]) =>
      world.runAs({ folder: 'home' }, 'install', 'memo', ...FILE, ...ON, '--yes', ...more);
    expect(await install()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('1 other hook is valid; to install only that one, add --lenient.'),
    });
    const { code, stdout, stderr } = await install('--lenient');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^memo {2}1 of 2 hooks /);
    expect(stdout).toContain("no tool 'serach'");
    expect(stderr).not.toMatch(/serach|add --lenient/);
    expect(JSON.parse(world.read('home/.local/state/mcphooks/record.json')).servers[0].declarations).toEqual([
      COMMIT,
    ]);
  });

  it('left out with --lenient are no difference to commands that ask no server', async () => {
    const world = overlaid({ ...SEARCH, context_tool: 'serach' }, COMMIT);
    const run = (...args: string[]) => world.runAs({ folder: 'home' }, ...args);
    expect(await run('install', 'memo', ...FILE, ...ON, '--yes', '--lenient')).toMatchObject({ code: 0 });
    expect(await run('diff', '--offline')).toMatchObject({ code: 0 });
    expect((await run('list')).stdout).toMatch(/^memo +● current/m);
    write(world, { ...SEARCH, context_tool: 'serach' }, { ...COMMIT, context: 'Other.' });
    expect(await run('diff', '--offline')).toMatchObject({ code: 2 });
  });

  it('edited after an install with --lenient are a change, not gone', async () => {
    const world = overlaid(SEARCH, COMMIT);
    const run = (...args: string[]) => world.runAs({ folder: 'home' }, ...args);
    expect(await run('install', 'memo', ...FILE, ...ON, '--yes', '--lenient')).toMatchObject({ code: 0 });
    write(world, { ...SEARCH, context_tool: 'recent', context_tool_args: {} }, COMMIT);
    const { code, stdout } = await run('diff', '--offline');
    expect([code, stdout]).toEqual([2, expect.not.stringContaining('no longer declared')]);
    expect(stdout).toMatch(/^ +\+ recent$/m);
  });

  it('are refused with --lenient where that leaves none', async () => {
    const world = overlaid({ ...SEARCH, context_tool: 'serach' });
    const found = await answer(world, 'install', 'memo', ...FILE, ...ON, '--yes', '--lenient');
    expect(found).toMatchObject({ code: 1, codes: ['tool.missing'] });
    expect(Object.keys(world.files()).some((file) => file.includes('/mcphooks/'))).toBe(false);
  });

  describe('where another hook has a fault that needs no server', () => {
    const NOPE = { ...COMMIT, event: 'nope' };
    const GONE = { ...SEARCH, context_tool: 'serach' };
    const TOO_MANY = { ...SEARCH, context_tool_args: { query: 'x', limit: 99 } };
    const ALL_FAULTS = ['decl.choice', 'tool.missing', 'tool.args-value'];

    it.each([
      ['of a file', FILE],
      ['of a server', []],
    ])('names the faults of tools in the same run: %s', async (_, file) => {
      const world = overlaid(NOPE, GONE, TOO_MANY);
      if (file.length === 0) declare(world, NOPE, GONE, TOO_MANY);
      for (const command of [['install', '--yes'], ['lint']]) {
        const [name = '', ...more] = command;
        const how = [name, 'memo', ...more, ...file];
        expect((await answer(world, ...how)).codes, name).toEqual(ALL_FAULTS);
        const { stderr } = await world.runAs({ folder: 'home' }, ...how);
        for (const path of ['[0].event', '[1].context_tool', '[2].context_tool_args.limit'])
          expect(stderr, name).toContain(`declarations${path}:`);
        expect(stderr).not.toContain('--lenient');
      }
    });

    it('counts for --lenient the hooks that it would install', async () => {
      const world = overlaid(NOPE, GONE, COMMIT);
      const how = ['install', 'memo', ...FILE, '--client', 'claude-code', '--from', 'claude-code', '--yes'];
      const install = () => world.runAs({ folder: 'home' }, ...how);
      expect((await install()).stderr).toContain('1 other hook is valid; to install only that one');
      world.write('home/.claude.json', '{"mcpServers":{"memo":{"command":"/nowhere/memo"}}}');
      const { code, stderr } = await install();
      expect(code).toBe(1);
      expect(stderr).toContain('declarations[0].event:');
      expect(stderr).toContain('/nowhere/memo');
      expect(stderr).not.toContain('--lenient');
    });

    it('starts no server where no hook calls a tool', async () => {
      const world = overlaid(NOPE, COMMIT);
      const { stderr } = await world.runAs({ folder: 'home' }, 'install', 'memo', ...FILE, ...ON, '--yes');
      expect(stderr).toContain('1 other hook is valid; to install only that one');
      expect(starts(world)).toBe(0);
    });
  });

  it('says in the plan, and explains, which hooks are left out, and how many', async () => {
    const world = overlaid(COMMIT, { ...COMMIT, context: 'x'.repeat(8001) });
    const how = ['install', 'memo', ...FILE, ...ON, '--dry-run'];
    const { stdout, stderr } = await world.runAs({ folder: 'home' }, ...how);
    expect(stdout).toMatch(/^memo {2}1 of 2 hooks .*\n/);
    expect(stdout).toMatch(
      /\n {2}\S*hooks\.json.* declarations\[1\]\.context: 8001 .* is left out\n {4}Shorten/,
    );
    expect(stderr).not.toContain('8001');
    const explained = await world.runAs({ folder: 'home' }, 'explain', 'memo', ...FILE, ...ON);
    expect(explained.stdout).toMatch(
      /^memo {2}1 of 2 hooks, not installed \(preview\)\n {2}\S*hooks\.json.* declarations\[1\]\.context: 8001 .* is left out\n {4}Shorten/,
    );
    expect(explained.stderr).not.toContain('8001');
  });

  it.runIf(LONG)('counts hooks whose faults are too many to be named', async () => {
    const bad = { ...COMMIT, event: 'none', priority: 'none' };
    const world = overlaid(
      ...Array.from({ length: 70 }, (_, i) => ({ ...COMMIT, context: `${i}` })),
      ...Array(60).fill(bad),
    );
    const how = ['install', 'memo', ...FILE, ...ON, '--dry-run', '--lenient'];
    const { stdout } = await world.runAs({ folder: 'home' }, ...how);
    expect(stdout).toMatch(/^memo {2}64 of 130 hooks /);
    expect(stdout).toContain('\n  and 21 more\n');
  });

  it.runIf(ALL)('leaves out what is beyond a limit, the lowest priority first, and names it', async () => {
    const note = (i: number) => ({
      ...COMMIT,
      priority: i === 3 ? 'suggestion' : 'important',
      context: `${i}`,
    });
    const long = { ...COMMIT, context: 'x'.repeat(8001) };
    const world = overlaid(...[...Array(65).keys()].map(note), { ...long, priority: 'important' });
    const run = (...words: string[]) => world.runAs({ folder: 'home' }, ...words);
    const dry = await run('install', 'memo', ...FILE, ...ON, '--dry-run', '--json');
    const leftOut = (text: string) => JSON.parse(text).plan.leftOut.map(({ code }: { code: string }) => code);
    expect(leftOut(dry.stdout)).toEqual(['decl.too-long', 'decl.too-many']);
    const { code, stdout } = await run('install', 'memo', ...FILE, ...ON, '--yes');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^memo {2}64 of 66 hooks /);
    expect(stdout).toContain(
      '66 declarations; at most 64 are allowed, so 1 of the lowest priority is left out: declarations[3]',
    );
    expect(stdout).toMatch(/ declarations\[65\]\.context: 8001 characters; .*, so this hook is left out/);
    const [server] = JSON.parse(world.read('home/.local/state/mcphooks/record.json')).servers;
    expect(server.declarations).toHaveLength(64);
    expect(await run('diff')).toMatchObject({ code: 0 });
    expect(await run('explain', 'memo', ...FILE)).toMatchObject({ code: 0 });
    expect(await run('lint', 'hooks.json')).toMatchObject({ code: 1 });
    const asJson = async (...words: string[]) => JSON.parse((await run(...words, '--json')).stdout);
    const named = [{ code: 'decl.too-long' }, { code: 'decl.too-many' }];
    expect(await asJson('explain', 'memo', ...FILE)).toMatchObject({ leftOut: named });
    const pack = ['export', 'memo', ...FILE, '--format', 'claude-plugin', '--out', 'pack', '--dry-run'];
    expect((await asJson(...pack)).plan).toMatchObject({ leftOut: named });
    write(world, ...[...Array(65).keys()].map((i) => note(i + 100)), long);
    expect((await asJson('diff')).servers[0].plan).toMatchObject({ leftOut: named });
    expect((await run('diff', '--format', 'markdown')).stdout).toContain('left out: declarations[64]');
  });

  it.runIf(LONG)('removes no hook where all have come to be too long', async () => {
    const world = overlaid(COMMIT);
    const run = (...words: string[]) => world.runAs({ folder: 'home' }, ...words);
    await run('install', 'memo', ...FILE, ...ON, '--yes');
    const before = world.files();
    write(world, { ...COMMIT, context: 'x'.repeat(8001) });
    expect(await run('diff')).toMatchObject({ code: 1, stderr: expect.stringContaining('8001 characters') });
    expect(await run('install', 'memo', '--yes', '--accept-changed')).toMatchObject({ code: 1 });
    expect(world.read('home/.claude/settings.json')).toContain('mcphooks');
    expect(Object.keys(world.files())).toEqual(Object.keys(before));
  });
});

describe('in a project, where the server was started in the home folder', () => {
  it.runIf(LONG)(
    'a tool that it does not list there is not checked, until the user agrees to ask it here',
    async () => {
      const world = overlaid({ ...SEARCH, context_tool: 'serach' });
      const words = ['install', 'memo', '--declarations', 'hooks.json', '--client', 'claude-code'];
      const { code, stderr } = await world.run(...words, '--yes');
      expect(code).toBe(0);
      expect(stderr).toContain("doesn't list 'serach' (did you mean 'search'?)");
      const hash = /--allow-start ([0-9a-f]{64})/.exec(stderr)?.[1] ?? '';
      const asked = await world.run(...words, '--yes', '--allow-start', hash);
      expect(asked.code).toBe(1);
      expect(asked.stderr).toContain("no tool 'serach'");
    },
  );

  it('lint counts what was not checked as a warning', async () => {
    const world = overlaid(COMMIT, { ...SEARCH, context_tool: 'serach' });
    const { code, stdout } = await world.run('lint', 'memo', '--declarations', 'hooks.json', '--json');
    const { status, warnings } = JSON.parse(stdout);
    expect([code, status]).toEqual([0, 'warned']);
    expect(warnings.filter(({ n }: { n: number }) => n === 2)).toEqual([
      expect.objectContaining({ code: 'lint.tool-unchecked', message: expect.stringContaining("'search'") }),
    ]);
  });

  it.runIf(LONG).each([
    ['one like a listed name is a finding', 'serach', 1],
    ['any other is a remark', 'elsewhere', 0],
  ])('doctor --check names what was not checked: %s', async (_, tool, findings) => {
    const world = overlaid({ ...SEARCH, context_tool: tool });
    await world.run('install', 'memo', '--declarations', 'hooks.json', '--client', 'claude-code', '--yes');
    const said = JSON.parse((await world.run('doctor', '--check', '--json')).stdout);
    const of = (all: { code: string }[]): unknown[] =>
      all.filter(({ code }) => code === 'doctor.tool-unchecked');
    expect(of(said.findings)).toHaveLength(findings);
    expect(of(said.remarks)).toHaveLength(1 - findings);
    expect(JSON.stringify(said)).toContain(`its tool '${tool}' was not checked`);
    expect(JSON.stringify(said)).toMatch(/--allow-start [0-9a-f]{64}/);
    // `diff` finds nothing in it.
    expect((await world.run('diff')).code).toBe(0);
  });

  it.runIf(LONG)('doctor --check checks arguments that an install with --no-check left out', async () => {
    const world = overlaid({ ...SEARCH, context_tool_args: { query: 5 } });
    const words = ['install', 'memo', '--declarations', 'hooks.json', '--client', 'claude-code', '--yes'];
    expect((await world.run(...words, '--no-check')).code).toBe(0);
    const codes = async (...flags: string[]): Promise<string[]> =>
      JSON.parse((await world.run('doctor', ...flags, '--json')).stdout).findings.map(
        ({ code }: { code: string }) => code,
      );
    expect(await codes()).not.toContain('tool.args-type');
    expect(await codes('--check')).toContain('tool.args-type');
  });

  it('names a tool once that several hooks call', async () => {
    const world = overlaid(
      { ...SEARCH, context_tool: 'serach' },
      { ...SEARCH, context_tool: 'serach', event: 'session_start' },
    );
    const { stderr } = await world.run('install', 'memo', '--declarations', 'hooks.json', '--dry-run');
    expect(stderr.match(/'serach'/g)).toHaveLength(1);
  });

  it('arguments are checked there', async () => {
    const world = overlaid({ ...SEARCH, context_tool_args: {} });
    const { code, stderr } = await world.run('install', 'memo', '--declarations', 'hooks.json', '--yes');
    expect([code, stderr]).toEqual([1, expect.stringContaining("'search' requires query")]);
  });
});

describe('what install remembers', () => {
  it.runIf(LONG)('is what lint and export go by, but for leave to send tool data', async () => {
    const world = overlaid(COMMIT, {
      ...SEARCH,
      event: 'post_tool_use',
      context_tool_args: { query: '{tool_output}' },
    });
    const args = ['install', 'memo', ...FILE, '--yes', '--send-tool-data', '--client', 'claude-code'];
    expect(await answer(world, ...args)).toMatchObject({ code: 0 });
    const linted = JSON.parse((await world.runAs({ folder: 'home' }, 'lint', 'memo', '--json')).stdout);
    expect([linted.exit, linted.declarations.length]).toEqual([0, 2]);
    const out = ['export', 'memo', '--format', 'claude-plugin', '--out', join(world.project, 'out')];
    expect(await answer(world, ...out, '--yes')).toMatchObject({ code: 3, codes: ['consent.tool-data'] });
    expect(await answer(world, ...out, '--yes', '--send-tool-data')).toMatchObject({ code: 0 });
    // Without it the server is asked, which declares none.
    expect(await answer(world, 'lint', 'memo', '--reset')).toMatchObject({ code: 4 });
  });
});

describe('a command that replaces how the server is reached', () => {
  const words = ['install', 'memo', ...ON, '--yes'];

  /** Hooks of a file are installed, and no client has the server any more; returns a command that starts it. */
  async function unreachable(...options: string[]) {
    const world = overlaid(SEARCH);
    expect(await answer(world, ...words, ...FILE, ...options)).toMatchObject({ code: 0 });
    world.write('home/.claude.json', '{}');
    const { command, args } = serverEntry(join(world.home, 'declared.json'));
    return { world, by: ['--', command, ...args] };
  }

  it.runIf(LONG)('keeps the file of declarations, until --reset', async () => {
    const { world, by } = await unreachable();
    const { stdout, stderr, code } = await world.run(...words, '--accept-changed', ...by);
    expect([code, stderr], stdout).toEqual([0, expect.stringContaining('Installed.')]);
    expect(world.read('home/.claude/settings.json')).toContain('SessionStart');
    const { from } = JSON.parse(world.read('home/.local/state/mcphooks/record.json')).servers[0];
    expect(from).toEqual({ kind: 'file', file: join(world.project, 'hooks.json') });
    // The author of the command asks for the hooks that it declares itself.
    expect(await world.run('lint', 'memo', ...by)).toMatchObject({ code: 4 });
    expect((await world.run(...words, '--reset', '--accept-changed', ...by)).stderr).toContain('Removed: ');
  });

  it('checks a file with the server that it names, though it was not checked before', async () => {
    const { world, by } = await unreachable('--no-check');
    write(world, { ...SEARCH, context_tool: 'serach' });
    const { code, stderr } = await world.runAs({ folder: 'home' }, ...words, ...by);
    expect([code, stderr]).toEqual([1, expect.stringContaining("no tool 'serach'")]);
  });
});

describe('a server that begins to declare hooks itself', () => {
  const recorded = (world: World) =>
    JSON.parse(world.read('home/.local/state/mcphooks/record.json')).servers[0];
  const atHome = (world: World, ...words: string[]) => world.runAs({ folder: 'home' }, ...words);

  /** The file's hooks are installed; then the server declares one itself. */
  const begun = madeOnce(async () => {
    const world = overlaid(SEARCH);
    const installed = await atHome(world, 'install', 'memo', ...FILE, ...ON, '--yes');
    expect(installed).toMatchObject({ code: 0 });
    expect((await atHome(world, 'diff')).code).toBe(0);
    declare(world, COMMIT);
    return world;
  });

  it.runIf(LONG)('is told by diff, with exit 2, and --reset switches after an approval', async () => {
    const world = await begun();
    const { code, stdout } = await atHome(world, 'diff');
    expect(code).toBe(2);
    expect(stdout).toContain('memo: the server now declares 1 hook itself');
    expect(stdout).toContain('mcphooks install memo --reset');
    expect(stdout).not.toContain('as installed');
    expect(await atHome(world, 'install', 'memo', '--dry-run')).toMatchObject({ code: 2 });
    const document = JSON.parse((await atHome(world, 'diff', '--json')).stdout);
    expect(document).toMatchObject({ status: 'changed', exit: 2 });
    expect(document.servers[0].plan.notes).toMatchObject([{ code: 'server.declares-too' }]);
    const pull = await atHome(world, 'diff', '--format', 'markdown');
    expect([pull.code, pull.stdout]).toEqual([2, expect.stringContaining('now declares 1 hook itself')]);
    expect((await atHome(world, 'diff', '--offline')).code).toBe(0);
    expect((await atHome(world, 'install', 'memo', '--reset', '--yes')).code).toBe(3);
    expect((await atHome(world, 'install', 'memo', '--reset', '--yes', '--accept-changed')).code).toBe(0);
    expect(recorded(world)).toMatchObject({ from: { kind: 'server' }, declarations: [COMMIT] });
    expect((await atHome(world, 'diff')).code).toBe(0);
  });

  it.runIf(LONG)('changes nothing at install, which says so; then the choice is made', async () => {
    const world = await begun();
    const { code, stdout } = await atHome(world, 'install', 'memo', '--yes');
    expect([code, stdout]).toEqual([0, expect.stringContaining('now declares 1 hook itself')]);
    expect(recorded(world)).toMatchObject({ from: { kind: 'file' }, declarations: [SEARCH] });
    for (const words of [['diff'], ['diff', '--offline'], ['diff', 'memo', ...FILE]])
      expect((await atHome(world, ...words)).code, words.join(' ')).toBe(0);
    // The choice stands when the server stops and begins again.
    declare(world);
    expect((await atHome(world, 'diff')).code).toBe(0);
    expect((await atHome(world, 'install', 'memo', '--yes')).code).toBe(0);
    declare(world, COMMIT, COMMIT);
    expect((await atHome(world, 'diff')).code).toBe(0);
  });

  it.runIf(LONG)('is only a remark where --declarations is given', async () => {
    const world = await begun();
    const { code, stdout } = await atHome(world, 'diff', 'memo', ...FILE);
    expect([code, stdout]).toEqual([0, expect.stringContaining('declares 1 hook itself')]);
    const before = recorded(world);
    expect((await atHome(world, 'list', '--check')).code).toBe(0);
    expect(recorded(world)).toEqual(before);
    expect((await atHome(world, 'diff')).code).toBe(2);
    expect((await atHome(world, 'install', 'memo', ...FILE, ...ON, '--yes')).code).toBe(0);
    expect((await atHome(world, 'diff')).code).toBe(0);
  });

  it.runIf(LONG)(
    'that declared hooks from the start, or declares faulty ones, is no difference',
    async () => {
      const world = homeWith(COMMIT);
      write(world, SEARCH);
      const { code, stdout } = await atHome(world, 'install', 'memo', ...FILE, ...ON, '--yes');
      expect([code, stdout]).toEqual([0, expect.stringContaining('the server declares 1 hook itself')]);
      expect((await atHome(world, 'diff')).code).toBe(0);
      const other = await begun();
      for (const broken of ['{"declarations":[{"event":"x"}]}', '[]', '{"declarations":[]}']) {
        other.write('home/declared.json', broken);
        expect((await atHome(other, 'diff')).code, broken).toBe(0);
      }
    },
  );

  it.runIf(LONG)('and was started by a command line is named with one', async () => {
    const world = overlaid(COMMIT);
    const { command, args } = serverEntry(join(world.home, 'declared.json'));
    const choices = ['--client', 'claude-code', '--only', '1', '--cooldown', '60', '--yes'];
    const words = ['install', 'mine', ...FILE, ...choices, '--', command, ...args];
    expect((await atHome(world, ...words)).code).toBe(0);
    declare(world, COMMIT, { ...COMMIT, context: 'Two.' });
    const { code, stdout } = await atHome(world, 'diff', 'mine');
    expect(code).toBe(2);
    expect(stdout).toContain('now declares 2 hooks itself');
    // Without the hooks' numbers, which are others in its declarations.
    const started = [command, ...args].map((one) => word(one)).join(' ');
    expect(stdout).toContain(
      `mcphooks install mine --reset --client claude-code --cooldown 60 -- ${started};`,
    );
    const reset = ['install', 'mine', '--reset', '--client', 'claude-code', '--yes', '--accept-changed'];
    expect((await atHome(world, ...reset, '--', command, ...args)).code).toBe(0);
    expect(recorded(world)).toMatchObject({ from: { kind: 'server' } });
  });
});

it.runIf(LONG)('a lock file is valid when hooks of a file made room for those of the server', async () => {
  const world = overlaid(COMMIT);
  world.write('project/.git/HEAD', '');
  // A lock file names no path of this machine.
  world.write('project/server.mjs', readFileSync(SERVER, 'utf8'));
  world.write('project/declared.json', JSON.stringify({ declarations: [COMMIT] }));
  const started = ['--', 'node', 'server.mjs', 'declared.json'];
  const words = ['install', 'memo', '--scope', 'project', '--client', 'claude-code', '--yes'];
  const ways = [
    [...FILE, '--no-check', ...started],
    [...FILE, ...started],
    ['--reset', '--accept-changed', ...started],
  ];
  for (const way of ways) {
    const { code, stderr } = await world.run(...words, ...way);
    expect([code, stderr], way.join(' ')).toEqual([0, expect.not.stringContaining('not a valid')]);
    expect((await world.run('diff', '--scope', 'project')).code, way.join(' ')).toBe(0);
  }
  expect(JSON.parse(world.read('project/mcphooks.lock.json')).servers[0].from).toMatchObject({
    kind: 'server',
  });
});

describe('a declarations file that is gone', () => {
  it.runIf(LONG)('is written again from what was approved, where a person wants it', async () => {
    const world = overlaid(COMMIT, SEARCH);
    expect(await answer(world, 'install', 'memo', ...FILE, ...ON, '--yes')).toMatchObject({ code: 0 });
    rmSync(join(world.project, 'hooks.json'));
    expect(await answer(world, 'install', 'memo', '--yes')).toMatchObject({
      code: 1,
      codes: ['decl-file.gone'],
    });
    expect(existsSync(join(world.project, 'hooks.json'))).toBe(false);
    await world.runAs({ folder: 'home', says: false }, 'install', 'memo');
    expect(existsSync(join(world.project, 'hooks.json'))).toBe(false);
    const dry = await world.runAs({ folder: 'home', says: true }, 'install', 'memo', '--dry-run');
    expect([dry.code, existsSync(join(world.project, 'hooks.json'))]).toEqual([1, false]);
    const { code } = await world.runAs({ folder: 'home', says: true }, 'install', 'memo');
    expect(code).toBe(0);
    expect(JSON.parse(world.read('project/hooks.json'))).toEqual({ declarations: [COMMIT, SEARCH] });
  });
});

describe('--no-check', () => {
  it('starts nothing, says so, and is remembered', async () => {
    const world = overlaid({ ...SEARCH, context_tool: 'serach' });
    const { code, stdout } = await world.run('install', 'memo', ...FILE, ...ON, '--no-check', '--yes');
    expect(code).toBe(0);
    expect(stdout).toContain('--no-check');
    expect((await world.run('diff')).code).toBe(0);
    expect((await world.run('list', '--check')).code).toBe(0);
    expect(starts(world)).toBe(0);
    // A file that is named anew is checked.
    expect(await answer(world, 'install', 'memo', ...FILE, ...ON, '--yes')).toMatchObject({
      codes: ['tool.missing'],
    });
  });

  it.runIf(LONG)('is forgotten when the file is named again without it', async () => {
    const world = overlaid(SEARCH);
    expect((await world.run('install', 'memo', ...FILE, ...ON, '--no-check', '--yes')).code).toBe(0);
    expect(await answer(world, 'install', 'memo', ...FILE, ...ON, '--yes')).toMatchObject({ code: 0 });
    const [memo] = JSON.parse(world.read('home/.local/state/mcphooks/record.json')).servers;
    expect(memo.from).toEqual({ kind: 'file', file: join(world.project, 'hooks.json') });
    write(world, { ...SEARCH, context_tool: 'serach' });
    expect((await answer(world, 'diff')).codes).toEqual(['tool.missing']);
  });

  it('means nothing without a file', async () => {
    const world = homeWith(COMMIT);
    for (const [command, ...yes] of [['install', '--yes'], ['diff'], ['lint'], ['explain']] as const) {
      const { codes, message } = await answer(world, command, 'memo', '--no-check', ...yes);
      expect(codes, command).toEqual(['usage.goes-with']);
      expect(message).toContain(`'mcphooks ${command} --help'`);
    }
    expect(starts(world)).toBe(0);
  });

  it.runIf(LONG)('is named where the server cannot be asked', async () => {
    const world = overlaid(SEARCH);
    world.write('home/declared.json', 'TELL');
    const found = await answer(world, 'install', 'memo', ...FILE, ...ON, '--yes');
    expect(found).toMatchObject({ code: 1, codes: ['server.died'] });
    expect(found.message).toContain('--no-check');
    const unknown = await answer(world, 'install', 'momo', ...FILE, '--yes');
    expect(unknown).toMatchObject({ code: 1, codes: ['server.not-found'] });
    expect(unknown.message).toContain('--no-check');
    expect(unknown.message).toContain("Did you mean 'memo'");
  });

  it.runIf(LONG)('says which hooks stay off where the server of an install is gone', async () => {
    const words = ['install', 'memo', ...ON, '--yes'];
    for (const [declared, off] of [
      [SEARCH, true],
      [COMMIT, false],
    ] as const) {
      const world = overlaid(declared);
      expect(await answer(world, ...words, ...FILE)).toMatchObject({ code: 0 });
      for (const file of ['.claude.json', '.codex/config.toml', '.gemini/settings.json'])
        world.write(`home/${file}`, file.endsWith('.json') ? '{}' : '');
      const { code, stdout } = await world.run(...words, '--no-check');
      expect([code, stdout.includes('hooks that call its tools are off')]).toEqual([0, off]);
    }
  });

  it.runIf(LONG)('is not needed where fixed texts need no answer', async () => {
    const world = overlaid(COMMIT);
    world.write('home/declared.json', 'TELL');
    const { code, stderr } = await world.run('install', 'memo', ...FILE, ...ON, '--yes');
    expect(code).toBe(0);
    expect(stderr).toContain("could not reach 'memo'");
  });
});

describe('a tool that fails', () => {
  const broken = { ...SEARCH, context_tool: 'broken', context_tool_args: {} };

  it.runIf(LONG)('shows its own words in fire, which ends with 1', async () => {
    const world = overlaid(broken);
    await world.run('install', 'memo', ...FILE, '--yes', '--client', 'claude-code');
    const { code, stdout } = await world.run('fire', 'memo', 'session_start');
    expect(code).toBe(1);
    expect(stdout).toContain('broken: the index is locked by another process');
    const { exit, status } = JSON.parse((await world.run('fire', 'memo', 'session_start', '--json')).stdout);
    expect([exit, status]).toEqual([1, 'failed']);
    // The log of fires holds none of a server's words.
    expect(world.read('home/.local/state/mcphooks/hooks.log')).not.toContain('locked');
  });

  it.runIf(LONG)('is found by doctor --check, which calls what is read-only and needs nothing', async () => {
    const world = overlaid(
      broken,
      SEARCH,
      { ...SEARCH, context_tool: 'recent', context_tool_args: {} },
      { ...SEARCH, context_tool: 'note', context_tool_args: {} },
      { ...SEARCH, context_tool_args: { query: '{project_name}' } },
    );
    await world.run('install', 'memo', ...FILE, '--yes', '--client', 'claude-code');
    installClients(world, { claude: '2.1.329' });
    const { code, stdout } = await world.run('doctor', '--check', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout).findings).toMatchObject([
      { code: 'doctor.tool-failed', server: 'memo', message: expect.stringContaining('the index is locked') },
    ]);
    const log = world.read('home/started.log').split('\n');
    expect(log.filter((line) => line.startsWith('called'))).toEqual([
      'called broken',
      'called search',
      'called recent',
    ]);
  });
});

it("the name by which a plugin's server is installed means this server, in matchers too", async () => {
  const world = makeWorld();
  const root = join(world.home, '.claude/plugins/cache/notes');
  const plugins = { 'notes@market': [{ installPath: root }] };
  world.write('home/.claude/plugins/installed_plugins.json', JSON.stringify({ plugins }));
  world.write('home/.claude/settings.json', JSON.stringify({ enabledPlugins: { 'notes@market': true } }));
  world.write('home/.claude/plugins/cache/notes/.claude-plugin/plugin.json', '{ "name": "notes" }');
  const silent = serverEntry(world.write('home/nothing.json', '[]'));
  world.write('home/.claude/plugins/cache/notes/.mcp.json', JSON.stringify({ mcpServers: { memo: silent } }));
  const matcher = { tool_name: 'mcp__memo__search' };
  const item = { event: 'post_tool_use', matcher, context: 'Found.', priority: 'suggestion' };
  const file = world.write('home/hooks.json', JSON.stringify(item));
  const { code, stderr } = await world.run('install', 'memo', '--declarations', file, '--no-check', '--yes');
  expect(code, stderr).toBe(0);
  expect(world.read('home/.claude/settings.json')).toContain('mcp__plugin_notes_memo__search');
});
