import { existsSync, mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLIENT_IDS } from '../../src/clients/client.ts';
import { clientById } from '../../src/clients/index.ts';
import { LONG, sample } from '../effort.ts';
import { COMMIT, homeWith, START } from './home.ts';
import { cleanWorlds, type World } from './world.ts';

cleanWorlds();

const FIRST = 'claude-code';
const PROMPT = { event: 'pre_request', context: 'Keep answers short.', priority: 'suggestion' };
const install = (world: World, ...clients: string[]) =>
  world.run('install', 'memo', '--client', clients.join(), '--yes');
const record = 'home/.local/state/mcphooks/record.json';

/** All files, without what the record holds of times and of the server itself. */
const files = (world: World): Record<string, string> => {
  const { 'home/started.log': _, ...all } = world.files();
  const text = (all[record] ?? '').replace(/"\d{4}-\d\d-\d\dT[^"]*"|("check": )"\w+"/g, '$1""');
  return { ...all, [record]: text.replace(/,\s*"ownTools": \[[^\]]*\]/, '') };
};

describe('uninstall --client', () => {
  it.each(
    sample(
      CLIENT_IDS.filter((id) => id !== FIRST),
      LONG ? 3 : 7,
    ),
  )('leaves all but %s as it was', async (id) => {
    const world = homeWith(COMMIT, START, PROMPT);
    expect(await install(world, FIRST)).toMatchObject({ code: 0 });
    const before = files(world);
    expect(await install(world, id)).toMatchObject({ code: 0 });
    expect(files(world)).not.toEqual(before);

    expect(await world.run('uninstall', 'memo', '--client', id, '--dry-run')).toMatchObject({ code: 2 });
    const { code, stdout } = await world.run('uninstall', 'memo', '--client', id);
    expect(code).toBe(0);
    expect(stdout).toContain(clientById(id).title);
    expect(files(world)).toEqual(before);
    expect(await world.run('diff')).toMatchObject({ code: 0 });

    const again = await world.run('uninstall', 'memo', '--client', id);
    expect(again).toMatchObject({ code: 0 });
    expect(again.stderr).toBe(`Nothing to do: 'memo' is not installed for ${clientById(id).title}.\n`);
  });

  it.runIf(LONG)('leaves scripts that running sessions of another client use', async () => {
    const world = homeWith(PROMPT);
    await install(world, FIRST);
    await world.run('install', 'memo', '--client', FIRST, '--cooldown', '5', '--yes');
    const before = world.files();
    expect(await world.run('uninstall', 'memo', '--client', 'codex')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Nothing to do'),
    });
    expect(world.files()).toEqual(before);
    expect(await world.run('uninstall', 'memo', '--client', FIRST)).toMatchObject({ code: 0 });
    expect(existsSync(join(world.home, '.local/share/mcphooks'))).toBe(false);
  });

  it.runIf(LONG)('with all clients leaves nothing', async () => {
    const world = homeWith(COMMIT, START);
    const before = world.files();
    await install(world, ...CLIENT_IDS);
    expect(await world.run('uninstall', 'memo', '--client', CLIENT_IDS.join())).toMatchObject({ code: 0 });
    const { 'home/started.log': _, ...rest } = world.files();
    expect(rest).toEqual(before);
  });

  it.runIf(LONG)('keeps another server of a joint entry', async () => {
    const world = homeWith(COMMIT, PROMPT);
    world.write('home/.copilot/mcp-config.json', '{"mcpServers":{}}');
    for (const id of ['memo', 'other'])
      expect(
        await world.run(
          'install',
          id,
          '--client',
          'copilot,claude-code',
          '--declarations',
          `${world.home}/declared.json`,
          '--no-check',
          '--yes',
        ),
      ).toMatchObject({ code: 0 });
    expect(await world.run('uninstall', 'memo', '--client', 'copilot')).toMatchObject({ code: 0 });
    expect(await world.run('diff')).toMatchObject({ code: 0 });
    const { servers } = JSON.parse((await world.run('list', '--json')).stdout);
    expect(servers.map((s: { clients: { client: string }[] }) => s.clients.map((c) => c.client))).toEqual([
      ['claude-code'],
      ['claude-code', 'copilot'],
    ]);
  });
});

