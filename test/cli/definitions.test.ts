import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALL, LONG, sample } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { slashed } from '../platform.ts';
import { homeWith, START } from './home.ts';
import { cleanWorlds, madeOnce, makeWorld, serverEntry, type World } from './world.ts';

cleanWorlds();
installsNodeHere({ servers: true });

const CLAUDE = 'home/.claude.json';
const CODEX = 'home/.codex/config.toml';
const GEMINI = 'home/.gemini/settings.json';
const RECORD = 'home/.local/state/mcphooks/record.json';
const CLIENTS = ['claude-code', 'codex', 'gemini-cli'];
const PROMPT = { event: 'pre_request', context_tool: 'note', priority: 'important' };

/** Puts a server that logs its starts to `<name>.log` into a client's file, in place of what stood there. */
const define = {
  'claude-code': (world: World, name: string) =>
    edit(world, CLAUDE, (config) => ({ ...config, mcpServers: { memo: logging(world, name) } })),
  'gemini-cli': (world: World, name: string) =>
    edit(world, GEMINI, (config) => ({ ...config, mcpServers: { memo: logging(world, name) } })),
  codex: (world: World, name: string) => {
    const { command, args } = logging(world, name);
    const table = `[mcp_servers.memo]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;
    const text = world.read(CODEX).replace(/\[mcp_servers\.memo\]\n(?:\w+ = .*\n)*/, '');
    world.write(CODEX, `${table}${text}`);
  },
};

const remove = {
  'claude-code': (world: World) => edit(world, CLAUDE, (config) => ({ ...config, mcpServers: {} })),
  'gemini-cli': (world: World) => edit(world, GEMINI, (config) => ({ ...config, mcpServers: {} })),
  codex: (world: World) =>
    world.write(CODEX, world.read(CODEX).replace(/\[mcp_servers\.memo\]\n(?:\w+ = .*\n)*/, '')),
};

const logging = (world: World, name: string) =>
  serverEntry(join(world.home, 'declared.json'), join(world.home, `${name}.log`));

function edit(world: World, path: string, change: (config: object) => object): void {
  world.write(path, JSON.stringify(change(JSON.parse(world.read(path).replaceAll('/* mine */', '')))));
}

/** Whether the hook of each client gave what its tool answers. */
async function gives(world: World): Promise<Record<string, boolean>> {
  const { stdout } = await world.run('fire', 'memo', 'pre_request', '--json');
  const { clients } = JSON.parse(stdout) as { clients: { client: string }[] };
  return Object.fromEntries(clients.map((one) => [one.client, JSON.stringify(one).includes('noted')]));
}

const givesOn = (...clients: string[]): Record<string, boolean> =>
  Object.fromEntries(CLIENTS.map((id) => [id, clients.includes(id)]));

const starts = (world: World, name: string): number =>
  (world.files()[`home/${name}.log`] ?? '').split('\n').filter((line) => line === 'called note').length;

interface Stated {
  clients: { client: string; state: string }[];
}

let turn = 0;

/**
 * What diff, list and install --dry-run say of the three clients; throws where they don't say the same. Without
 * MCPHOOKS_TEST=all each time every other one is asked.
 */
async function verdict(world: World): Promise<{ exit: number; states: string }> {
  const said = await Promise.all(
    sample(
      [
        ['diff', 'memo'],
        ['diff', '--offline'],
        ['install', 'memo', '--dry-run'],
        ['list'],
        ['list', '--check'],
      ],
      2,
      turn++,
    ).map(async (command) => {
      const { code, stdout } = await world.run(...command, '--json');
      const document = JSON.parse(stdout) as { servers?: (Stated & { plan?: Stated })[]; plan?: Stated };
      const [server] = document.servers ?? [];
      const clients = command[0] === 'list' ? server?.clients : (server?.plan ?? document.plan)?.clients;
      const states = (clients ?? []).map((c) => c.state.replace('untrusted', 'current')).join(' ');
      return { exit: command[0] === 'list' ? (states.includes('changed') ? 2 : 0) : code, states };
    }),
  );
  for (const one of said) expect(one).toEqual(said[0]);
  return said[0] as { exit: number; states: string };
}

/** The commands that `diff` names as what to do. */
async function remedies(world: World): Promise<string[]> {
  const { stdout } = await world.run('diff', 'memo');
  return [...stdout.matchAll(/mcphooks ((?:install|uninstall) memo(?: --[\w-]+(?: [\w-]+)?)*)/g)].map(
    ([, command = '']) => command,
  );
}

async function installed(prepare: (world: World) => void = () => {}, ...flags: string[]): Promise<World> {
  const world = homeWith(PROMPT, START);
  prepare(world);
  expect(await world.run('install', 'memo', '--yes', ...flags)).toMatchObject({ code: 0 });
  expect(await verdict(world)).toEqual({ exit: 0, states: 'current current current' });
  return world;
}

const asItIs = madeOnce(() => installed());

describe('with one definition in all clients,', () => {
  it.runIf(LONG).each(sample(CLIENTS, 3))(
    'hooks go on where the server is removed from %s',
    async (client) => {
      const world = await asItIs();
      remove[client as 'codex'](world);
      expect(await gives(world)).toEqual(givesOn(...CLIENTS));
      const states = CLIENTS.map((id) => (id === client ? 'changed' : 'current')).join(' ');
      expect(await verdict(world)).toEqual({ exit: 2, states });
      const [command] = await remedies(world);
      expect(command).toBe('install memo');
      expect(await world.run(...(command ?? '').split(' '), '--yes')).toMatchObject({ code: 0 });
      expect(await verdict(world)).toEqual({ exit: 0, states: 'current current current' });
      expect(await gives(world)).toEqual(givesOn(...CLIENTS));
    },
  );

  it.runIf(LONG)('nothing differs when it is put back', async () => {
    const world = await asItIs();
    const before = world.read(CLAUDE);
    remove['claude-code'](world);
    await world.run('install', 'memo', '--yes');
    world.write(CLAUDE, before);
    expect(await verdict(world)).toEqual({ exit: 0, states: 'current current current' });
  });

  it.runIf(LONG)('hooks are silent where it is removed from all, and say so', async () => {
    const world = await asItIs();
    for (const client of CLIENTS) remove[client as 'codex'](world);
    expect(await gives(world)).toEqual(givesOn());
    expect(world.read('home/.local/state/mcphooks/hooks.log')).toContain('definition.missing');
    const { code, stdout } = await world.run('diff', 'memo');
    expect([code, stdout]).toEqual([2, expect.stringContaining('mcphooks uninstall memo')]);
    expect(stdout).not.toContain('mcphooks install memo');
    const again = await world.run('install', 'memo', '--yes');
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("no server named 'memo'") });
    expect(again.stderr).not.toContain('Did you mean');
    expect((await world.run('list', '--json')).stdout.match(/"state": "changed"/g)).toHaveLength(3);
  });

  it.runIf(LONG)(
    'install of one that no client has any more says that its hooks are there and how to take them out',
    async () => {
      const world = await asItIs();
      for (const client of CLIENTS) remove[client as 'codex'](world);
      const { code, stderr } = await world.run('install', 'memo', '--dry-run');
      expect([code, stderr]).toEqual([2, expect.stringContaining("'mcphooks uninstall memo'")]);
      expect(stderr).toContain('its hooks are still installed');
      expect((await world.run('install', 'nobody', '--dry-run')).code).toBe(1);
      // The hooks may be as approved: another definition was asked for.
      for (const other of [['--reset'], ['--from', 'codex']])
        expect((await world.run('install', 'memo', '--dry-run', ...other)).code).toBe(1);
    },
  );

  it.each<[string, (world: World) => void, string, place?: string]>([
    ['removed', remove['claude-code'], 'the server is no longer in this file'],
    ['the file is removed', (world) => rmSync(join(world.home, '.claude.json')), 'this file is gone'],
    [
      'the file is damaged',
      (world) => world.write(CLAUDE, '{\n  "mcpServers": oops\n}'),
      "this file can't be read",
      ':2:17',
    ],
    [
      'its entry names no program',
      (world) => edit(world, CLAUDE, () => ({ mcpServers: { memo: { type: 'stdio' } } })),
      "the server's entry in this file can't be used",
    ],
  ])('what befell it is said: %s', async (_, change, sentence, place = '') => {
    const world = await asItIs();
    for (const client of ['codex', 'gemini-cli'] as const) remove[client](world);
    change(world);
    const { stdout } = await world.run('diff', 'memo', '--offline');
    const lines = stdout.split('\n');
    const at = lines.findIndex((line) => line.includes('memo on Claude Code:'));
    expect(lines[at]).toContain(`memo on Claude Code: ${sentence};`);
    expect(slashed(lines[at + 1] ?? '').trim()).toBe(`~/.claude.json${place}`);
  });

  it('an entry that is switched off is said to be so', async () => {
    const world = await asItIs();
    for (const client of ['claude-code', 'gemini-cli'] as const) remove[client](world);
    world.write(
      CODEX,
      world.read(CODEX).replace('[mcp_servers.memo]\n', '[mcp_servers.memo]\nenabled = false\n'),
    );
    const { stdout } = await world.run('diff', 'memo', '--offline');
    expect(stdout).toContain('memo on Codex: the server is switched off in this file');
    expect(stdout).toContain('switch it on there, or mcphooks uninstall memo');
  });

  it.runIf(LONG)(
    'a server that a list of its only client has off is not asked, which diff, doctor and scan say',
    async () => {
      const world = homeWith(START);
      for (const client of ['claude-code', 'codex'] as const) remove[client](world);
      expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
      edit(world, GEMINI, (config) => ({ ...config, mcp: { excluded: ['memo'] } }));
      const diff = await world.run('diff', 'memo');
      expect([diff.code, diff.stdout]).toEqual([0, expect.stringContaining('memo: as installed')]);
      expect(slashed(diff.stderr)).toMatch(
        /\/settings\.json: 'memo' is switched off in Gemini CLI, so it was not asked; what was approved is used/,
      );
      const doctor = await world.run('doctor', 'memo');
      expect(doctor.stdout).toContain('the client has this server switched off, but its hooks are on');
      expect(doctor.stdout).toContain('mcphooks disable memo turns them off in all clients');
      await world.run('disable', 'memo');
      expect((await world.run('doctor', 'memo')).stdout).not.toContain('its hooks are on');
      await world.run('enable', 'memo');
      const scan = await world.run('scan');
      expect([scan.stdout, scan.stderr]).toEqual([
        '',
        expect.stringContaining('memo is switched off in Gemini CLI'),
      ]);
      expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 1 });
    },
  );

  it.runIf(LONG).each([true, false])(
    'one that is off, once that is accepted, is nothing to write again: alike %s',
    async (alike) => {
      const world = homeWith(PROMPT, START);
      if (!alike) for (const client of CLIENTS) define[client as 'codex'](world, client);
      await world.run('install', 'memo', '--yes', '--from', 'codex');
      world.write(
        CODEX,
        world.read(CODEX).replace('[mcp_servers.memo]\n', '[mcp_servers.memo]\nenabled = false\n'),
      );
      const files = async (): Promise<string[]> => {
        expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
        return Object.entries(world.files()).flatMap(([path, text]) =>
          path.endsWith('.log') ? [] : path + text,
        );
      };
      expect(await files()).toEqual(await files());
    },
  );

  it.runIf(LONG)(
    'a changed definition that its client has off can be approved where nothing is started for that',
    async () => {
      const world = homeWith();
      for (const client of ['claude-code', 'codex'] as const) remove[client](world);
      world.write('home/overlay.json', JSON.stringify({ declarations: [PROMPT] }));
      const file = join(world.home, 'overlay.json');
      const install = ['install', 'memo', '--declarations', file, '--no-check', '--yes'];
      expect(await world.run(...install)).toMatchObject({ code: 0 });
      define['gemini-cli'](world, 'other');
      edit(world, GEMINI, (config) => ({ ...config, mcp: { excluded: ['memo'] } }));
      for (const flags of [[], ['--offline']]) {
        const { code, stdout } = await world.run('diff', 'memo', ...flags);
        expect(code).toBe(2);
        expect(stdout).toMatch(/^ +- .*started\.log'?$/m);
        expect(stdout).toMatch(/^ +\+ .*other\.log'?$/m);
      }
      expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 3 });
      expect(await world.run('install', 'memo', '--yes', '--accept-changed')).toMatchObject({ code: 0 });
      for (const flags of [[], ['--offline']])
        expect(await world.run('diff', 'memo', ...flags)).toMatchObject({ code: 0 });
      expect(starts(world, 'other')).toBe(0);
    },
  );

  it.runIf(LONG)("a file of another client is named as that client's", async () => {
    const world = await installed(
      (before) => remove['claude-code'](before),
      '--client',
      ...['claude-code', '--client', 'codex', '--client', 'gemini-cli'],
    );
    for (const client of ['codex', 'gemini-cli'] as const) remove[client](world);
    const { stdout } = await world.run('diff', 'memo', '--offline');
    expect(stdout).toContain(
      'memo on Claude Code: the server is no longer in this file (its hooks use the definition from Codex)',
    );
    expect(stdout).toContain('memo on Codex: the server is no longer in this file;');
  });

  it.runIf(LONG).each(sample(CLIENTS, 3, 1))(
    'only the hooks of %s are silent where its definition changes',
    async (client) => {
      const world = await asItIs();
      define[client as 'codex'](world, 'other');
      expect(await gives(world)).toEqual(givesOn(...CLIENTS.filter((id) => id !== client)));
      expect(starts(world, 'other')).toBe(0);
      const log = world.read('home/.local/state/mcphooks/hooks.log');
      expect(log).toMatch(new RegExp(`definition.changed.*"${client}"|"${client}".*definition.changed`));
      const states = CLIENTS.map((id) => (id === client ? 'changed' : 'current')).join(' ');
      expect(await verdict(world)).toEqual({ exit: 2, states });
      const [command] = await remedies(world);
      expect(command).toBe('install memo');
      expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 3 });
      expect(await world.run('install', 'memo', '--yes', '--accept-changed')).toMatchObject({ code: 0 });
      expect(await verdict(world)).toEqual({ exit: 0, states: 'current current current' });
      expect(await gives(world)).toEqual(givesOn(...CLIENTS));
      expect(starts(world, 'other')).toBeGreaterThan(0);
    },
  );

  it.runIf(ALL)('a client that gets the server later uses its own, once that is approved', async () => {
    const world = await installed((w) => remove.codex(w), '--client', CLIENTS.join(','));
    expect(await gives(world)).toEqual(givesOn(...CLIENTS));
    define.codex(world, 'later');
    expect(await gives(world)).toEqual(givesOn('claude-code', 'gemini-cli'));
    expect(await verdict(world)).toEqual({ exit: 2, states: 'current changed current' });
    await world.run('install', 'memo', '--yes', '--accept-changed');
    expect(await gives(world)).toEqual(givesOn(...CLIENTS));
    expect(starts(world, 'later')).toBe(1);
  });

  it.runIf(ALL)('another file of the user that comes to hold the approved definition will do', async () => {
    const world = await installed(
      (w) => {
        remove.codex(w);
        remove['gemini-cli'](w);
        w.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: logging(w, 'moved') } }));
      },
      '--client',
      CLIENTS.join(','),
    );
    remove['claude-code'](world);
    expect(await gives(world)).toEqual(givesOn());
    define.codex(world, 'moved');
    expect(await gives(world)).toEqual(givesOn(...CLIENTS));
    expect(await verdict(world)).toEqual({ exit: 2, states: 'changed current current' });
  });
});

describe('where clients define it differently,', () => {
  const differing = madeOnce(() =>
    installed(
      (world) => {
        define.codex(world, 'codex');
        define['gemini-cli'](world, 'gemini');
      },
      '--from',
      'claude-code',
    ),
  );

  it.runIf(LONG)('install asks whose to ask, shows each, and each client uses its own', async () => {
    const world = homeWith(PROMPT);
    define.codex(world, 'codex');
    expect(await world.run('install', 'memo', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--from <client>'),
    });
    const { stdout, code } = await world.run('install', 'memo', '--yes', '--from', 'gemini-cli');
    expect(code).toBe(0);
    expect(stdout).toMatch(/server +Claude Code, Gemini CLI: .*started\.log'?\n +Codex: .*codex\.log'?\n/);
    expect(await gives(world)).toEqual(givesOn(...CLIENTS));
    expect(starts(world, 'codex')).toBe(1);
    expect(starts(world, 'started')).toBe(2);
  });

  it.runIf(LONG)('an install for one client alone takes its own', async () => {
    const world = homeWith(PROMPT);
    define.codex(world, 'codex');
    expect((await world.run('install', 'memo', '--client', 'codex', '--yes')).code).toBe(0);
    expect(world.files()).toHaveProperty(['home/codex.log']);
    expect(world.files()).not.toHaveProperty(['home/started.log']);
    for (const command of [
      ['diff'],
      ['diff', '--offline'],
      ['install', 'memo', '--client', 'codex', '--yes'],
    ])
      expect((await world.run(...command)).code, command.join(' ')).toBe(0);
  });

  it.runIf(LONG)('only those of chosen clients count', async () => {
    const world = homeWith(PROMPT);
    define.codex(world, 'codex');
    const some = ['--client', 'claude-code,gemini-cli'];
    for (const command of [['install', '--yes'], ['lint'], ['explain'], ['diff']])
      expect(await world.run(...command, 'memo', ...some), command.join(' ')).toMatchObject({ code: 0 });
    expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
    expect(await world.run('install', 'memo', '--yes', '--reset')).toMatchObject({ code: 1 });
    expect(world.files()).not.toHaveProperty(['home/codex.log']);
  });

  it('those of chosen clients are told where they differ', async () => {
    const world = homeWith(PROMPT);
    define['gemini-cli'](world, 'gemini');
    const { code, stderr } = await world.run('lint', 'memo', '--client', 'claude-code,gemini-cli');
    expect([code, stderr.match(/^ {2}[\w-]+ \(user/gm)]).toEqual([
      1,
      ['  claude-code (user', '  gemini-cli (user'],
    ]);
  });

  it.runIf(ALL)('one of them is as good as any other where the own one is gone', async () => {
    const world = await differing();
    remove['claude-code'](world);
    expect(await gives(world)).toEqual(givesOn(...CLIENTS));
    expect(await verdict(world)).toEqual({ exit: 2, states: 'changed current current' });
    expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
    expect(await verdict(world)).toEqual({ exit: 0, states: 'current current current' });
    expect(await gives(world)).toEqual(givesOn(...CLIENTS));
  });

  it.runIf(LONG)('a changed one concerns its own client', async () => {
    const world = await differing();
    define['gemini-cli'](world, 'evil');
    expect(await gives(world)).toEqual(givesOn('claude-code', 'codex'));
    expect(await verdict(world)).toEqual({ exit: 2, states: 'current current changed' });
    remove.codex(world);
    expect(await gives(world)).toEqual(givesOn('claude-code', 'codex'));
    expect(starts(world, 'evil')).toBe(0);
  });
});

it.runIf(LONG)("a project's file never serves in place of the user's own", async () => {
  const world = await installed(
    (w) => {
      remove.codex(w);
      remove['gemini-cli'](w);
    },
    '--client',
    CLIENTS.join(','),
  );
  mkdirSync(join(world.project, '.git'));
  const { mcpServers } = JSON.parse(world.read(CLAUDE));
  remove['claude-code'](world);
  const servers = JSON.stringify({ mcpServers });
  world.write('project/.mcp.json', servers);
  world.write('project/.gemini/settings.json', servers);
  expect(await gives(world)).toEqual(givesOn());
  expect((await world.run('diff', '--offline')).code).toBe(2);
});

it.runIf(LONG)("a plugin's server is one of the user's own files", async () => {
  const world = homeWith(PROMPT);
  const { mcpServers } = JSON.parse(world.read(CLAUDE));
  remove['claude-code'](world);
  const root = join(world.home, '.claude/plugins/cache/notes');
  world.write(
    'home/.claude/plugins/installed_plugins.json',
    JSON.stringify({
      plugins: { 'notes@market': [{ installPath: root }] },
    }),
  );
  world.write('home/.claude/settings.json', JSON.stringify({ enabledPlugins: { 'notes@market': true } }));
  world.write('home/.claude/plugins/cache/notes/.claude-plugin/plugin.json', '{ "name": "notes" }');
  world.write('home/.claude/plugins/cache/notes/.mcp.json', JSON.stringify({ mcpServers }));
  expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
  remove.codex(world);
  expect(await gives(world)).toEqual(givesOn(...CLIENTS));
  remove['gemini-cli'](world);
  expect(await gives(world)).toEqual(givesOn(...CLIENTS));
  expect(await verdict(world)).toEqual({ exit: 2, states: 'current changed changed' });
  world.write('home/.claude/plugins/cache/notes/.mcp.json', '{}');
  expect(await gives(world)).toEqual(givesOn());
});

it.runIf(ALL)('a record that remembers one definition alone is read as before', async () => {
  const world = await asItIs();
  const record = JSON.parse(world.read(RECORD));
  expect(record.servers[0].otherDefinitions).toHaveLength(2);
  delete record.servers[0].otherDefinitions;
  world.write(RECORD, JSON.stringify(record));
  expect(await verdict(world)).toEqual({ exit: 0, states: 'current current current' });
  remove['claude-code'](world);
  expect(await verdict(world)).toEqual({ exit: 2, states: 'changed current current' });
  expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
  expect(await gives(world)).toEqual(givesOn(...CLIENTS));
});

it.runIf(LONG)(
  'a project whose clients came to differ is told to name one, with a command that works',
  async () => {
    const world = makeWorld();
    mkdirSync(join(world.project, '.git'));
    const define = (file: string, arg: string): string =>
      world.write(file, JSON.stringify({ mcpServers: { memo: { command: 'memo-server', args: [arg] } } }));
    for (const file of ['project/.mcp.json', 'project/.gemini/settings.json']) define(file, 'one');
    world.write(
      'project/hooks.json',
      JSON.stringify([{ event: 'pre_request', context: 'Look.', priority: 'important' }]),
    );
    const hooks = ['--declarations', 'hooks.json', '--no-check', '--client', 'claude-code,gemini-cli'];
    expect(await world.run('install', '--scope', 'project', 'memo', ...hooks, '--yes')).toMatchObject({
      code: 0,
    });
    // Hooks stand in the same file.
    const alter = (file: string, from: string, to: string): string =>
      world.write(file, world.read(file).replace(`"${from}"`, `"${to}"`));
    const install = 'mcphooks install --scope project memo';
    const refusals = [
      ['fire', 'memo', 'pre_request', '--scope', 'project'],
      ['install', 'memo', '--scope', 'project', '--frozen', '--yes'],
    ];
    const said = async (): Promise<(string | undefined)[]> => {
      const views = [
        ['list'],
        ['doctor'],
        ['diff', '--scope', 'project', '--offline'],
        ['diff', '--scope', 'project', '--offline', '--format', 'markdown'],
      ];
      const printed: string[] = [];
      for (const view of views) printed.push((await world.run(...view)).stdout);
      for (const refused of refusals) printed.push((await world.run(...refused)).stderr);
      return printed.map((text) => /mcphooks install[^:`'\n]*/.exec(text)?.[0]);
    };
    alter('project/.mcp.json', 'one', 'two');
    expect(await said()).toEqual(Array(6).fill(`${install} --from claude-code`));
    alter('project/.gemini/settings.json', 'one', 'two');
    expect(await said()).toEqual(Array(6).fill(install));
    alter('project/.gemini/settings.json', 'two', 'one');
    const done = await world.run(
      ...`${install} --from claude-code`.split(' ').slice(1),
      '--yes',
      '--accept-changed',
    );
    expect(done.code, done.stderr).toBe(0);
    expect(await world.run('diff', '--scope', 'project', '--offline')).toMatchObject({ code: 0 });
  },
);

