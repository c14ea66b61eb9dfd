import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { OUTPUTS } from '../../src/cli/json/outputs.ts';
import { stateText } from '../../src/messages/scan.ts';
import { LONG } from '../effort.ts';
import { WINDOWS } from '../platform.ts';
import { homeWithMemory, MEMORY, MEMORY_TOOLS, putPackage, startOf } from './catalogued.ts';
import { COMMIT, declare, homeWith, START, starts } from './home.ts';
import { atTerminal, hasTerminal } from './terminal.ts';
import { cleanWorlds, makeWorld, serverEntry, type World } from './world.ts';

cleanWorlds();

interface Row {
  alias: string;
  clients: string[];
  identity: string[];
  state: string;
  hooks?: number;
  entry?: string;
  installed: boolean;
  fault?: { code: string };
}

async function scanned(world: World, ...flags: string[]): Promise<Record<string, Omit<Row, 'alias'>>> {
  const { code, stdout } = await world.runAs({ folder: 'home' }, 'scan', '--json', ...flags);
  const document = JSON.parse(stdout);
  expect(OUTPUTS.scan.safeParse(document).error).toBeUndefined();
  expect([code, document.exit]).toEqual([0, 0]);
  const rows: Row[] = document.servers;
  return Object.fromEntries(rows.map(({ alias, ...row }) => [alias, row]));
}

/** Servers of every kind: two that are in the catalogue, and one each that declares, declares nothing and ends. */
function homeWithServers(): World {
  const world = homeWithMemory();
  const declares = world.write('home/theirs.json', JSON.stringify({ declarations: [COMMIT] }));
  const mcpServers = {
    memo: startOf(world, MEMORY, MEMORY_TOOLS),
    docs: { type: 'http', url: 'https://mcp.context7.com/mcp' },
    memory: { command: process.execPath, args: ['-e', ''] },
    theirs: serverEntry(declares),
    plain: serverEntry(''),
  };
  world.write('home/.claude.json', JSON.stringify({ mcpServers }));
  return world;
}

it('tells what each server is and what there is for it, and starts nothing', async () => {
  const world = homeWithServers();
  const before = world.files();
  expect(await scanned(world)).toEqual({
    memo: {
      clients: ['claude-code', 'gemini-cli'],
      identity: [`npm:${MEMORY}`],
      state: 'catalogue',
      hooks: expect.any(Number),
      entry: 'memory',
      installed: false,
    },
    docs: {
      clients: ['claude-code'],
      identity: ['url:https://mcp.context7.com/mcp'],
      state: 'catalogue',
      hooks: expect.any(Number),
      entry: 'context7',
      installed: false,
    },
    memory: { clients: ['claude-code'], identity: [], state: 'not-asked', installed: false },
    theirs: { clients: ['claude-code'], identity: [], state: 'not-asked', installed: false },
    plain: { clients: ['claude-code'], identity: [], state: 'not-asked', installed: false },
  });
  expect(starts(world)).toBe(0);
  expect(world.files()).toEqual(before);
  const { stdout, stderr } = await world.run('scan');
  expect(stdout.split('\n').filter(Boolean)).toHaveLength(5);
  expect(stdout).toMatch(
    /^memo +catalogue has \d hooks +Claude Code, Gemini CLI · npm:@modelcontextprotocol/m,
  );
  world.env.NO_COLOR = '1';
  expect((await world.runAs({ columns: 50 }, 'scan')).stdout).toMatch(
    /^memo +catalogue has \d hooks\n {4}Claude Code, Gemini CLI ·\n {4}npm:@modelcontextprotocol/m,
  );
  expect(stderr).toContain('mcphooks install docs');
  expect(stderr).toContain('To ask the servers whether they declare hooks: mcphooks scan --check');
});

it.runIf(LONG)('asks with --check', async () => {
  const world = homeWithServers();
  world.write(
    'home/.claude.json',
    world.read('home/.claude.json').replace('https://mcp.context7.com/mcp', 'http://127.0.0.1:9/mcp'),
  );
  const rows = await scanned(world, '--check', '--timeout', '20');
  expect(Object.fromEntries(Object.entries(rows).map(([alias, row]) => [alias, row.state]))).toEqual({
    memo: 'catalogue',
    docs: 'failed',
    memory: 'failed',
    theirs: 'declares',
    plain: 'none',
  });
  expect(rows.theirs?.hooks).toBe(1);
  expect(rows.docs?.fault?.code).toBe('server.unreachable');
  expect(rows.docs?.entry).toBeUndefined();
  declare(world, COMMIT);
  expect((await scanned(world, '--check')).memo).toMatchObject({ state: 'declares', hooks: 1 });
});

it('says that the hooks of a server are not valid', async () => {
  const world = homeWith({ event: 'pre_request' });
  const { stdout, stderr } = await world.run('scan', '--check');
  expect(stdout).toMatch(/^memo +could not be read /m);
  expect(stderr).toContain('capabilities.hooks.declarations[0]');
});

