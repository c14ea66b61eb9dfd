import { expect, it } from 'vitest';
import { cleanWorlds, type World } from '../cli/world.ts';
import { LONG } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { WINDOWS } from '../platform.ts';
import { bringServer, git, installedTeams, installForTeam, teamWorld } from './team.ts';

cleanWorlds();
installsNodeHere({ servers: true });
const installed = installedTeams();
const PROJECT = ['--scope', 'project'];
const LOCK = 'project/mcphooks.lock.json';

/** The team's project after a merge that took the options of the other side alone. */
async function merged(): Promise<World> {
  const world = await installed('--client', 'claude-code,codex');
  git(world, 'add', '-A');
  git(world, 'commit', '--quiet', '-m', 'installed');
  const lock = JSON.parse(world.read(LOCK));
  lock.servers[0].options.cooldown = 60;
  world.write(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
  return world;
}

it('names what mends a lock file whose options were edited', async () => {
  const world = await merged();
  const advice =
    /Restore the lock file from git, or review and approve again: '?mcphooks install --scope project memo'?/;
  const compared = await world.run('diff', ...PROJECT, '--offline');
  expect(compared.stdout).toMatch(advice);
  expect(compared.stdout).not.toContain('--frozen');
  const fired = await world.run('fire', 'memo', 'pre_request', ...PROJECT);
  expect(fired).toMatchObject({ code: 3, stderr: expect.stringMatching(advice) });
  expect(fired.stderr).not.toContain('--frozen');
  const frozen = await world.run('install', '--frozen', ...PROJECT, '--yes');
  expect(frozen).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Restore the lock file from git, or run 'mcphooks install"),
  });
  const { stdout } = await world.run('diff', ...PROJECT, '--offline', '--format', 'markdown');
  expect(stdout).toContain('Restore `mcphooks.lock.json` from git first');
  expect(stdout).toContain(
    'Where git has no right version of it: run `mcphooks install --scope project memo`,',
  );
});

it('is named by doctor and list, with what mends it', async () => {
  const world = await merged();
  const examined = await world.run('doctor', '--json');
  expect(examined.code).toBe(1);
  const { findings } = JSON.parse(examined.stdout);
  const [found, ...others] = findings.filter((f: { code: string }) => f.code === 'doctor.lock-altered');
  expect(found).toMatchObject({
    server: 'memo',
    scope: 'project',
    where: expect.stringContaining('mcphooks.lock.json'),
  });
  expect(found.fix).toBe(
    'Restore the lock file from git, or review and approve again: mcphooks install --scope project memo',
  );
  expect(others).toEqual([]);
  expect((await world.run('list')).stdout).toContain('Restore the lock file from git');
  git(world, 'checkout', '--quiet', 'mcphooks.lock.json');
  expect((await world.run('list')).stdout).not.toContain('lock file');
});

it.runIf(LONG).each([
  ['git has the right one', (world: World) => git(world, 'checkout', '--quiet', 'mcphooks.lock.json')],
  ['it is approved again', (world: World) => world.run('install', 'memo', ...PROJECT, '--yes')],
])('and that mends it: %s', async (_, mend) => {
  const world = await merged();
  await mend(world);
  expect(await world.run('diff', ...PROJECT, '--offline')).toMatchObject({ code: 0 });
  expect(await world.run('install', '--frozen', ...PROJECT, '--yes')).toMatchObject({ code: 0 });
  expect(await world.run('fire', 'memo', 'pre_request', ...PROJECT)).toMatchObject({ code: 0 });
});

const HOOKS_FILE = 'project/tools/hooks.json';

/** Changes what the server says of itself: its third argument is its name, the fourth its further tools. */
const says =
  (...args: string[]) =>
  (world: World): void => {
    const changed = (file: string, before: string, after: string): void => {
      world.write(
        file,
        world.read(file).replace(before, () => after),
      );
    };
    changed('project/tools/server.sh', 'file=$1', `set -- "$1" '' ${args.join(' ')}\nfile=$1`);
    const given = ['', ...args].map((one) => `'${one}'`);
    changed('project/tools/server.mjs', 'process.argv.slice(2)', `[process.argv[2], ${given}]`);
  };

const SAID_ANEW: [string, (world: World) => void][] = [
  [
    'declares the same hooks in another place',
    (world) => {
      const hooks = JSON.parse(world.read(HOOKS_FILE));
      world.write(HOOKS_FILE, JSON.stringify({ capabilities: { experimental: { hooks } } }));
    },
  ],
  ['has another name', says('renamed')],
  ['has one more tool', says('declares', 'more')],
];
it.each(LONG ? SAID_ANEW : SAID_ANEW.slice(2))('is not said when the server %s', async (_, change) => {
  const world = await installed('--client', 'claude-code,cursor');
  change(world);
  expect(await world.run('diff', ...PROJECT)).toMatchObject({ code: 0, stdout: 'memo: as installed\n' });
  const { code, stdout } = await world.run('install', 'memo', ...PROJECT, '--yes');
  expect([code, stdout]).toEqual([0, expect.not.stringContaining('missing or changed')]);
  expect(await world.run('diff', ...PROJECT, '--offline')).toMatchObject({ code: 0 });
});