describe('a definition that moves between one project and all', () => {
  const ON_CLAUDE = ['--client', 'claude-code'];
  const place = {
    user: (world: World) => edit(world, CLAUDE, () => ({ mcpServers: { memo: logging(world, 'started') } })),
    local: (world: World) =>
      edit(world, CLAUDE, () => ({
        projects: { [world.project]: { mcpServers: { memo: logging(world, 'started') } } },
      })),
  };
  const allowed = async (world: World, ...args: string[]) => {
    const hash = /--allow-start ([0-9a-f]{64})/.exec((await world.run(...args, '--dry-run')).stderr)?.[1];
    return world.run(...args, '--yes', ...(hash ? ['--allow-start', hash] : []));
  };
  const onClaude = async (world: World) => (await gives(world))['claude-code'];

  it.each(
    LONG
      ? ([
          ['local', 'user'],
          ['user', 'local'],
        ] as const)
      : ([['user', 'local']] as const),
  )('is to be approved at its new place: %s to %s', async (before, after) => {
    const world = homeWith(PROMPT);
    remove.codex(world);
    remove['gemini-cli'](world);
    place[before](world);
    expect(await allowed(world, 'install', 'memo', ...ON_CLAUDE)).toMatchObject({ code: 0 });
    place[after](world);
    const { servers } = JSON.parse((await world.run('list', '--json')).stdout);
    expect(servers[0].clients[0].state).toBe('changed');
    expect(JSON.stringify(servers[0])).toContain('doctor.definition.changed');
    expect(await world.run('diff', '--offline')).toMatchObject({ code: 2 });
    expect(await allowed(world, 'install', 'memo')).toMatchObject({ code: 3 });
    expect(await allowed(world, 'install', 'memo', '--accept-changed')).toMatchObject({ code: 0 });
    expect(await onClaude(world)).toBe(true);
    expect(await world.run('diff')).toMatchObject({ code: 0 });
  });

  it.runIf(LONG)('is to be approved where another client has it for one project now', async () => {
    const world = homeWith(PROMPT);
    remove['claude-code'](world);
    remove['gemini-cli'](world);
    expect(await world.run('install', 'memo', '--yes', ...ON_CLAUDE)).toMatchObject({ code: 0 });
    remove.codex(world);
    place.local(world);
    expect(await world.run('diff', '--offline')).toMatchObject({ code: 2 });
  });
});
