import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLIENTS } from '../../src/clients/index.ts';
import { LONG } from '../effort.ts';
import { cleanWorlds, makeWorld, serverEntry, type World } from './world.ts';

cleanWorlds();

const COMMIT = {
  event: 'post_tool_use',
  matcher: { tool_name: 'Bash', input_contains: 'git commit' },
  context: 'If you committed, note it.',
  priority: 'suggestion',
};

const EVERY = { event: 'pre_tool_use', context: 'A tool.', priority: 'required' };

interface Report {
  status: string;
  exit: number;
  declarations?: unknown[];
  warnings?: { code: string; n: number; where: string; message: string }[];
  clients?: { client: string; hooks: { n: number; fidelity: string }[] }[];
  faults: { code: string; where?: string }[];
}

async function lint(world: World, ...args: string[]): Promise<Report & { code: number | null }> {
  const { code, stdout } = await world.run('lint', '--json', ...args);
  const report = JSON.parse(stdout) as Report;
  expect(report.exit).toBe(code);
  return { ...report, code };
}

it.runIf(LONG)('names the place in the capabilities of a server, for faults and warnings', async () => {
  const world = makeWorld();
  const declare = (...declarations: object[]) =>
    world.write('home/declared.json', JSON.stringify({ declarations }));
  const hook = { event: 'pre_request', context: 'Hi.', priority: 'required' };
  const entry = serverEntry(declare(hook, { ...hook, event: 'nope' }));
  world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: entry } }));
  for (const command of [
    ['lint', 'memo'],
    ['install', 'memo', '--yes'],
  ])
    expect((await world.run(...command)).stderr).toMatch(
      /^mcphooks: capabilities\.[\w.]*hooks\.declarations\[1\]\.event: "nope" is not one/,
    );
  declare(hook);
  const { stdout } = await world.run('lint', 'memo', '--json');
  expect(JSON.parse(stdout).warnings).toContainEqual(
    expect.objectContaining({
      code: 'lint.required',
      where: expect.stringMatching(/^capabilities\.[\w.]*hooks\.declarations\[0\]/),
    }),
  );
});

it('advises a condition together with the place that takes one, and nothing about places where it stands', async () => {
  const world = makeWorld();
  const declarations = [
    { ...COMMIT, matcher: {}, context: 'You just committed.' },
    { ...COMMIT, matcher: { tool_name: 'Write|WebFetch' } },
    { ...COMMIT, matcher: { tool_name: 'WebFetch' } },
  ];
  const file = world.write('home/declared.json', JSON.stringify({ declarations }));
  world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: serverEntry(file) } }));
  const advice = async (target: string) => {
    const warnings = (await lint(world, target)).warnings ?? [];
    return warnings.map(({ code, message }) => [code, message.includes('Only capabilities.extensions["')]);
  };
  const codes = ['lint.every-tool', 'lint.untrue-when-failed', 'lint.not-a-glob', 'lint.tool-some'];
  expect(await advice('memo')).toEqual(codes.map((code) => [code, true]));
  expect(await advice(file)).toEqual(codes.map((code) => [code, false]));
  const extensions = { 'io.github.mcphooks/hooks': { declarations } };
  world.write('home/declared.json', JSON.stringify({ capabilities: { extensions } }));
  expect(await advice('memo')).toEqual(codes.map((code) => [code, false]));
});

