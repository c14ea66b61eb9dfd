import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { propose } from '../../src/app/declarations/propose.ts';
import { parseDeclarations } from '../../src/declarations/parse.ts';
import { reasonText } from '../../src/messages/init.ts';
import { LONG } from '../effort.ts';
import { homeWith, starts } from './home.ts';
import { cleanWorlds, makeWorld, serverEntry, type World } from './world.ts';

cleanWorlds();

const atHome = (world: World, ...words: string[]) => world.runAs({ folder: 'home' }, ...words);

it('proposes hooks by plain rules: pure JSON on stdout, the reasons on stderr', async () => {
  const world = homeWith();
  const { code, stdout, stderr } = await atHome(world, 'init', 'memo');
  expect(code).toBe(0);
  const { declarations } = JSON.parse(stdout);
  // `recent` only reads and needs nothing, `search` searches, `note` stores.
  expect(declarations).toMatchObject([
    { event: 'session_start', context_tool: 'recent' },
    { event: 'session_start', context: expect.stringContaining('{tool:search}') },
    {
      event: 'post_tool_use',
      when: { command: ['git', 'commit'] },
      context: expect.stringContaining('{tool:note}'),
    },
  ]);
  for (const reason of ["hook 1: 'recent' is read-only", "hook 2: 'search'", "hook 3: 'note'"])
    expect(stderr).toContain(reason);
});

it('writes a new file that passes lint and installs, and overwrites none', async () => {
  const world = homeWith();
  expect(await atHome(world, 'init', 'memo', '-o', 'hooks.json')).toMatchObject({ code: 0, stdout: '' });
  const lint = await atHome(world, 'lint', 'memo', '--declarations', 'hooks.json', '--json');
  expect(JSON.parse(lint.stdout)).toMatchObject({ faults: [], warnings: [] });
  expect((await atHome(world, 'lint', './hooks.json')).code).toBe(0);
  expect((await atHome(world, 'install', 'memo', '--declarations', 'hooks.json', '--yes')).code).toBe(0);
  const before = readFileSync(join(world.home, 'hooks.json'), 'utf8');
  const asked = starts(world);
  const { code, stderr } = await atHome(world, 'init', 'memo', '-o', 'hooks.json');
  expect(code).toBe(1);
  expect(stderr).toContain('hooks.json: the file exists already');
  expect(stderr).toContain('Name another, or remove this one.');
  // The server is not started in vain.
  expect(starts(world)).toBe(asked);
  expect(readFileSync(join(world.home, 'hooks.json'), 'utf8')).toBe(before);
});

it.runIf(LONG)('says how to install what it proposes for a server that no client has', async () => {
  const world = homeWith();
  const { command, args } = JSON.parse(world.read('home/.claude.json')).mcpServers.memo;
  const { stderr } = await atHome(world, 'init', 'new', '-o', 'hooks.json', '--', command, ...args);
  const words = /mcphooks (install new --declarations hooks.json -- .*)/.exec(stderr)?.[1] ?? '';
  expect(words.replace(/'$/, '').endsWith(args.at(-1))).toBe(true);
  const installs = words.split(' ').map((one) => one.replace(/^'|'$/g, ''));
  const [before, after] = [installs.slice(0, installs.indexOf('--')), installs.slice(installs.indexOf('--'))];
  expect((await atHome(world, ...before, '--yes', ...after)).code).toBe(0);
});

describe('of any tools', () => {
  const tool = (name: string) => ({ name, inputSchema: {} });
  const ofTools = (names: readonly string[], server = 'memo') => propose(server, names.map(tool));

  it('takes a thing in a name for no verb', () => {
    const reasons = (...names: string[]) => ofTools(names).map(({ reason, tools }) => [reason, ...tools]);
    expect(reasons('delete_log', 'get_note', 'listRecords', 'search_replace')).toEqual([
      ['other', 'delete_log', 'get_note', 'listRecords'],
    ]);
    expect(reasons('linear_createIssue', 'notes-add', 'linear_searchIssues')).toEqual([
      ['search', 'linear_searchIssues'],
      ['store', 'linear_createIssue', 'notes-add'],
    ]);
  });

  it('quotes each name in its reason', () => {
    expect(reasonText(1, 'other', ['q', 'w'])).toContain("no rule fits its tools ('q' and 'w')");
    expect(reasonText(2, 'search', ['find'])).toMatch(/^hook 2: 'find' searches, .* know about it before it/);
  });

  it('speaks of several tools in the plural', () => {
    const names = ['find', 'look'];
    expect(reasonText(2, 'search', names)).toMatch(/^hook 2: 'find' and 'look' search, .* know about them /);
    expect(reasonText(3, 'store', names)).toMatch(/^hook 3: 'find' and 'look' add or store something/);
  });

  it.each([
    ['odd names', ['a b', '{x}', 'search\u202e', 'add"', 'find', 'notes/add']],
    ['500 tools', Array.from({ length: 500 }, (_, i) => `search_${'x'.repeat(110)}${i}`)],
    ['a name without end', [`add_${'x'.repeat(9000)}`, 'add']],
  ])('%s: what is proposed holds no fault and no unknown template', (_, names) => {
    const proposed = ofTools(names, 'my {tool} "server"').map(({ declaration }) => declaration);
    const limits = { allowInvisible: false, lenient: false, when: true };
    expect(parseDeclarations({ declarations: proposed }, limits).declarations).toHaveLength(proposed.length);
    for (const { context = '' } of proposed)
      expect(context.replace(/\{tool:[\w.-]{1,128}\}/g, '')).not.toMatch(/[{}]/);
    expect(proposed).not.toEqual([]);
  });

  it('none is proposed where no name can stand in a text', () => {
    expect(ofTools(['a b', '{x}'])).toEqual([]);
    expect(ofTools([])).toEqual([]);
  });
});

it.runIf(LONG)(
  'says so where there is nothing to propose from, and for a server that nobody knows',
  async () => {
    const world = makeWorld();
    const silent = world.write(
      'home/silent.mjs',
      `process.stdin.on('data', (d) => { for (const l of String(d).trim().split('\\n')) { const { id, method } = JSON.parse(l);
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(method === 'initialize'
        ? { result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '1' } } }
        : { error: { code: -32601, message: 'no' } }) })); } });`,
    );
    const { code, stderr } = await atHome(world, 'init', 'silent', '--', process.execPath, silent);
    expect([code, stderr]).toEqual([1, expect.stringContaining('lists no tools')]);
    expect((await atHome(world, 'init', 'nobody')).code).toBe(1);
    const none = await atHome(world, 'install', 'silent', '--', process.execPath, silent, '--token', 'a b');
    expect(none.code).toBe(4);
    const reached = ` -- ${process.execPath} ${silent} --token '***'`;
    expect(none.stderr).toContain(`'mcphooks init silent -o hooks.json${reached}' proposes`);
    expect(none.stderr).toContain(`'mcphooks install silent --declarations hooks.json${reached}' installs`);
  },
);

it('starts nothing that a project defines without a yes', async () => {
  const world = makeWorld();
  world.write('project/.git/HEAD', '');
  const log = join(world.home, 'log');
  world.write('project/.mcp.json', JSON.stringify({ mcpServers: { memo: serverEntry('', log) } }));
  expect((await world.run('init', 'memo')).code).toBe(3);
  expect(Object.keys(world.files())).not.toContain('home/log');
});
