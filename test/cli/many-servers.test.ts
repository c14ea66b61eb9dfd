import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { Questions } from '../../src/app/ask.ts';
import { COMMIT, homeWith } from './home.ts';
import { cleanWorlds, makeWorld, type World } from './world.ts';

cleanWorlds();

const MANY = Array.from({ length: 13 }, (_, i) => `srv${i + 1}`);

/** Installs one hook of each of these servers. */
async function installAll(
  world: World,
  names: readonly string[],
  client = 'claude-code',
  ...flags: string[]
): Promise<void> {
  world.write('project/hooks.json', JSON.stringify({ declarations: [COMMIT] }));
  const from = ['--declarations', 'hooks.json', '--no-check', '--yes', '--client', client, ...flags];
  for (const name of names)
    expect(await world.run('install', name, ...from, '--', 'node', `${name}.js`)).toMatchObject({ code: 0 });
}

/** Returns how often a command parses texts with this word. */
async function parsings(word: string, world: World, ...command: string[]): Promise<number> {
  const parse = vi.spyOn(JSON, 'parse');
  try {
    await world.run(...command);
    return parse.mock.calls.filter(([text]) => text.includes(word)).length;
  } finally {
    parse.mockRestore();
  }
}

it.each(['list', 'doctor', 'diff'])(
  '%s parses the file of a client as often for four servers as for one',
  async (command) => {
    const world = homeWith(COMMIT);
    world.write('home/.claude/settings.json', '{ "model": "of-mine" }\n');
    await installAll(world, ['one']);
    const ofOne = await parsings('of-mine', world, command);
    await installAll(world, ['two', 'three', 'four']);
    expect(ofOne).toBeGreaterThan(0);
    expect(await parsings('of-mine', world, command)).toBe(ofOne);
  },
);

it('reads a lock file that stays the same as often for four servers as for one', async () => {
  const world = homeWith(COMMIT);
  world.write('project/.git/HEAD', 'ref: refs/heads/main\n');
  const frozen = ['install', '--frozen', '--scope', 'project'];
  const add = (...names: string[]) => installAll(world, names, 'claude-code', '--scope', 'project');
  await add('one');
  const ofOne = await parsings('lockfileVersion', world, ...frozen);
  await add('two', 'three', 'four');
  expect(ofOne).toBeGreaterThan(0);
  expect(await parsings('lockfileVersion', world, ...frozen)).toBe(ofOne);
  // Each removal changes it.
  expect(await parsings('lockfileVersion', world, 'uninstall', '--all', '--scope', 'project')).toBeLessThan(
    12,
  );
});

it('list and doctor say once what holds for several servers, and their JSON for each', async () => {
  const world = homeWith(COMMIT);
  await installAll(world, MANY, 'codex');
  const also = `This also concerns ${MANY.slice(1, 11).join(', ')} and 2 more.`;
  for (const command of ['list', 'doctor']) {
    const { stdout } = await world.run(command);
    expect(stdout.match(/not trusted yet/g)).toHaveLength(1);
    expect(stdout).toContain(`srv1 on Codex: the entry is not trusted yet`);
    expect(stdout).toContain(also);
    const json = await world.run(command, '--json');
    expect(json.stdout.match(/not trusted yet/g)).toHaveLength(MANY.length);
  }
  // One review is for all, also where the numbers differ.
  world.write(
    'project/two.json',
    JSON.stringify({ declarations: [COMMIT, { ...COMMIT, event: 'pre_tool_use' }] }),
  );
  const two = ['--declarations', 'two.json', '--no-check', '--yes', '--accept-changed', '--client', 'codex'];
  expect(await world.run('install', 'srv2', ...two, '--', 'node', 'srv2.js')).toMatchObject({ code: 0 });
  const { stdout } = await world.run('doctor');
  expect(stdout).toContain(also);
  expect(stdout).toMatch(/^Codex +srv1, srv2, srv3, srv4, srv5 and 8 more$/m);
  expect(stdout).toContain('srv1, srv2, srv3, srv4, srv5 and 8 more: no text in Codex since');
});