it('leaves what other servers need, also where the record is lost', async () => {
  const world = homeWith(PROMPT);
  await install(world, 'claude-code');
  const runtimes = () => Object.keys(world.files()).filter((path) => path.includes('/mcphooks/runtime/'));
  const before = runtimes();
  expect(before).not.toEqual([]);
  rmSync(join(world.home, '.local/state/mcphooks/record.json'));
  await world.run('uninstall', 'another');
  expect(runtimes()).toEqual(before);
  expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
  expect(runtimes()).toEqual([]);
});

it('leaves nothing of ours for a folder beside the hooks that holds no hook script', async () => {
  const world = homeWith(PROMPT);
  await install(world, 'claude-code');
  rmSync(join(world.home, '.local/state/mcphooks/record.json'));
  const mine = 'home/.local/share/mcphooks/hooks/notes/mine.txt';
  world.write(mine, 'A note.');
  expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
  expect(Object.keys(world.files()).filter((path) => path.includes('/share/mcphooks/'))).toEqual([mine]);
});

it.each(['copilot', 'opencode'])('--edited shows no file of %s that nobody edited', async (client) => {
  const world = homeWith(PROMPT);
  await install(world, client);
  const path = Object.keys(world.files()).find((name) => /\/mcphooks(-memo)?\.js/.test(name)) as string;
  const shown = async () => (await world.run('uninstall', 'memo', '--edited', '--dry-run')).stdout;
  expect(await shown()).not.toMatch(/^ +-/m);
  world.write(path, world.read(path).replace(/"(timeout\w*)": ?\d+/, '"$1": 11'));
  expect(await shown()).toMatch(/^ +-.*"timeout\w*": ?11/m);
});

it.runIf(LONG)('says that edits can’t be told apart where the record is lost', async () => {
  const world = homeWith(PROMPT);
  await install(world, 'gemini-cli');
  const settings = 'home/.gemini/settings.json';
  world.write(settings, world.read(settings).replace('"timeout": 10000', '"timeout": 11000'));
  const says = /Without a record, mcphooks can't tell which of these entries were edited/;
  const uninstall = async (...more: string[]) =>
    (await world.run('uninstall', 'memo', ...more)).stdout.replace(/\s+/g, ' ');
  expect(await uninstall('--dry-run')).not.toMatch(says);
  rmSync(join(world.home, '.local/state/mcphooks/record.json'));
  expect((await world.run('diff')).stderr.replace(/\s+/g, ' ')).toContain(
    "uninstall memo --client gemini-cli --edited' shows and removes them, edited or not",
  );
  expect(await uninstall('--dry-run')).toMatch(says);
  expect(await uninstall('--edited', '--dry-run')).not.toMatch(says);
  expect(await uninstall()).toMatch(says);
  expect(world.files()[settings] ?? '').not.toContain('11000');
});

it.runIf(LONG)(
  'removes all hooks also where the record is lost, but no entry that was edited and left',
  async () => {
    const world = homeWith(PROMPT);
    const before = world.files();
    await install(world, 'codex', 'gemini-cli');
    const { 'home/.gemini/settings.json': gemini = '' } = world.files();
    const edited = gemini.replace('"timeout": 10000', '"timeout": 11000');
    world.write('home/.gemini/settings.json', edited);
    await world.run('uninstall', 'memo');
    const left = world.read('home/.gemini/settings.json');
    expect(left).toContain('11000');
    await world.run(
      'install',
      'other',
      '--declarations',
      world.write('home/other.json', JSON.stringify({ declarations: [PROMPT] })),
      '--no-check',
      '--yes',
      '--client',
      'codex',
    );
    rmSync(join(world.home, '.local/state/mcphooks/record.json'));
    expect(await world.run('uninstall', '--all', '--dry-run')).toMatchObject({ code: 2 });
    expect(await world.run('uninstall', '--all')).toMatchObject({ code: 0 });
    expect(world.read('home/.gemini/settings.json')).toBe(left);
    expect(world.read('home/.codex/config.toml')).toBe(before['home/.codex/config.toml']);
    expect((await world.run('uninstall', '--all')).stderr.replace(/\s+/g, ' ')).toContain(
      '--edited removes them',
    );
    expect(await world.run('uninstall', '--all', '--edited')).toMatchObject({ code: 0 });
    expect(world.read('home/.gemini/settings.json')).not.toContain('11000');
    await install(world, 'claude-code');
    await world.run('install', 'memo', '--target', 'plugin', '--client', 'claude-code', '--yes');
    rmSync(join(world.home, '.local/state/mcphooks/record.json'));
    expect(await world.run('uninstall', '--all')).toMatchObject({ code: 0 });
    const { 'home/started.log': _, 'home/other.json': __, ...rest } = world.files();
    expect(Object.keys(rest)).toEqual(Object.keys(before));
  },
);

