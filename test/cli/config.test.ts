import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LONG } from '../effort.ts';
import { cleanWorlds, makeWorld, serverEntry, type World } from './world.ts';

cleanWorlds();

const COMMIT = {
  event: 'post_tool_use',
  matcher: { tool_name: 'Bash' },
  context: 'You committed.',
  priority: 'required',
};
const END = { event: 'session_end', context: 'The end.', priority: 'suggestion' };

/** A home in which Claude Code knows the servers `memo` and `other`, both with the same hooks. */
function worldWith(config: unknown): World {
  const world = makeWorld();
  const file = world.write('home/declared.json', JSON.stringify({ declarations: [COMMIT, END] }));
  const entry = serverEntry(file);
  world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: entry, other: entry } }));
  if (config !== undefined) configure(world, config);
  return world;
}

const configure = (world: World, config: unknown): string =>
  world.write(
    'home/.config/mcphooks/config.json',
    typeof config === 'string' ? config : JSON.stringify(config, null, 2),
  );

interface Planned {
  exit: number;
  plan: { clients: { client: string; hooks: { fidelity: string; notes: { code: string }[] }[] }[] };
  faults: { code: string; where: string }[];
}

async function plan(world: World, ...args: string[]): Promise<Planned> {
  return JSON.parse((await world.run('install', '--dry-run', '--json', ...args)).stdout);
}

const clientsOf = (p: Planned): string[] => p.plan.clients.map((c) => c.client);
const fidelities = (p: Planned): string[] | undefined => p.plan.clients[0]?.hooks.map((h) => h.fidelity);
const isLowered = (p: Planned): boolean | undefined =>
  p.plan.clients[0]?.hooks[0]?.notes.some((n) => n.code === 'priority.lowered');

function options(world: World, server = 'memo'): Record<string, unknown> {
  const record = JSON.parse(world.read('home/.local/state/mcphooks/record.json'));
  return record.servers.find((s: { server: string }) => s.server === server).options;
}

it('a mistake is reported once by list and diff, whichever servers need the file', async () => {
  const world = worldWith({});
  for (const server of ['memo', 'other'])
    await world.run('install', server, '--yes', '--client', 'claude-code');
  configure(world, '{ bad');
  const { stderr } = await world.run('list');
  expect(stderr.match(/config\.json:1:3/g)).toHaveLength(1);
  expect(JSON.parse((await world.run('list', '--json')).stdout).faults).toHaveLength(1);
  for (const offline of [[], ['--offline']]) {
    const compared = await world.run('diff', ...offline);
    expect([compared.code, compared.stderr.match(/config\.json:1:3/g)]).toEqual([1, ['config.json:1:3']]);
    expect(JSON.parse((await world.run('diff', '--json', ...offline)).stdout).faults).toHaveLength(1);
  }
});

it('a mistake changes no hook for list, which still sees what does', async () => {
  const world = worldWith({ cooldown: 5 });
  const own = ['--yes', '--client', 'claude-code,codex', '--max-priority', 'required'];
  expect(await world.run('install', 'memo', ...own)).toMatchObject({ code: 0 });
  const states = async (): Promise<string[]> => {
    const { servers } = JSON.parse((await world.run('list', '--json')).stdout);
    return servers[0].clients.map(({ state }: { state: string }) => state);
  };
  const before = await states();
  configure(world, '{ bad');
  expect([before[0], await states()]).toEqual(['current', before]);
  world.write('home/.claude/settings.json', '{}');
  expect(await states()).toEqual(['missing', before[1]]);
});