it.runIf(LONG)(
  'names the hooks that there are for a server that could not be reached, and no option that scan lacks',
  async () => {
    const world = homeWithMemory();
    world.write(`home/node_modules/${MEMORY}/index.mjs`, 'process.exit(3)');
    const { memo } = await scanned(world, '--check');
    expect(memo).toMatchObject({
      state: 'failed',
      hooks: 3,
      entry: 'memory',
      fault: { code: 'server.died' },
    });
    const { stdout, stderr } = await world.run('scan', '--check');
    expect(stdout).toMatch(/^memo +could not be reached .* · catalogue has 3 hooks$/m);
    expect(stderr).not.toContain('--allow-start');
  },
);

it('shows the beginning of a very long name, and makes no other row as long', async () => {
  const world = homeWithMemory();
  world.write('.mcp.json', JSON.stringify({ mcpServers: { ['x'.repeat(3000)]: serverEntry('') } }));
  const { stdout } = await world.run('scan');
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines.filter((line) => line.length > 300)).toEqual([]);
});

it("names a client's file that can't be read, and lists the servers of the others", async () => {
  const world = homeWithMemory();
  world.write('home/.gemini/settings.json', '{"mcpServers": {');
  const { code, stdout, stderr } = await world.run('scan');
  expect([code, stdout]).toEqual([0, expect.stringContaining('memo')]);
  expect(stderr).toMatch(/\.gemini[/\\]settings\.json:1:\d+/);
  const { faults } = JSON.parse((await world.run('scan', '--json')).stdout);
  expect(faults).toMatchObject([{ where: expect.stringContaining('settings.json:1') }]);
});

it('says once what is wrong with a file that matters for several servers', async () => {
  const world = homeWithServers();
  putPackage(world, 'other');
  const start = startOf(world, 'other', '');
  world.write('project/.git/HEAD', '');
  world.write('project/.mcp.json', JSON.stringify({ mcpServers: { one: start, two: start } }));
  world.write('project/.mcphooks/catalogue/bad/entry.json', '{');
  world.write('project/.mcphooks/catalogue/bad/hooks.json', '[]');
  const { stdout, stderr } = await world.run('scan');
  expect(stdout).toMatch(/^one +could not be read /m);
  expect(stderr.match(/entry\.json/g)).toHaveLength(1);
  expect(stderr).toContain('one, two: ');
});

it.runIf(LONG).each([
  ['entry of a project', 'scan'],
  ['package', 'scan'],
  ['package', 'catalogue verify'],
])('a large %s is read once for many servers by %s', async (what, command) => {
  const world = makeWorld();
  putPackage(world, 'large', { filler: Array(1_000_000).fill('x') }, 'project');
  const folder = join(world.project, 'node_modules/large');
  world.write('project/.git/HEAD', '');
  const about = { version: '1', checked: 'docs', reviewed: '2026-01-01', serverName: 'm', tools: {} };
  const entry = { title: 'x', match: { npm: ['another'] }, ...about, start: Array(300_000).fill('x') };
  if (what !== 'package') world.write('project/.mcphooks/catalogue/e/entry.json', JSON.stringify(entry));
  if (what !== 'package') world.write('project/.mcphooks/catalogue/e/hooks.json', '[]');
  const took = async (servers: number): Promise<number> => {
    const start = (n: number) =>
      what === 'package'
        ? { command: 'node', args: [join(folder, 'index.mjs'), `${n}`] }
        : { command: 'npx', args: ['-y', `some-${n}`] };
    const all = Array.from({ length: servers }, (_, n) => [`s${n}`, start(n)]);
    world.write('project/.mcp.json', JSON.stringify({ mcpServers: Object.fromEntries(all) }));
    const before = performance.now();
    await world.run(...command.split(' '));
    return performance.now() - before;
  };
  await took(1);
  const one = await took(1);
  // Windows takes longer to look for the files of 40 servers; to read a large one 40 times takes longer still.
  expect(await took(40)).toBeLessThan(5 * one + (WINDOWS ? 800 : 300));
});

it('finds the hooks of a package in the folder in which npx keeps it', async () => {
  const world = makeWorld();
  const spec = 'memo-mcp@1.0.0';
  world.write(
    'home/.claude.json',
    JSON.stringify({ mcpServers: { memo: { command: 'npx', args: ['-y', spec] } } }),
  );
  const cache = WINDOWS ? 'AppData/Local/npm-cache' : '.npm';
  const hash = createHash('sha512').update(spec).digest('hex').slice(0, 16);
  const folder = `home/${cache}/_npx/${hash}/node_modules/memo-mcp`;
  world.write(
    `${folder}/package.json`,
    JSON.stringify({ name: 'memo-mcp', version: '1.0.0', mcphooks: 'hooks.json' }),
  );
  world.write(`${folder}/hooks.json`, JSON.stringify([START]));
  const { servers } = JSON.parse((await world.run('scan', '--json')).stdout);
  expect(servers).toMatchObject([{ alias: 'memo', state: 'package' }]);
});