describe('lint of a file', () => {
  it('says how each comes out on every client, with exit 0', async () => {
    const world = makeWorld();
    world.write('project/hooks.json', JSON.stringify({ hooks: { declarations: [COMMIT] } }));
    const before = world.files();
    const { code, status, warnings, clients } = await lint(world, 'hooks.json');
    expect([code, status, warnings]).toEqual([0, 'clean', []]);
    expect(clients?.map((c) => [c.client, c.hooks[0]?.fidelity])).toEqual(
      CLIENTS.map(({ id, events }) => [id, events.post_tool_use.fidelity]),
    );
    const { stdout, stderr } = await world.run('lint', 'hooks.json');
    expect(stdout).toContain('native');
    expect(stderr).toBe('');
    expect(world.files()).toEqual(before);
  });

  it('takes the name of a schema at the top of a file, and nothing else there', async () => {
    const world = makeWorld();
    const named = async (document: object) => {
      world.write('project/hooks.json', JSON.stringify(document));
      return (await lint(world, 'hooks.json')).code;
    };
    const declarations = [COMMIT];
    expect(await named({ $schema: 'declarations.json', declarations })).toBe(0);
    expect(await named({ $schema: 'declarations.json', hooks: { declarations } })).toBe(0);
    expect(await named({ hooks: { $schema: 'declarations.json', declarations } })).toBe(1);
    expect(await named({ $schema: 1, declarations })).toBe(1);
    expect(await named({ schema: 'declarations.json', declarations })).toBe(1);
  });

  it('warns with the place in the file, and exit 0', async () => {
    const world = makeWorld();
    world.write('project/hooks.json', JSON.stringify({ declarations: [COMMIT, EVERY] }, null, 2));
    const { code, status, warnings } = await lint(world, 'hooks.json');
    expect([code, status]).toEqual([0, 'warned']);
    expect(warnings?.map((w) => [w.code, w.n])).toEqual([
      ['lint.every-tool', 2],
      ['lint.required', 2],
    ]);
    expect(warnings?.[0]?.where).toMatch(/hooks\.json:13:16 declarations\[1\]\.event$/);
  });

  it('warns that a list is empty, as an install of it says', async () => {
    const world = makeWorld();
    for (const text of ['[]', '{"declarations":[]}', '{"hooks":{"declarations":[]}}']) {
      const file = world.write('project/hooks.json', text);
      const { code, status, warnings } = await lint(world, 'hooks.json');
      expect([code, status]).toEqual([0, 'warned']);
      expect(warnings).toEqual([
        { code: 'lint.none', where: expect.stringContaining(file), message: expect.any(String) },
      ]);
      const { stdout } = await world.run('lint', 'hooks.json');
      expect(stdout).toMatch(
        /^hooks\.json {2}no hooks, 1 warning\n {5}! its list of declarations is empty\n/,
      );
      expect((await world.run('lint', 'hooks.json', '--format', 'github')).stdout).toMatch(
        /^::warning file=/,
      );
    }
  });

  it('warns with the place in the file also where others are left out', async () => {
    const world = makeWorld();
    const bad = { event: 'pre_tool_use' };
    world.write('project/hooks.json', JSON.stringify({ declarations: [bad, COMMIT, EVERY] }, null, 2));
    const { warnings } = await lint(world, 'hooks.json', '--lenient');
    expect(warnings?.[0]?.where).toMatch(/hooks\.json:16:16 declarations\[2\]\.event$/);
  });

  it('lists every fault, with exit 1', async () => {
    const world = makeWorld();
    world.write(
      'project/hooks.json',
      JSON.stringify({
        declarations: [
          { ...COMMIT, event: 'postToolUse' },
          { ...COMMIT, contxt: 'x' },
        ],
      }),
    );
    const { code, status, faults } = await lint(world, 'hooks.json');
    expect([code, status]).toEqual([1, 'failed']);
    expect(faults.map((f) => f.code)).toEqual(['decl.choice', 'decl.unknown-key']);
    expect(faults[0]?.where).toMatch(/hooks\.json:1:\d+ declarations\[0\]\.event$/);
    const text = await world.run('lint', 'hooks.json');
    expect([text.code, text.stdout]).toEqual([1, '']);
    expect(text.stderr).toContain('post_tool_use');
  });

  it('tells of a file that is missing or no JSON', async () => {
    const world = makeWorld();
    world.write('project/bad.json', '{ "declarations": [,] }');
    expect((await lint(world, 'none.json')).faults[0]?.code).toBe('decl-file.unreadable');
    expect((await lint(world, './bad.json')).faults[0]).toMatchObject({ code: 'decl-file.syntax' });
  });

  it('obeys options: limits, clients, what is deferred', async () => {
    const world = makeWorld();
    const end = { event: 'session_end', context: 'The end.', priority: 'suggestion' };
    const write = (context: string): string =>
      world.write('project/hooks.json', JSON.stringify({ declarations: [{ ...end, context }] }));
    write('x'.repeat(8001));
    expect((await lint(world, 'hooks.json')).faults[0]?.code).toBe('decl.too-long');
    write('The end.');
    const { clients } = await lint(world, 'hooks.json', '--client', 'codex', '--session-end', 'defer');
    expect(clients?.map((c) => [c.client, c.hooks[0]?.fidelity])).toEqual([['codex', 'deferred']]);
  });
});