it.runIf(LONG).each(['droid', 'cursor'])(
  'puts an edited entry back that others need, with --edited: %s',
  async (client) => {
    const world = homeWith(PROMPT);
    const file = world.write('home/hooks.json', JSON.stringify({ declarations: [PROMPT] }));
    const installs = (name: string) =>
      world.run('install', name, '--client', client, '--declarations', file, '--no-check', '--yes');
    for (const name of ['memo', 'other']) expect(await installs(name)).toMatchObject({ code: 0 });
    const states = async () => {
      const { servers } = JSON.parse((await world.run('list', '--json')).stdout);
      return servers.map((s: { clients: { state: string }[] }) => s.clients.map(({ state }) => state).join());
    };
    const before = await states();
    expect(before).not.toContain('edited');
    const { clients } = JSON.parse(world.read(record)).servers[0];
    const hooks = clients[client].file.slice(join(world.home, '..').length + 1);
    const text = world.read(hooks);
    world.write(hooks, text.replace(/("timeout(?:Sec)?": )\d+/g, '$177'));
    expect(world.read(hooks)).not.toBe(text);
    expect(await states()).toEqual(['edited', 'edited']);
    expect(await world.run('uninstall', 'memo', '--edited')).toMatchObject({ code: 0 });
    expect(await states()).toEqual(before.slice(1));
    expect(await installs('memo')).toMatchObject({ code: 0 });
    expect(world.read(hooks)).toBe(text);
    expect(await states()).toEqual(before);
  },
);

it.runIf(LONG)('says of an entry for all servers that it serves none', async () => {
  const world = homeWith(PROMPT);
  await install(world, 'droid');
  const file = 'home/.factory/settings.json';
  world.write(file, world.read(file).replace('"timeout": 30', '"timeout": 33'));
  await world.run('uninstall', 'memo');
  for (const command of ['list', 'diff', 'doctor']) {
    const { stdout, stderr } = await world.run(command);
    expect(stdout + stderr).toMatch(/an entry for all servers.*serves none now/);
    expect(stdout + stderr).not.toContain('adopts');
    expect(stdout + stderr).toContain('mcphooks uninstall joint --client droid --edited');
  }
  expect(await world.run('uninstall', 'joint', '--client', 'droid', '--edited')).toMatchObject({ code: 0 });
  expect(await world.run('diff')).toMatchObject({ code: 0 });
});

it('of one client leaves the scripts of others, also where the record is lost', async () => {
  const world = homeWith(PROMPT);
  await install(world, 'claude-code', 'codex', 'cursor');
  const before = Object.keys(world.files()).filter((path) => /mcphooks.(?:hooks|joint|runtime)/.test(path));
  rmSync(join(world.home, '.local/state/mcphooks/record.json'));
  expect(await world.run('uninstall', '--all', '--client', 'codex')).toMatchObject({ code: 0 });
  const after = Object.keys(world.files());
  expect(before.filter((path) => !after.includes(path) && !path.includes('/codex/'))).toEqual([]);
  expect(world.read('home/.codex/config.toml')).not.toContain('/mcphooks/');
  expect(after.filter((path) => path.includes('/codex/') && path.includes('mcphooks'))).toEqual([]);
});

it.runIf(LONG)('of one client leaves a disabled server disabled', async () => {
  const world = homeWith(PROMPT);
  await install(world, 'claude-code', 'codex', 'cursor');
  await world.run('disable', 'memo');
  const disabledFiles = Object.keys(world.files()).filter((path) => path.endsWith('/disabled'));
  expect(disabledFiles).not.toEqual([]);
  for (const client of ['cursor', 'codex']) {
    expect(await world.run('uninstall', 'memo', '--client', client)).toMatchObject({ code: 0 });
    expect(Object.keys(world.files()).filter((path) => path.endsWith('/disabled'))).toEqual(disabledFiles);
  }
  expect((await world.run('fire', 'memo', 'pre_request', '--client', 'claude-code')).stdout).not.toContain(
    'Keep',
  );
  expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
  expect(Object.keys(world.files()).filter((path) => path.includes('mcphooks'))).toEqual([]);
});