it('does not start what a project defines, and says why', async () => {
  const world = makeWorld();
  world.write('project/.git/HEAD', '');
  putPackage(world, MEMORY, {}, 'project');
  const args = [`node_modules/${MEMORY}/index.mjs`, '', 'started.log'];
  world.write('project/.mcp.json', JSON.stringify({ mcpServers: { memo: { command: 'node', args } } }));
  const { code, stdout } = await world.run('scan', '--check', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout).servers[0]).toMatchObject({
    state: 'failed',
    fault: { code: 'gate.project-start' },
  });
  expect(Object.keys(world.files())).not.toContain('project/started.log');
  expect((await world.run('scan', '--check')).stderr).toMatch(
    /: mcphooks install memo --allow-start [0-9a-f]{64}$/m,
  );
  expect((await world.run('scan')).stdout).toContain('catalogue has');
});

it.runIf(LONG)('knows what is installed, and shows one name for two servers twice', async () => {
  const world = homeWithMemory();
  world.write(
    'home/.gemini/settings.json',
    JSON.stringify({ mcpServers: { memo: { command: 'npx', args: ['-y', 'other'] } } }),
  );
  await world.runAs({ folder: 'home' }, 'install', 'memo', '--catalogue', '--from', 'claude-code', '--yes');
  const { stdout } = await world.run('scan', '--json');
  expect(JSON.parse(stdout).servers).toMatchObject([
    { alias: 'memo', identity: [`npm:${MEMORY}`], installed: true },
    { alias: 'memo', identity: ['npm:other'], installed: true },
  ]);
});

it('calls no other server of a project installed because of its name', async () => {
  const world = homeWithMemory();
  await world.runAs({ folder: 'home' }, 'install', 'memo', '--catalogue', '--yes');
  world.write('project/.git/HEAD', '');
  world.write(
    'project/.mcp.json',
    JSON.stringify({ mcpServers: { memo: { command: 'touch', args: ['x'] } } }),
  );
  const { servers } = JSON.parse((await world.run('scan', '--json')).stdout);
  expect(servers).toMatchObject([
    { identity: [], installed: false, state: 'not-asked' },
    { identity: [`npm:${MEMORY}`], installed: true },
  ]);
});

it('shows a server that all files of a project define alike in one row', async () => {
  const world = makeWorld();
  const mcpServers = {
    memo: { command: 'node', args: ['memo.mjs'] },
    other: { command: 'node', args: ['a'] },
  };
  world.write('project/.mcp.json', JSON.stringify({ mcpServers }));
  const differs = { ...mcpServers, other: { command: 'node', args: ['b'] } };
  world.write('project/.gemini/settings.json', JSON.stringify({ mcpServers: differs }));
  const hooks = world.write('project/hooks.json', JSON.stringify({ declarations: [COMMIT] }));
  const rows = async () => {
    const { stdout } = await world.run('scan', '--json');
    const { servers } = JSON.parse(stdout) as { servers: Row[] };
    return servers.map(({ alias, clients, installed }) => [alias, clients.join(), installed]);
  };
  const others = [
    ['other', 'claude-code', false],
    ['other', 'gemini-cli', false],
  ];
  expect(await rows()).toEqual([['memo', 'claude-code,gemini-cli', false], ...others]);
  const install = ['install', 'memo', '--scope', 'project', '--declarations', hooks, '--no-check', '--yes'];
  expect(await world.run(...install, '--client', 'gemini-cli,claude-code')).toMatchObject({ code: 0 });
  expect(await rows()).toEqual([['memo', 'claude-code,gemini-cli', true], ...others]);
});

it('says so where there are no servers, and install without a name needs one', async () => {
  const world = makeWorld();
  expect(await world.run('scan')).toMatchObject({ code: 0, stdout: '' });
  expect((await world.run('install')).code).toBe(1);
  expect((await world.runAs({ says: true }, 'install')).code).toBe(1);
});

test.runIf(LONG && hasTerminal)(
  'install without a name offers them at a terminal',
  { timeout: 60_000 },
  async () => {
    const world = homeWithMemory();
    const { code, lines } = await atTerminal(
      world,
      100,
      ['install'],
      [
        ["Which server's hooks?", '\r'],
        ['declares no hooks', 'y\n'],
        ['Write this?', 'y\r'],
      ],
    );
    expect(lines.join('\n')).toContain("'memory'");
    expect(lines.filter((line) => line.includes('[y/N]') && line.length > 100)).toEqual([]);
    expect(code).toBe(0);
    expect(JSON.parse(world.read('home/.local/state/mcphooks/record.json')).servers[0].from.entry).toBe(
      'memory',
    );
  },
);

it('tells a server that is still being installed from one that can not be reached', () => {
  const state = (code: string) => stateText({ state: 'failed', fault: { code } });
  expect([state('server.installing'), state('server.died')]).toEqual([
    'is being installed',
    'could not be reached',
  ]);
});