it('says once that hook scripts are gone, and for each server where an entry was edited', async () => {
  const world = homeWith(COMMIT);
  await installAll(world, ['one', 'two', 'three']);
  rmSync(join(world.home, '.local/share/mcphooks/hooks'), { recursive: true });
  const gone = (await world.run('list')).stdout;
  expect(gone.match(/hook script files? (is|are) missing/g)).toHaveLength(1);
  expect(gone).toContain('This also concerns two and three; repeat the command with the name of each.');
  const settings = world.read('home/.claude/settings.json');
  world.write('home/.claude/settings.json', settings.replaceAll('"timeout": 10', '"timeout": 11'));
  const edited = (await world.run('list')).stdout;
  expect(edited.match(/edited by hand: /g)).toHaveLength(3);
});

it.each<[string, (world: World) => void, string]>([
  [
    'an edited entry',
    (world) => {
      const settings = JSON.parse(world.read('home/.claude/settings.json'));
      settings.hooks.PostToolUse[2].hooks[0].timeout = 11;
      world.write('home/.claude/settings.json', JSON.stringify(settings, null, 2));
    },
    'three removed\\n(.*\\n)+.* keeps PostToolUse, ',
  ],
  [
    'entries without a record',
    (world) => {
      const record = JSON.parse(world.read('home/.local/state/mcphooks/record.json'));
      record.servers.pop();
      world.write('home/.local/state/mcphooks/record.json', JSON.stringify(record));
    },
    "three removed\\n(.*\\n)+ {2}Without a record, mcphooks can't tell",
  ],
  [
    'a file that cannot be read',
    (world) => {
      rmSync(join(world.home, '.codex/config.toml'));
      mkdirSync(join(world.home, '.codex/config.toml'));
    },
    'three not completely removed\\n(.*\\n)+ {2}Codex .* unchanged\\n',
  ],
])('uninstall --all says once what goes from each file, and separately %s', async (_, change, of) => {
  const world = homeWith(COMMIT);
  await installAll(world, ['one', 'two']);
  await installAll(world, ['three'], 'claude-code,codex');
  change(world);
  const { stdout } = await world.run('uninstall', '--all');
  expect(stdout).toMatch(
    RegExp(
      `^Hooks of one and two removed\\n {2}Claude Code .* - 4 entries\\n {2}mcphooks .*\\nHooks of ${of}`,
    ),
  );
});

it('uninstall --all lists clients in their usual order, and with --client says from which hooks go', async () => {
  const world = homeWith(COMMIT);
  await installAll(world, ['one'], 'codex');
  await installAll(world, ['two'], 'claude-code,codex');
  const { stdout } = await world.run('uninstall', '--all', '--dry-run');
  expect(stdout).toMatch(/^Hooks of one and two would be removed\n {2}Claude Code .*\n {2}Codex .*\n/);
  expect((await world.run('uninstall', '--all', '--client', 'codex')).stdout).toMatch(
    /^Hooks of one and two for Codex removed\n {2}Codex /,
  );
});

it('uninstall --client says for which clients hooks go, also where the file of one is gone', async () => {
  const world = homeWith(COMMIT);
  await installAll(world, ['one'], 'claude-code,codex,gemini-cli');
  rmSync(join(world.home, '.codex/config.toml'));
  const removed = async (clients: string) =>
    (await world.run('uninstall', 'one', '--dry-run', '--client', clients)).stdout;
  expect(await removed('codex')).toMatch(/^Hooks of one for Codex would be removed\n {2}mcphooks /);
  expect(await removed('claude-code,codex')).toMatch(/^Hooks of one for Claude Code and Codex would be /);
});