it.runIf(LONG)('takes a plugin along from a folder that a variable no longer names', async () => {
  const world = homeWith(PROMPT);
  const before = Object.keys(world.files());
  const plugin = () => world.run('install', 'memo', '--client', 'claude-code', '--target', 'plugin', '--yes');
  expect(await plugin()).toMatchObject({ code: 0 });
  world.env.CLAUDE_CONFIG_DIR = join(world.home, 'work');
  const { command, args } = JSON.parse(world.read('home/.claude.json')).mcpServers.memo;
  world.write('home/work/.claude.json', JSON.stringify({ mcpServers: { memo: { command, args } } }));
  expect(await plugin()).toMatchObject({ code: 0 });
  expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
  const left = Object.keys(world.files()).filter((path) => !/started\.log$|work\/\.claude\.json$/.test(path));
  expect(left).toEqual(before);
});

it.runIf(LONG)(
  "leaves what the user has in a plugin's hook file in another folder, and folders that only a forged record names",
  async () => {
    const world = homeWith(PROMPT);
    const plugin = () =>
      world.run('install', 'memo', '--client', 'claude-code', '--target', 'plugin', '--yes');
    await plugin();
    const hooks = 'home/.claude/skills/mcphooks-memo/hooks/hooks.json';
    const mine = [{ hooks: [{ type: 'command', command: 'mine' }] }];
    const file = JSON.parse(world.read(hooks));
    world.write(hooks, JSON.stringify({ ...file, hooks: { ...file.hooks, Notification: mine } }));
    world.env.CLAUDE_CONFIG_DIR = join(world.home, 'work');
    world.write('home/work/.claude.json', world.read('home/.claude.json'));
    await plugin();
    const precious = world.write('home/src/mcphooks/hooks/zz/0123456789abcdef/codex/precious', 'mine');
    mkdirSync(join(world.home, 'empty/a'), { recursive: true });
    const forged = JSON.parse(world.read(record));
    forged.servers[0].clients['claude-code'].otherFiles.push({
      file: join(world.home, 'hooks/hooks.json'),
      entries: [],
    });
    world.write(record, JSON.stringify(forged));
    expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
    expect(JSON.parse(world.read(hooks)).hooks).toEqual({ Notification: mine });
    expect([existsSync(precious), existsSync(join(world.home, 'empty/a'))]).toEqual([true, true]);
  },
);

it.runIf(LONG)(
  'leaves nothing of a disabled server, client by client, also where the record is lost',
  async () => {
    const world = homeWith(PROMPT);
    await install(world, 'claude-code', 'codex');
    await world.run('disable', 'memo');
    rmSync(join(world.home, '.local/state/mcphooks/record.json'));
    for (const client of ['claude-code', 'codex'])
      expect(await world.run('uninstall', 'memo', '--client', client)).toMatchObject({ code: 0 });
    expect(Object.keys(world.files()).filter((path) => path.includes('/mcphooks/'))).toEqual([]);
  },
);

it('is named where an update brings only hooks that no client can do', async () => {
  const world = homeWith(PROMPT);
  await install(world, 'claude-code');
  world.write('home/declared.json', JSON.stringify({ declarations: [{ ...PROMPT, event: 'session_end' }] }));
  const { code, stderr } = await world.run('install', 'memo', '--yes', '--accept-changed');
  expect([code, stderr]).toEqual([1, expect.stringContaining("'mcphooks uninstall memo'")]);
});

it.runIf(LONG)('leaves what the user has beside the hooks in a file of ours', async () => {
  const world = homeWith(PROMPT);
  world.write('home/.copilot/mcp-config.json', '{"mcpServers":{}}');
  const file = 'home/.copilot/hooks/mcphooks.json';
  for (const hooks of [{}, { agentStop: [{ type: 'command', bash: 'echo' }] }]) {
    world.write(file, JSON.stringify({ version: 1, note: 'mine', hooks }));
    await install(world, 'copilot');
    const { hooks: all, ...rest } = JSON.parse(world.read(file));
    world.write(file, JSON.stringify({ ...rest, hooks: { ...all, agentStop: [] } }));
    rmSync(join(world.home, '.local/state/mcphooks/record.json'));
    expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
    expect(JSON.parse(world.read(file))).toMatchObject({ version: 1, note: 'mine' });
  }
});