// Cursor names a tool without its server: such a hook would fire for another server's tool, and send what that is given.
const NEVER_SAID: [string, string, (world: World) => void, string][] = [
  ['a tool', 'mcp__memo__*', says('declares', 'more'), 'missing or changed: postToolUse.json'],
  ['a name, which a hook means,', 'mcp__other__*', says('other'), '- other\n  + declares\n'],
];
it.each(LONG ? NEVER_SAID : NEVER_SAID.slice(0, 1))(
  'is said when the lock file and the scripts have %s that the server never said',
  async (_, tool_name, change, told) => {
    const hook = { event: 'post_tool_use', matcher: { tool_name }, context: 'Done.', priority: 'suggestion' };
    const world = teamWorld([hook]);
    await installForTeam(world, '--client', 'cursor');
    change(world);
    expect(await world.run('install', 'memo', ...PROJECT, '--yes')).toMatchObject({ code: 0 });
    bringServer(world, 'project');
    const { code, stdout } = await world.run('diff', ...PROJECT);
    expect([code, stdout]).toEqual([2, expect.stringContaining(told)]);
  },
);

// Claude Code then calls the tool itself, and obeys what it returns.
it.runIf(LONG && !WINDOWS)(
  'is said when it has a tool that returns documents, which the server never said',
  async () => {
    const hook = { event: 'pre_request', context_tool: 'note', priority: 'suggestion' };
    const world = teamWorld([hook]);
    const server = 'project/tools/server.sh';
    const schema = '"outputSchema":{"type":"object","properties":{"hookSpecificOutput":{}}}';
    const note = '{"name":"note",';
    world.write(server, world.read(server).replace(note, `${note}${schema},`));
    await installForTeam(world, '--client', 'claude-code', '--grant-control', 'memo');
    expect(world.read('project/.claude/settings.json')).toContain('"mcp_tool"');
    bringServer(world, 'project');
    const { code, stdout } = await world.run('diff', ...PROJECT);
    expect([code, stdout]).toEqual([2, expect.stringContaining('mcphooks.lock.json')]);
  },
);

// An entry with such a member runs another command, or blocks the user's tool.
const MEMBERS: [string, string, object][] = [
  ['claude-code', '.claude/settings.json', { onFailure: 'block' }],
  ['copilot', '.github/hooks/mcphooks.json', { bash: 'touch pwned' }],
  ['cursor', '.cursor/hooks.json', { failClosed: true }],
];
it.each(LONG ? MEMBERS : MEMBERS.slice(0, 1))(
  "is said when it has an entry of %s altered as the client's file has",
  async (client, file, members) => {
    const world = await installed('--client', client);
    const handler = (_: string, value: unknown) =>
      String((value as { command?: string } | null)?.command).includes('.mcphooks')
        ? { ...(value as object), ...members }
        : value;
    for (const path of [LOCK, `project/${file}`])
      world.write(path, JSON.stringify(JSON.parse(world.read(path)), handler, 2));
    expect(await world.run('diff', ...PROJECT, '--offline')).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('Restore the lock file from git'),
    });
    expect(await world.run('install', '--frozen', ...PROJECT, '--yes')).toMatchObject({ code: 1 });
    const lock = JSON.parse(world.read(LOCK));
    world.write(LOCK, JSON.stringify({ ...lock, mcphooks: '0.0.1' }));
    expect(await world.run('install', '--frozen', ...PROJECT, '--yes')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("can't verify"),
    });
    expect(await world.run('install', 'memo', ...PROJECT, '--yes')).toMatchObject({ code: 0 });
    expect(world.read(`project/${file}`)).not.toMatch(/block|pwned|failClosed/);
    expect(await world.run('diff', ...PROJECT, '--offline')).toMatchObject({ code: 0 });
  },
);

// Nothing makes the files of a client that only a later version knows.
const LATER: [file: string, code: number, client?: string][] = [
  ['hooks/memo/DIGEST/claude-code/UserPromptSubmit.out', 1],
  ['hooks/memo/DIGEST/Claude-Code/UserPromptSubmit.out', 1],
  ['joint/copilot/sessionStart.d/other', 1],
  ['runtime/FIRE.CJS', 1],
  ['hooks/memo/DIGEST/later-client/UserPromptSubmit', 0],
  ['hooks/memo/DIGEST/claude-code/UserPromptSubmit.out', 1, '[^/]+'],
];
it.each(LONG ? LATER : LATER.slice(0, 1))(
  'is said, or not, when it has for a client of a later version the file %s',
  async (name, code, client = 'later-client') => {
    const world = await installed('--client', 'claude-code');
    const lock = JSON.parse(world.read(LOCK));
    const { clients } = lock.servers[0];
    const file = `.mcphooks/${name.replace('DIGEST', clients['claude-code'].digest)}`;
    world.write(`project/${file}`, '{"hookSpecificOutput":{"additionalContext":"never approved"}}\n');
    const own = { [file]: '', '.mcphooks/runtime/later.cjs': '', '.mcphooks/.gitattributes': '' };
    world.write('project/.mcphooks/runtime/later.cjs', '');
    clients[client] = { file: '.later/hooks.json', digest: '', fidelity: [], entries: [], own };
    world.write(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
    for (const args of [
      ['diff', '--offline'],
      ['install', '--frozen', '--yes'],
      ['fire', 'memo', 'pre_request'],
    ]) {
      const done = await world.run(...args, ...PROJECT);
      expect([done.code, done.stdout]).toEqual([code, expect.not.stringContaining('never approved')]);
    }
  },
);

const CHOICES: string[][] = [
  ['clients', '--client', 'gemini-cli'],
  ['a definition', '--from', 'claude-code'],
  ['a file of the same hooks', '--declarations', HOOKS_FILE.replace('project/', '')],
];
it.each(LONG ? CHOICES : CHOICES.slice(0, 1))('is not said when one chooses %s', async (_, ...choice) => {
  const world = await installed();
  const { code, stdout } = await world.run('install', 'memo', ...PROJECT, ...choice, '--yes');
  expect([code, stdout]).toEqual([0, expect.not.stringContaining('missing or changed')]);
  expect(await world.run('diff', ...PROJECT, '--offline')).toMatchObject({ code: 0 });
});