describe('lint of a server', () => {
  const declare = (world: World, ...declarations: object[]): string =>
    world.write('home/declared.json', JSON.stringify({ declarations }));

  it('knows its tools and its name', async () => {
    const world = makeWorld();
    const file = declare(
      world,
      { event: 'session_start', context_tool: 'note', priority: 'suggestion' },
      { ...COMMIT, matcher: { tool_server: 'declares' } },
      { ...COMMIT, matcher: { tool_server: 'other' } },
    );
    const { command, args } = serverEntry(file);
    const { code, warnings, clients } = await lint(world, 'memo', '--', command, ...args);
    expect(code).toBe(0);
    expect(warnings?.map((w) => [w.code, w.n])).toEqual([['lint.server-other', 3]]);
    expect(clients?.map((c) => c.hooks.map((h) => h.fidelity))).toEqual(
      CLIENTS.map(({ events }) => [
        events.session_start.fidelity,
        events.post_tool_use.fidelity,
        'unsupported',
      ]),
    );
  });

  it('finds a tool that does not exist, with exit 1', async () => {
    const world = makeWorld();
    const file = declare(world, { event: 'session_start', context_tool: 'notes', priority: 'suggestion' });
    const { command, args } = serverEntry(file);
    const { code, faults } = await lint(world, 'memo', '--', command, ...args);
    expect([code, faults[0]?.code]).toEqual([1, 'tool.missing']);
  });

  it.each([
    ['hooks', [], 'array: []'],
    ['hooks', [1], 'array: […]'],
    ['hooks', null, 'null\n'],
    ['experimental.hooks', 'x', 'string: "x"'],
  ])('says where in the capabilities a document is no object: %s %j', async (where, value, found) => {
    const world = makeWorld();
    const hooks = where === 'hooks' ? { hooks: value } : { experimental: { hooks: value } };
    const { command, args } = serverEntry(
      world.write('home/declared.json', JSON.stringify({ capabilities: hooks })),
    );
    const { code, faults } = await lint(world, 'memo', '--', command, ...args);
    expect([code, faults]).toMatchObject([1, [{ code: 'decl.type', where: `capabilities.${where}` }]]);
    const { stderr } = await world.run('lint', 'memo', '--', command, ...args);
    expect(stderr).toContain(`capabilities.${where}: expected object, found ${found}`);
  });

  it('goes through the gate', async () => {
    const world = makeWorld();
    const file = declare(world, COMMIT);
    const log = join(world.home, 'started');
    world.write('project/.mcp.json', JSON.stringify({ mcpServers: { memo: serverEntry(file, log) } }));
    const { code, faults } = await lint(world, 'memo');
    expect([code, faults[0]?.code]).toEqual([3, 'gate.project-start']);
    expect(Object.keys(world.files())).not.toContain('home/started');
  });

  it('says that a server declares none, with exit 4', async () => {
    const world = makeWorld();
    const { command, args } = serverEntry(join(world.home, 'none.json'));
    expect((await lint(world, 'memo', '--', command, ...args)).code).toBe(4);
  });
});

describe('lint of a file with a server', () => {
  const START = { event: 'session_start', context_tool: 'note', priority: 'suggestion' };

  /** A world with declarations in a file, and the words that start a server with the tool `note`. */
  function withFile(...declarations: object[]): { world: World; server: string[]; started: () => boolean } {
    const world = makeWorld();
    world.write('project/hooks.json', JSON.stringify({ declarations }, null, 1));
    const { command, args } = serverEntry(join(world.home, 'none.json'), join(world.home, 'started'));
    const started = (): boolean => Object.keys(world.files()).includes('home/started');
    return { world, server: ['--', command, ...args], started };
  }

  it('holds the file against the tools of the command, as with a name and --declarations', async () => {
    const { world, server, started } = withFile(COMMIT, { ...START, context_tool: 'notes' });
    const named = await lint(world, 'memo', '--declarations', 'hooks.json', ...server);
    const found = await lint(world, 'hooks.json', ...server);
    expect([found.code, found.faults]).toEqual([1, named.faults]);
    expect(found.faults).toMatchObject([{ code: 'tool.missing' }]);
    expect(found.faults[0]?.where).toMatch(/hooks\.json:\d+:\d+ declarations\[1\]\.context_tool$/);
    expect(started()).toBe(true);
  });

  it('finds nothing where the tools are there, and installs nothing', async () => {
    const { world, server } = withFile(COMMIT, START);
    const { code, status, clients } = await lint(world, 'hooks.json', ...server);
    expect([code, status, clients?.length]).toEqual([0, 'clean', CLIENTS.length]);
    expect(Object.keys(world.files()).filter((file) => file.includes('/mcphooks/'))).toEqual([]);
  });

  it.runIf(LONG)('reaches a URL, and says that nobody answers', async () => {
    const { world } = withFile(START);
    const { code, faults } = await lint(world, 'hooks.json', '--url', 'http://127.0.0.1:9/mcp');
    expect([code, faults[0]?.code]).toEqual([1, 'server.unreachable']);
  });

  it.each([
    ['a file', ['hooks.json']],
    ['a name and --declarations', ['memo', '--declarations', 'hooks.json']],
  ])('is no check where the server gives no tools, also of fixed texts: %s', async (_, words) => {
    const { world } = withFile({ ...COMMIT, context: '{tool:nots} keeps it.' });
    const dead = ['--', process.execPath, '-e', 'process.exit(7)'];
    const { code, status, faults } = await lint(world, ...words, ...dead);
    expect([code, status, faults[0]?.code]).toEqual([1, 'failed', 'server.died']);
    expect((await lint(world, ...words, '--no-check', ...dead)).code).toBe(0);
  });

  it('refuses a hook number that the file lacks', async () => {
    const world = makeWorld();
    world.write('project/hooks.json', JSON.stringify([COMMIT]));
    const { code, stderr } = await world.run('lint', 'hooks.json', '--only', '9');
    expect([code, stderr]).toEqual([1, expect.stringContaining('--only 9: the server has 1 hook')]);
  });

  it('takes one file only', async () => {
    const { world } = withFile(COMMIT);
    const { code, faults } = await lint(world, 'hooks.json', '--declarations', 'other.json');
    expect([code, faults[0]?.code]).toEqual([1, 'usage.exclusive']);
    expect((await lint(world, 'hooks.json', '--catalogue')).faults[0]?.code).toBe('usage.exclusive');
  });
});