it.runIf(LONG)('says why an empty group stays before other hooks', async () => {
  const world = homeWith(PROMPT);
  await install(world, 'codex');
  const file = 'home/.codex/config.toml';
  const own = '\n[[hooks.UserPromptSubmit]]\nhooks = [{ type = "command", command = "true" }]\n';
  world.write(file, `${world.read(file)}${own}`);
  const { code, stdout } = await world.run('uninstall', 'memo');
  expect(code).toBe(0);
  expect(world.read(file)).toContain('x-mcphooks');
  expect(stdout.replace(/\s+/g, ' ')).toContain('an empty group stays before other hooks: Codex stores');
  expect((await world.run('uninstall', 'memo')).stdout).not.toContain('empty group');
});

it('tells of no empty group that a later removal of the same command takes away', async () => {
  const world = homeWith(PROMPT);
  await install(world, 'codex');
  const other = [
    'other',
    '--declarations',
    world.write('other.json', JSON.stringify([PROMPT])),
    '--no-check',
  ];
  await world.run('install', ...other, '--client', 'codex', '--yes', '--', process.execPath, 'other.mjs');
  const { code, stdout } = await world.run('uninstall', '--all');
  expect(code).toBe(0);
  expect(stdout).toContain('Hooks of memo and other removed');
  expect(world.files()['home/.codex/config.toml'] ?? '').not.toContain('x-mcphooks');
  expect(stdout).not.toContain('empty group');
});

it.runIf(LONG)('removes all else where the file of one client can no longer be read', async () => {
  const world = homeWith(START);
  const before = world.files();
  await world.run('install', 'memo', '--client', 'claude-code,codex', '--yes');
  const config = join(world.home, '.codex/config.toml');
  rmSync(config, { force: true });
  mkdirSync(config);
  const { code, stdout, stderr } = await world.run('uninstall', 'memo', '--json');
  const { removals } = JSON.parse(stdout);
  expect([code, stderr]).toEqual([1, '']);
  expect(removals[0].clients.map((c: { client: string; fault?: object }) => [c.client, !!c.fault])).toEqual([
    ['claude-code', false],
    ['codex', true],
  ]);
  expect(Object.keys(world.files()).filter((path) => path.includes('mcphooks/hooks'))).toEqual([]);
  rmdirSync(config);
  expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
  const { 'home/.codex/config.toml': _, ...rest } = before;
  expect(world.files()).toMatchObject(rest);
  expect(Object.keys(world.files()).filter((path) => path.includes('.local/'))).toEqual([]);
});

it('ignores a file that can not be read of a client without hooks', async () => {
  const world = homeWith(START);
  await world.run('install', 'memo', '--client', 'claude-code', '--yes');
  const config = join(world.home, '.codex/config.toml');
  rmSync(config, { force: true });
  mkdirSync(config);
  expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0, stderr: '' });
});

it('removes a file of its own also where the record was lost before an install of other hooks', async () => {
  const world = homeWith(COMMIT);
  const before = world.files();
  const file = world.write('home/other.json', JSON.stringify(PROMPT));
  const own = ['--client', 'copilot,opencode', '--yes'];
  expect(await world.run('install', 'memo', ...own)).toMatchObject({ code: 0 });
  rmSync(join(world.home, '.local/state'), { recursive: true });
  expect(await world.run('install', 'memo', '--declarations', file, '--no-check', ...own)).toMatchObject({
    code: 0,
  });
  expect(world.read('home/.copilot/hooks/mcphooks.json')).not.toContain('postToolUse"');
  expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
  rmSync(file);
  const after = world.files();
  for (const all of [before, after]) delete all['home/started.log'];
  expect(after).toEqual(before);
});

it('--all removes scripts that neither the record nor an entry names', async () => {
  const world = homeWith(START);
  const before = world.files();
  await world.run('install', 'memo', '--client', 'claude-code', '--yes');
  rmSync(join(world.home, '.local/state'), { recursive: true });
  world.write('home/.claude/settings.json', before['home/.claude/settings.json'] ?? '{}');
  // Such a file may be the one of a project's hooks.
  const disabledFile = world.write('home/.local/share/mcphooks/hooks/other/disabled', '');
  const ended = await world.run('uninstall', '--all');
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(ended.stdout).toContain('Hooks of memo removed');
  const own = Object.keys(world.files()).filter((path) => path.includes('/mcphooks/hooks/'));
  expect(own.map((path) => join(dirname(world.home), path))).toEqual([disabledFile]);
});