describe("the user's defaults", () => {
  it('stand where no option does', async () => {
    const world = worldWith({
      clients: ['codex', 'gemini-cli'],
      'session-end': 'defer',
      'max-priority': 'required',
    });
    const planned = await plan(world, 'memo');
    expect(clientsOf(planned)).toEqual(['codex', 'gemini-cli']);
    expect(fidelities(planned)).toEqual(['native', 'deferred']);
    expect(isLowered(planned)).toBe(false);
  });

  it('yield to options', async () => {
    const world = worldWith({ clients: ['codex'], 'session-end': 'defer', 'max-priority': 'required' });
    const planned = await plan(
      world,
      'memo',
      ...['--client', 'gemini-cli', '--session-end', 'skip', '--max-priority', 'suggestion'],
    );
    expect(clientsOf(planned)).toEqual(['gemini-cli']);
    expect(fidelities(planned)).toEqual(['native', 'unsupported']);
    expect(isLowered(planned)).toBe(true);
  });

  it('can be set for one server', async () => {
    const world = worldWith({
      'session-end': 'defer',
      servers: { memo: { 'session-end': 'skip' } },
    });
    expect(fidelities(await plan(world, 'memo'))).toEqual(['native', 'unsupported']);
    expect(fidelities(await plan(world, 'other'))).toEqual(['native', 'deferred']);
  });

  it.runIf(LONG)('yield to what an earlier install was told, and reach what it was not told', async () => {
    const world = worldWith({ cooldown: 7 });
    expect((await world.run('install', 'memo', '--yes', '--session-end', 'skip')).code).toBe(0);
    expect(options(world)).toMatchObject({ cooldown: 7, sessionEnd: 'skip' });
    expect((await world.run('diff')).code).toBe(0);
    configure(world, { cooldown: 9, 'session-end': 'defer' });
    expect((await world.run('diff')).code).toBe(2);
    expect((await world.run('install', 'memo', '--yes')).code).toBe(0);
    expect(options(world)).toMatchObject({ cooldown: 9, sessionEnd: 'skip' });
    expect((await world.run('install', 'memo', '--yes', '--cooldown', '0')).code).toBe(0);
    expect((await world.run('diff')).code).toBe(0);
    expect(options(world)).toMatchObject({ cooldown: 0 });
    expect((await world.run('install', 'memo', '--yes', '--reset')).code).toBe(0);
    expect(options(world)).toMatchObject({ cooldown: 9, sessionEnd: 'defer' });
  });

  it('never add a client to what diff compares', async () => {
    const world = worldWith(undefined);
    expect((await world.run('install', 'memo', '--yes')).code).toBe(0);
    configure(world, { clients: ['codex'] });
    expect((await world.run('diff')).code).toBe(0);
  });

  it('are read where XDG_CONFIG_HOME says', async () => {
    const world = worldWith({ clients: ['codex'] });
    world.env.XDG_CONFIG_HOME = join(world.home, 'elsewhere');
    expect(clientsOf(await plan(world, 'memo'))).toEqual(['claude-code']);
    world.write('home/elsewhere/mcphooks/config.json', '{"clients": ["gemini-cli"]}');
    expect(clientsOf(await plan(world, 'memo'))).toEqual(['gemini-cli']);
  });
});

// [text, codes with line:column and path]
const BAD: [string, string[]][] = [
  ['{ "clients": [], }', ['config.syntax :1:18']],
  ['[]', ['config.value :1:1']],
  ['{\n  "cooldwn": 3\n}', ['config.key :2:14 cooldwn']],
  [
    '{\n  "cooldown": -1,\n  "session-end": "late"\n}',
    ['config.value :3:18 session-end', 'config.value :2:15 cooldown'],
  ],
  [
    '{ "cooldown": "3", "clients": ["emacs"] }',
    ['config.value :1:32 clients[0]', 'config.value :1:15 cooldown'],
  ],
  ['{ "clients": [] }', ['config.value :1:14 clients']],
  ['{ "servers": { "memo": { "client": [] } } }', ['config.key :1:36 servers.memo.client']],
  ['{ "servers": { "memo": { "servers": {} } } }', ['config.key :1:37 servers.memo.servers']],
  ['{ "cooldown": -1e20 }', ['config.value :1:15 cooldown']],
  ['{ "cooldown": 1e20 }', ['config.value :1:15 cooldown']],
  ['{ "hook-timeout": 2.5 }', ['config.value :1:19 hook-timeout']],
  ['{ "max-text": 9000 }', ['config.retired :1:15 max-text']],
  [
    '{ "servers": { "memo": { "max-declarations": 9 } } }',
    ['config.retired :1:46 servers.memo.max-declarations'],
  ],
  ['{ "send-tool-data": true }', ['config.key :1:21 send-tool-data']],
  ['\ud800', ['config.syntax :1:1']],
  ['{ "cooldown": 1, "cooldown": 2 }', ['config.syntax :1:18']],
];

describe('a configuration that is not as its schema says', () => {
  it.each(BAD)('%s', async (text, expected) => {
    const world = worldWith(text);
    const file = join(world.home, '.config/mcphooks/config.json');
    const before = world.files();
    const { exit, faults } = await plan(world, 'memo');
    expect(exit).toBe(1);
    expect(faults.map((f) => `${f.code} ${f.where.replace(file, '')}`).sort()).toEqual([...expected].sort());
    expect(world.files()).toEqual(before);
  });
});