it.each(['user', 'project'])('uninstall --all --dry-run tells all that goes at scope %s', async (scope) => {
  const world = homeWith(COMMIT);
  world.write('project/.git/HEAD', 'ref: refs/heads/main\n');
  await installAll(world, ['one', 'two', 'three'], 'claude-code,cursor', '--scope', scope);
  const all = ['uninstall', '--all', '--scope', scope];
  const planned = await world.run(...all, '--dry-run');
  const { stdout } = await world.run(...all);
  expect(stdout).toMatch(/Cursor .* the file, which mcphooks created\n/);
  expect(planned).toMatchObject({ code: 2, stdout: stdout.replace('removed', 'would be removed') });
});

it('uninstall --all --edited --dry-run says once that an entry for all servers goes', async () => {
  const world = homeWith(COMMIT);
  await installAll(world, ['one'], 'cursor');
  const hooks = 'home/.cursor/hooks.json';
  world.write(hooks, world.read(hooks).replace('"timeout": 30', '"timeout": 31'));
  await world.run('uninstall', 'one');
  await installAll(world, ['two']);
  const { stdout } = await world.run('uninstall', '--all', '--edited', '--dry-run');
  expect(stdout.match(/would be removed/g)).toHaveLength(1);
});

it('names a server once of which several installs are removed, as in folders that are gone', async () => {
  const world = homeWith(COMMIT);
  const file = world.write('gone/hooks.json', JSON.stringify({ declarations: [COMMIT] }));
  const from = ['--declarations', file, '--no-check', '--yes', '--client', 'claude-code'];
  const command = ['--scope', 'local', '--', 'node', 'one.js'];
  const installed = await world.runAs({ folder: 'gone' }, 'install', 'one', ...from, ...command);
  expect(installed).toMatchObject({ code: 0 });
  rmSync(dirname(file), { recursive: true });
  await installAll(world, ['one', 'two']);
  const { stdout } = await world.run('uninstall', '--all');
  expect(stdout).toMatch(/^Hooks of one and two removed\n/);
});

it('install offers servers with a mark where they are installed', async () => {
  const world = makeWorld();
  const servers = Object.fromEntries(MANY.map((name) => [name, { command: 'node', args: [`${name}.js`] }]));
  world.write('home/.claude.json', JSON.stringify({ mcpServers: servers }));
  world.write('project/hooks.json', JSON.stringify({ declarations: [COMMIT] }));
  await world.run('install', 'srv2', '--declarations', 'hooks.json', '--no-check', '--yes');
  let labels: string[] = [];
  const pick: Questions['pick'] = async (_, options) => {
    labels = options.map(({ label }) => label);
    return undefined;
  };
  expect((await world.runAs({ says: true, ask: { pick } }, 'install')).code).toBe(3);
  expect(labels).toHaveLength(MANY.length);
  expect(labels.filter((label) => label.includes('installed'))).toEqual([
    expect.stringMatching(/^srv2 .* · installed$/),
  ]);
});

/** Returns how often a project's diff writes its first two servers in one JSON text. */
async function writtenByDiff(world: World): Promise<number> {
  const stringify = vi.spyOn(JSON, 'stringify');
  try {
    const diff = await world.run('diff', '--offline', '--json', '--scope', 'project');
    expect(diff).toMatchObject({ code: 0 });
    const texts = stringify.mock.results.map(({ value }) => String(value));
    return texts.filter((text) => text.includes('one.js') && text.includes('two.js')).length;
  } finally {
    stringify.mockRestore();
  }
}

it('diff writes the whole lock file as JSON as often for four servers as for two', async () => {
  const world = homeWith(COMMIT);
  world.write('project/.git/HEAD', 'ref: refs/heads/main\n');
  const toProject = ['claude-code', '--scope', 'project'] as const;
  await installAll(world, ['one', 'two'], ...toProject);
  const ofTwo = await writtenByDiff(world);
  await installAll(world, ['three', 'four'], ...toProject);
  expect(ofTwo).toBeGreaterThan(0);
  expect(await writtenByDiff(world)).toBe(ofTwo);
});
