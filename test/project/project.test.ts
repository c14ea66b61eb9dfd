import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { expect, it } from 'vitest';
import { CLIENT_IDS } from '../../src/clients/client.ts';
import { cleanWorlds, makeWorld, serverEntry } from '../cli/world.ts';
import { LONG } from '../effort.ts';
import { everywhereFound, slashed, WINDOWS } from '../platform.ts';
import {
  commit,
  git,
  HOOKS,
  installedTeams,
  installForTeam,
  installIn,
  mate,
  projectFiles,
  START,
  teamWorld,
} from './team.ts';

cleanWorlds();
const teamWith = installedTeams();
const ALL = ['--client', 'claude-code,codex,gemini-cli'];
const LOCK = 'mcphooks.lock.json';

it.runIf(LONG)(
  'two people who install the same get the same bytes, and nothing of their machines',
  async () => {
    const ada = teamWorld();
    const bob = mate(ada);
    bob.write('home/.config/mcphooks/config.json', JSON.stringify({ maxPriority: 'suggestion' }));
    bob.write('home/.claude.json', JSON.stringify({ mcpServers: { other: { command: 'x' } } }));
    await installForTeam(ada, ...ALL);
    await installForTeam(bob, ...ALL);
    const files = projectFiles(ada);
    expect(projectFiles(bob)).toEqual(files);
    expect(Object.keys(files)).toContain(LOCK);
    // Made from the lock file: folded in a review, and checked by diff.
    expect(files['.mcphooks/.gitattributes']).toBe('* -text linguist-generated\n');
    const written = Object.entries(files).filter(([path]) => path.startsWith('.') || path === LOCK);
    for (const [path, text] of written.filter(([path]) => !path.startsWith('.mcphooks/runtime')))
      for (const mine of [ada.project, ada.home, process.execPath, userInfo().homedir])
        expect(text.includes(mine), `${path} holds ${mine}`).toBe(false);
  },
);

it.runIf(LONG)('explain shows naming lines with a tag, which the files don’t contain', async () => {
  const ada = await teamWith(...ALL);
  const { stdout } = await ada.run('explain', 'memo', '--scope', 'project');
  expect(stdout).toMatch(/\[mcphooks [0-9a-f]{8} \| MCP server "memo"/);
});

it.runIf(LONG)(
  "an install beside another one, of which an entry is gone, is unchanged and keeps what the other's removal needs",
  async () => {
    const world = teamWorld([HOOKS[2] ?? {}]);
    const other = JSON.stringify({
      declarations: [{ event: 'pre_request', context: 'Two.', priority: 'suggestion' }],
    });
    world.write('project/tools/other.json', other);
    const two = { ...START, args: START.args.map((arg) => arg.replace('hooks.json', 'other.json')) };
    world.write('project/.mcp.json', JSON.stringify({ mcpServers: { memo: START, two } }));
    rmSync(join(world.project, '.claude'), { recursive: true });
    commit(world);
    const before = projectFiles(world);
    const run = async (...words: string[]) => {
      const args = [...words, '--scope', 'project', '--client', 'claude-code'];
      const hash = /--allow-start ([0-9a-f]{64})/.exec((await world.run(...args, '--dry-run')).stderr)?.[1];
      return world.run(...args, '--yes', ...(hash ? ['--allow-start', hash] : []));
    };
    for (const name of ['memo', 'two']) expect(await run('install', name)).toMatchObject({ code: 0 });
    const lock = world.read(`project/${LOCK}`);
    const file = 'project/.claude/settings.json';
    const { hooks } = JSON.parse(world.read(file));
    world.write(file, JSON.stringify({ hooks: { UserPromptSubmit: hooks.UserPromptSubmit } }));
    expect(await world.run('diff', 'two', '--scope', 'project', '--offline')).toMatchObject({ code: 0 });
    expect(await run('install', 'two')).toMatchObject({ code: 0 });
    expect(world.read(`project/${LOCK}`)).toBe(lock);
    expect(await world.run('install', '--frozen', '--scope', 'project', '--yes')).toMatchObject({ code: 0 });
    // The user takes an entry out by hand: nothing of it is remembered after the uninstall.
    world.write(file, JSON.stringify({ hooks: { UserPromptSubmit: hooks.UserPromptSubmit } }));
    await world.run('uninstall', 'memo', '--scope', 'project');
    expect(await world.run('diff', 'two', '--scope', 'project', '--offline')).toMatchObject({ code: 0 });
    await world.run('uninstall', 'two', '--scope', 'project');
    expect(projectFiles(world)).toEqual(before);
  },
);

it.runIf(LONG)(
  'an install from a file of declarations is unchanged for who looks at the files alone, in a clone too',
  async () => {
    const ada = teamWorld();
    ada.write('project/hooks.json', JSON.stringify({ declarations: HOOKS }));
    await installForTeam(ada, '--client', 'claude-code', '--declarations', 'hooks.json');
    expect(ada.read(`project/${LOCK}`)).toContain('"serverName"');
    commit(ada);
    for (const world of [ada, mate(ada)]) {
      expect(await world.run('diff', '--scope', 'project', '--offline')).toMatchObject({ code: 0 });
      const { servers } = JSON.parse((await world.run('list', '--json')).stdout);
      expect(servers[0].clients[0].state).toBe('current');
    }
  },
);

it('uninstall gives back every byte, in a clone too', async () => {
  const before = projectFiles(teamWorld());
  const ada = await teamWith(...ALL);
  commit(ada);
  const bob = mate(ada);
  for (const world of [ada, bob]) {
    expect(await world.run('diff', '--scope', 'project', '--offline')).toMatchObject({ code: 0 });
    expect(await world.run('uninstall', 'memo', '--scope', 'project')).toMatchObject({ code: 0 });
    expect(projectFiles(world)).toEqual(before);
  }
});

it.each(LONG ? ['with', 'without'] : ['with'])(
  'uninstall leaves what others put into our folder, %s the lock file',
  async (how) => {
    const before = projectFiles(teamWorld());
    const ada = await teamWith(...ALL);
    const earlier = Object.keys(projectFiles(ada)).find((path) =>
      path.endsWith('/claude-code/UserPromptSubmit'),
    );
    const folder = '.mcphooks/hooks/memo/';
    // Of an earlier version, and of a client of a later one.
    for (const client of ['claude-code/UserPromptSubmit-2', 'later-client/start.new'])
      ada.write(`project/${earlier?.replace('claude-code/UserPromptSubmit', client)}`, 'ours');
    const theirs = {
      [`${folder}notes.txt`]: 'a',
      [`${folder}more/deep/notes.txt`]: 'b',
      '.mcphooks/joint/notes.txt': 'c',
      '.mcphooks/runtime/notes.txt': 'd',
      '.mcphooks/runtime/node_modules/x.cjs': 'e',
      '.mcphooks/notes.txt': 'f',
    };
    for (const [path, text] of Object.entries(theirs)) ada.write(`project/${path}`, text);
    if (how === 'without') rmSync(join(ada.project, LOCK));
    expect(await ada.run('uninstall', 'memo', '--scope', 'project')).toMatchObject({ code: 0, stderr: '' });
    const left = projectFiles(ada);
    expect(
      Object.fromEntries(Object.entries(left).filter(([path]) => path.startsWith('.mcphooks/'))),
    ).toEqual(theirs);
    if (how === 'with') expect(left).toEqual({ ...before, ...theirs });
  },
);

it.each([
  ['a line break before two points', '.mcphooks/hooks/a\n/../../../.cursor/hooks.json', 1],
  ['a separator of lines before them', '.mcphooks/hooks/a\u2028/../../../.cursor/hooks.json', 1],
  ['a name that no file of ours has', '.mcphooks/runtime/mine.txt', 0],
])('uninstall removes no file that a lock file lists by %s', async (_, path, code) => {
  const ada = await teamWith('--client', 'claude-code');
  const lock = JSON.parse(ada.read(`project/${LOCK}`));
  lock.servers[0].clients['claude-code'].own[path] = '0';
  ada.write(`project/${LOCK}`, JSON.stringify(lock));
  const file = path.includes('..') ? '.cursor/hooks.json' : path;
  ada.write(`project/${file}`, 'theirs');
  expect(await ada.run('uninstall', 'memo', '--scope', 'project')).toMatchObject({ code });
  expect(ada.read(`project/${file}`)).toBe('theirs');
});

it.runIf(LONG && !WINDOWS)('a declarations file may have a tab in its name', async () => {
  const ada = teamWorld();
  ada.write('project/a\tb.json', JSON.stringify({ declarations: HOOKS }));
  await installForTeam(ada, '--client', 'claude-code', '--declarations', 'a\tb.json');
  expect(await ada.run('uninstall', 'memo', '--scope', 'project')).toMatchObject({ code: 0, stderr: '' });
});

it('uninstall in a read-only checkout writes nothing, and names no other scope, which has no such hooks', async () => {
  const ada = await teamWith('--client', 'claude-code');
  const before = projectFiles(ada);
  for (const path of Object.keys(before)) chmodSync(join(ada.project, path), 0o444);
  const { code, stderr } = await ada.run('uninstall', 'memo', '--scope', 'project');
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/nothing was written, so its .* MCPHOOKS_DISABLE=1 .*\n +Make it writable\.$/m),
  ]);
  expect(projectFiles(ada)).toEqual(before);
});

it.skipIf(WINDOWS)('uninstall leaves a link that others put into our folder', async () => {
  const ada = await teamWith('--client', 'claude-code');
  const link = join(ada.project, '.mcphooks/hooks/memo/notes');
  symlinkSync('../../../README.md', link);
  expect(await ada.run('uninstall', 'memo', '--scope', 'project')).toMatchObject({ code: 0, stderr: '' });
  expect(readlinkSync(link)).toBe('../../../README.md');
});

it("a project's own attributes for git in our folder are refused, and left as they are", async () => {
  const ada = teamWorld();
  const ATTRIBUTES = 'project/.mcphooks/.gitattributes';
  ada.write(ATTRIBUTES, '*.x binary\n');
  ada.write('project/hooks.json', JSON.stringify({ declarations: HOOKS.slice(1) }));
  const before = projectFiles(ada);
  const install = (...flags: string[]) =>
    ada.run(
      'install',
      'other',
      '--declarations',
      'hooks.json',
      '--no-check',
      ...(LONG ? ALL : ['--client', 'claude-code']),
      '--scope',
      'project',
      ...flags,
    );
  for (const flag of ['--dry-run', '--yes']) {
    const { code, stdout } = await install(flag, '--json');
    const faults: { code: string }[] = JSON.parse(stdout).faults;
    expect([code, [...new Set(faults.map((fault) => fault.code))]]).toEqual([
      1,
      ['project.attributes-taken'],
    ]);
  }
  expect((await install('--yes')).stderr.replace(/\s+/g, ' ')).toContain(
    "Move its lines to the project's own",
  );
  expect(await ada.run('uninstall', 'other', '--scope', 'project')).toMatchObject({ code: 0 });
  expect(projectFiles(ada)).toEqual(before);
  // Ours, with other line ends or of an earlier version, also where the lock file is lost; or altered, where it lists it.
  for (const text of ['* -text linguist-generated\r\n', '* -text\n', '* text=auto\n']) {
    if (text.startsWith('* -text')) rmSync(join(ada.project, LOCK), { force: true });
    ada.write(ATTRIBUTES, text);
    expect(await install('--yes')).toMatchObject({ code: 0 });
    expect(ada.read(ATTRIBUTES)).toBe('* -text linguist-generated\n');
  }
});

it.runIf(LONG).each([
  ['another version', (lock: object) => ({ ...lock, mcphooks: '0.0.9' })],
  ['a field that mcphooks does not write', (lock: object) => ({ ...lock, more: 1 })],
])('an install writes a lock file again that has %s, and --frozen does not', async (_, change) => {
  const ada = await teamWith(...ALL);
  const before = projectFiles(ada);
  ada.write(`project/${LOCK}`, JSON.stringify(change(JSON.parse(ada.read(`project/${LOCK}`))), null, 2));
  const altered = projectFiles(ada);
  const install = (...args: string[]) => ada.run('install', 'memo', '--scope', 'project', ...args);
  expect(await install('--frozen', '--yes')).toMatchObject({ code: 0 });
  expect((await install('--frozen', '--dry-run')).stdout).not.toBe('');
  for (const what of [['absent'], ['memo', '--client', 'cursor'], ['--all', '--client', 'cursor']])
    expect(await ada.run('uninstall', ...what, '--scope', 'project')).toMatchObject({ code: 0, stdout: '' });
  expect(await install('--dry-run')).toMatchObject({ code: 2 });
  expect(projectFiles(ada)).toEqual(altered);
  expect(await install('--yes')).toMatchObject({ code: 0 });
  expect(projectFiles(ada)).toEqual(before);
  expect(await ada.run('diff', '--scope', 'project', '--offline')).toMatchObject({ code: 0 });
});

it.runIf(LONG)('a client more changes nothing of the others, and --frozen does not add it', async () => {
  const ada = await teamWith('--client', 'claude-code,codex');
  const more = ['install', 'memo', '--scope', 'project', '--yes', '--client', 'cursor'];
  expect(await ada.run(...more, '--frozen')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('unchanged: clients would change\n'),
  });
  const lock = ada.read(`project/${LOCK}`);
  ada.write(`project/${LOCK}`, lock.replace('"/hooks/User', '"/hooks/Use'));
  expect(ada.read(`project/${LOCK}`)).not.toBe(lock);
  expect((await ada.run(...more, '--dry-run')).stdout).toContain('missing or changed');
  ada.write(`project/${LOCK}`, lock);
  const { code, stdout } = await ada.run(...more);
  expect([code, stdout.includes('missing or changed')]).toEqual([0, false]);
});

it('takes a command with paths in the project, and none with a path that leads out or that one machine has', async () => {
  const ada = teamWorld();
  const file = ada.write('project/memo.json', JSON.stringify({ declarations: HOOKS.slice(1) }));
  const about = ['--declarations', file, '--no-check', '--client', 'claude-code', '--scope', 'project'];
  const outcome = async (path: string) => {
    const { stdout } = await ada.run('install', 'memo', ...about, '--dry-run', '--json', '--', 'node', path);
    const { exit, faults } = JSON.parse(stdout);
    return [exit, ...faults.map(({ code }: { code: string }) => code)];
  };
  const inside = ['tools/x.mjs', './tools/x.mjs', 'tools/../x.mjs', '/opt/x.mjs'];
  for (const path of [...inside, '--config=tools/x', '--range=a..b', '--ask=what=..'])
    expect(await outcome(path), path).toEqual([2]);
  const outside = ['../x.mjs', 'tools/../../x.mjs', './../x.mjs', '~/x.mjs', join(ada.project, 'x.mjs')];
  for (const path of [...outside, ...outside.map((path) => `--config=${path}`), 'CONFIG=../x'])
    expect(await outcome(path), path).toEqual([1, 'project.machine-path']);
});

it('keeps what was approved with a path that a command line may not have here', async () => {
  const ada = teamWorld();
  const bob = mate(ada);
  const file = ada.write('project/memo.json', JSON.stringify({ declarations: HOOKS.slice(1) }));
  const about = ['--declarations', file, '--no-check', '--client', 'claude-code', '--scope', 'project'];
  const command = ['--', 'node', join(bob.home, 'x.mjs')];
  expect(await ada.run('install', 'own', ...about, '--yes', ...command)).toMatchObject({ code: 0 });
  for (const [path, text] of Object.entries(projectFiles(ada))) bob.write(`project/${path}`, text);
  expect(await bob.run('diff', 'own', '--scope', 'project')).toMatchObject({ code: 0, stderr: '' });
  expect(await bob.run('install', 'own', '--scope', 'project', '--frozen')).toMatchObject({ code: 0 });
  expect(await bob.run('install', 'own', '--scope', 'project', '--dry-run', ...command)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('contains paths on this machine'),
  });
});

/** Installs a server with a file of these texts, for the project. */
function installTexts(world: ReturnType<typeof teamWorld>, name: string, texts: readonly string[]) {
  const declarations = texts.map((context) => ({ event: 'pre_request', context, priority: 'suggestion' }));
  const file = world.write(`project/${name}.json`, JSON.stringify({ declarations }));
  const from = ['--declarations', file, '--no-check', '--client', 'claude-code,codex'];
  const told = ['--scope', 'project', '--yes', '--accept-changed', '--', 'node', 'tools/none.mjs'];
  return world.run('install', name, ...from, ...told);
}

it.runIf(LONG)(
  'a server that declares no hook any more leaves nothing beside the lock file, and two servers share what stays',
  async () => {
    const ada = teamWorld();
    const before = projectFiles(ada);
    const install = (name: string, ...texts: string[]) => installTexts(ada, name, texts);
    const own = () => Object.keys(projectFiles(ada)).filter((path) => path.startsWith('.mcphooks/'));
    for (const name of ['one', 'two'])
      expect(await install(name, 'A text.')).toMatchObject({
        code: 0,
        stdout: expect.not.stringContaining('missing or changed'),
      });
    for (const [name, left] of [
      ['one', ['two']],
      ['two', []],
    ] as const) {
      expect((await install(name)).code).toBe(0);
      expect(left.every((other) => own().some((path) => path.includes(`/hooks/${other}/`)))).toBe(true);
      expect(own().includes('.mcphooks/runtime/fire.cjs')).toBe(left.length > 0);
      expect(await ada.run('diff', '--scope', 'project', '--offline')).toMatchObject({ code: 0, stderr: '' });
    }
    expect(own()).toEqual([]);
    for (const name of ['one', 'two'])
      expect((await ada.run('uninstall', name, '--scope', 'project')).code).toBe(0);
    for (const name of ['one', 'two']) rmSync(join(ada.project, `${name}.json`));
    expect(projectFiles(ada)).toEqual(before);
  },
);

it.runIf(LONG)(
  'a runtime stays while scripts need it that the lock file has lost, and so do files of others in it',
  async () => {
    const ada = teamWorld();
    for (const name of ['one', 'two']) await installTexts(ada, name, ['A text.']);
    ada.write('project/.mcphooks/runtime/NOTES.md', 'mine');
    const lock = JSON.parse(ada.read(`project/${LOCK}`));
    lock.servers = lock.servers.filter(({ server }: { server: string }) => server === 'one');
    ada.write(`project/${LOCK}`, JSON.stringify(lock, null, 2));
    const stay = ['.mcphooks/runtime/NOTES.md', '.mcphooks/runtime/fire.cjs'];
    expect((await installTexts(ada, 'one', [])).code).toBe(0);
    expect(Object.keys(projectFiles(ada))).toEqual(expect.arrayContaining(stay));
    expect(await installTexts(ada, 'one', ['A text.'])).toMatchObject({ code: 0 });
    expect(await ada.run('uninstall', 'one', '--scope', 'project')).toMatchObject({ code: 0 });
    expect(Object.keys(projectFiles(ada))).toEqual(expect.arrayContaining(stay));
  },
);

it('--frozen brings back what the lock file holds, with no home and without asking a server', async () => {
  const ada = await teamWith(...ALL);
  commit(ada);
  const bob = mate(ada);
  const files = projectFiles(bob);
  bob.env.HOME = '/nonexistent';
  expect(await bob.run('install', '--frozen', '--scope', 'project')).toMatchObject({ code: 0 });
  for (const path of ['.mcphooks', '.claude', '.codex/config.toml'])
    rmSync(join(bob.project, path), { recursive: true });
  git(bob, 'checkout', '--', '.codex');
  bob.write('project/.claude/settings.json', '{\n  "model": "opus"\n}\n');
  writeFileSync(join(bob.project, '.codex/config.toml'), '# ours\nmodel = "gpt"\n');
  rmSync(join(bob.project, 'tools'), { recursive: true });
  bob.write(`project/${LOCK}`, JSON.stringify(JSON.parse(bob.read(`project/${LOCK}`)), null, '\t'));
  expect(await bob.run('install', '--frozen')).toMatchObject({ code: 3 });
  expect((await bob.run('install', '--frozen', '--scope', 'user')).stderr).toContain('needs --scope project');
  expect(await bob.run('install', '--frozen', '--scope', 'project', '--yes')).toMatchObject({ code: 0 });
  git(bob, 'checkout', '--', 'tools');
  expect(projectFiles(bob)).toEqual(files);
});

it.runIf(LONG).each([
  ['an emptied list', (text: string) => text.replace(/"PostToolUse": \[.*?\n {4}\]/s, '"PostToolUse": []')],
  ['empty hooks', () => '{\n  "model": "opus",\n  "hooks": {}\n}\n'],
  ['no hooks', () => '{}'],
])('--frozen restores entries that were deleted, whatever is left around them: %s', async (_, change) => {
  const ada = await teamWith();
  commit(ada);
  const { 'project/.claude/settings.json': text = '' } = ada.files();
  expect(change(text)).not.toBe(text);
  ada.write('project/.claude/settings.json', change(text));
  expect(await ada.run('diff', '--scope', 'project', '--offline')).toMatchObject({
    code: 2,
    stdout: expect.stringContaining('--frozen'),
  });
  expect(await ada.run('install', '--frozen', '--scope', 'project', '--yes')).toMatchObject({ code: 0 });
  expect(await ada.run('diff', '--scope', 'project', '--offline')).toMatchObject({ code: 0 });
  expect(git(ada, 'status', '--porcelain', LOCK, '.mcphooks')).toBe('');
  expect(await ada.run('uninstall', 'memo', '--scope', 'project')).toMatchObject({ code: 0 });
  expect(ada.read('project/.claude/settings.json')).not.toContain('mcphooks');
});

it.runIf(LONG)(
  '--frozen installs for the clients of the lock file alone, whoever else has the server',
  async () => {
    const team = teamWorld();
    await installForTeam(team, '--client', 'gemini-cli');
    commit(team);
    const bob = mate(team);
    expect(await bob.run('install', '--frozen', '--scope', 'project')).toMatchObject({ code: 0 });
    expect(git(bob, 'status', '--porcelain')).toBe('');
  },
);

it('--frozen fails where something else than the lock file holds would come out', async () => {
  const ada = await teamWith();
  ada.write('project/.mcp.json', ada.read('project/.mcp.json').replace('hooks.json', 'other.json'));
  const before = projectFiles(ada);
  const ran = await ada.run('install', '--frozen', '--scope', 'project', '--yes');
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('definition would change') });
  expect(projectFiles(ada)).toEqual(before);
});

it('--frozen says so where a client is named that the lock file has no hooks for', async () => {
  const ada = await teamWith();
  const before = projectFiles(ada);
  const { code, stderr } = await ada.run('install', 'memo', '--frozen', '--client', 'cursor');
  expect(code).toBe(1);
  expect(stderr).toContain(
    "the hooks locked for 'memo' can't be installed unchanged: clients would change\n",
  );
  expect(stderr).not.toContain('Restore');
  expect(projectFiles(ada)).toEqual(before);
});

it('diff without --scope points at what the project has', async () => {
  const ada = teamWorld();
  expect(await ada.run('diff')).toEqual({
    code: 0,
    stdout: '',
    stderr: "No hooks are installed. 'mcphooks scan' shows your servers that have some.\n",
  });
  await installForTeam(ada);
  expect(await ada.run('diff')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('mcphooks diff --scope project'),
  });
});

it.runIf(LONG)('drift of shims, client files and lock is seen without a server', async () => {
  const ada = await teamWith(...ALL);
  commit(ada);
  const diff = () => ada.run('diff', '--scope', 'project', '--offline');
  expect(await diff()).toMatchObject({ code: 0 });
  const shim = Object.keys(projectFiles(ada)).find((p) => p.endsWith('claude-code/PostToolUse')) ?? '';
  for (const spoil of [
    () => rmSync(join(ada.project, shim)),
    () => ada.write(`project/${shim}`, '#!/bin/sh\n'),
    () => ada.write(`project/${shim}-2`, 'left over'),
    () => ada.write('project/.claude/settings.json', '{}'),
    () => rmSync(join(ada.project, LOCK)),
  ]) {
    spoil();
    expect((await diff()).code, spoil.toString()).toBe(2);
    git(ada, 'clean', '-fdq');
    git(ada, 'checkout', '--', '.');
  }
  expect(await diff()).toMatchObject({ code: 0 });
});

it('a file of ours that was altered together with its hash in the lock is seen', async () => {
  const ada = await teamWith();
  commit(ada);
  const paths = Object.keys(projectFiles(ada));
  const ends = ['runtime/fire.cjs', 'claude-code/UserPromptSubmit', 'claude-code/UserPromptSubmit.json'];
  for (const end of LONG ? ends : ends.slice(0, 1)) {
    const path = paths.find((p) => p.endsWith(end)) ?? '';
    const hash = (): string =>
      createHash('sha256')
        .update(ada.read(`project/${path}`))
        .digest('hex');
    const before = hash();
    ada.write(`project/${path}`, `${ada.read(`project/${path}`)}\n`);
    ada.write(`project/${LOCK}`, ada.read(`project/${LOCK}`).replaceAll(before, hash()));
    const diff = await ada.run('diff', '--scope', 'project', '--offline', '--format', 'markdown');
    expect(diff).toMatchObject({
      code: 2,
      stdout: expect.stringContaining(`\`${path}\` was altered`),
    });
    const frozen = await ada.run('install', '--frozen', '--scope', 'project', '--yes');
    expect([frozen.code, slashed(frozen.stderr)]).toEqual([1, expect.stringContaining(path)]);
    git(ada, 'checkout', '--', '.');
  }
});

it.runIf(LONG)('what was altered in the lock file alone is seen', async () => {
  const ada = await teamWith(...ALL);
  const text = ada.read(`project/${LOCK}`);
  const altered = [
    [`"shown": "${START.command}`, '"shown": "safe'],
    [/"digest": ".{3}/, '"digest": "000'],
    ['"fidelity": [\n            "native"', '"fidelity": [\n            "late"'],
    ['"event": "SessionStart"', '"event": "Stop"'],
  ] as const;
  for (const [from, to] of altered) {
    const altered = text.replace(from, to);
    expect(altered).not.toBe(text);
    ada.write(`project/${LOCK}`, altered);
    const diff = await ada.run('diff', '--scope', 'project', '--offline', '--format', 'markdown');
    expect(diff, to).toMatchObject({ code: 2, stdout: expect.stringContaining(LOCK) });
    const frozen = await ada.run('install', '--frozen', '--scope', 'project', '--yes');
    expect(frozen, to).toMatchObject({ code: 1, stderr: expect.stringContaining(LOCK) });
    const servers = ['install', 'memo', '--scope', 'project', '--yes'];
    expect(await ada.run(...servers)).toMatchObject({ code: 0 });
    expect(ada.read(`project/${LOCK}`)).toBe(text);
  }
});

it('a lock file that puts entries into a file of another client is damaged', async () => {
  const ada = await teamWith(...ALL);
  const text = ada.read(`project/${LOCK}`);
  for (const [from, to] of [
    ['"file": ".codex/config.toml"', '"file": ".claude/settings.json"'],
    ['"own": {', '"own": { ".mcphooks/mine": "",'],
  ] as const) {
    ada.write(`project/${LOCK}`, text.replace(from, to));
    const before = projectFiles(ada);
    expect(await ada.run('uninstall', 'memo', '--scope', 'project'), to).toMatchObject({ code: 1 });
    expect(projectFiles(ada)).toEqual(before);
  }
});

it('a server that only this machine knows is refused, with the reason', async () => {
  const ada = teamWorld();
  const entry = serverEntry(ada.write('home/declared.json', JSON.stringify({ declarations: HOOKS })));
  ada.write('home/.claude.json', JSON.stringify({ mcpServers: { mine: entry } }));
  const before = projectFiles(ada);
  const ran = await ada.run('install', 'mine', '--scope', 'project', '--yes');
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('.claude.json') });
  expect(ran.stderr).toContain('.mcp.json');
  expect(projectFiles(ada)).toEqual(before);
  const given = await ada.run(
    'install',
    'mine',
    '--scope',
    'project',
    '--yes',
    '--',
    'node',
    `${ada.home}/x.mjs`,
  );
  expect(given).toMatchObject({ code: 1, stderr: expect.stringContaining('this machine') });
});

it('a lock file that names files of other folders is damaged', async () => {
  const ada = await teamWith();
  const lock = JSON.parse(ada.read(`project/${LOCK}`));
  const [client] = Object.keys(lock.servers[0].clients);
  lock.servers[0].clients[client ?? ''].otherFiles = [{ file: '/x/.claude/settings.json', entries: [] }];
  ada.write(`project/${LOCK}`, JSON.stringify(lock));
  for (const command of ['diff', 'uninstall']) {
    const { code, stdout } = await ada.run(command, 'memo', '--scope', 'project', '--json');
    expect([code, stdout]).toEqual([1, expect.stringContaining('lock.damaged')]);
  }
});

it('a damaged lock file stops no command about the own hooks of a user, and scan names it, too', async () => {
  const ada = await teamWith();
  ada.write('home/.claude.json', JSON.stringify({ mcpServers: { mine: { command: 'true' } } }));
  const hooks = ada.write('home/hooks.json', JSON.stringify(HOOKS.slice(1)));
  const own = ['mine', '--client', 'claude-code'];
  const installed = await ada.run('install', ...own, '--declarations', hooks, '--no-check', '--yes');
  expect(installed.code, installed.stderr).toBe(0);
  const lock = ada.read(`project/${LOCK}`);
  const damaged = [lock.replace(/post_tool_use/g, 'after_tool'), '[]', lock.slice(0, 200)];
  for (const [i, text] of damaged.entries()) {
    ada.write(`project/${LOCK}`, text);
    for (const [command, code] of [
      ['scan', 0],
      ['list', 1],
      ['log', 0],
    ] as const) {
      const ran = await ada.run(command, '--json');
      expect([command, i, ran.code]).toEqual([command, i, code]);
      if (command !== 'log') expect(ran.stdout).toContain(LOCK);
    }
    const list = await ada.run('list');
    expect(list.stdout).toMatch(/^mine /m);
    expect(list.stderr).not.toMatch(/: {2}is missing/);
  }
  expect((await ada.run('uninstall', 'mine')).code).toBe(0);
});

it('merge conflicts are called by their name', async () => {
  const ada = await teamWith();
  const conflict = (text: string): string => `<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> theirs\n`;
  for (const path of [LOCK, '.claude/settings.json', '.mcp.json']) {
    const text = ada.read(`project/${path}`);
    ada.write(`project/${path}`, conflict(text));
    const pull = await ada.run('diff', '--scope', 'project', '--offline', '--format', 'markdown');
    expect([pull.code, pull.stdout]).toEqual([1, expect.stringMatching(/merge conflict/)]);
    for (const args of [
      ['diff', '--offline'],
      // No hook is in the file of servers, so an uninstall doesn't need it.
      ...(path === '.mcp.json'
        ? [
            ['install', 'memo'],
            ['install', 'other'],
          ]
        : [['uninstall', 'memo']]),
      ['install', '--frozen', '--yes'],
    ]) {
      const { code, stderr } = await ada.run(...args, '--scope', 'project');
      expect([code, stderr], `${path} ${args}`).toEqual([1, expect.stringMatching(/:1:1\b.*merge conflict/)]);
      if (path === '.mcp.json') expect(stderr.split('.mcp.json')).toHaveLength(2);
    }
    ada.write(`project/${path}`, text);
  }
});

it.runIf(LONG)(
  'a merge conflict in one client’s file keeps an uninstall from writing the others',
  async () => {
    const ada = await teamWith('--client', 'claude-code,codex');
    ada.write(
      'project/hooks.json',
      JSON.stringify({ declarations: [{ event: 'pre_request', context: 'Look.', priority: 'suggestion' }] }),
    );
    for (const [name, client] of [
      ['aaa', 'codex'],
      ['zzz', 'claude-code'],
    ] as const) {
      const from = ['--declarations', 'hooks.json', '--no-check', '--client', client];
      expect(await ada.run('install', name, '--scope', 'project', '--yes', ...from)).toMatchObject({
        code: 0,
      });
    }
    ada.write('project/.claude/settings.json', `<<<<<<< HEAD\n${ada.read('project/.claude/settings.json')}`);
    const refuses = async (): Promise<void> => {
      const before = projectFiles(ada);
      for (const how of [['memo'], ['memo', '--dry-run'], ['--all']]) {
        const { code, stderr } = await ada.run('uninstall', '--scope', 'project', ...how);
        expect([code, stderr], how.join(' ')).toEqual([1, expect.stringMatching(/:1:1\b.*merge conflict/)]);
        expect(projectFiles(ada)).toEqual(before);
      }
    };
    await refuses();
    const frozen = ada.run('install', '--frozen', '--scope', 'project', '--yes', '--json');
    const { faults } = JSON.parse((await frozen).stdout);
    expect(faults.filter((fault: { code: string }) => fault.code === 'edit.conflict')).toHaveLength(1);
    // Neither side has the entries that the lock file lists.
    ada.write('project/.claude/settings.json', '<<<<<<< HEAD\n{}\n=======\n{"a":1}\n>>>>>>> theirs\n');
    await refuses();
    const other = ['uninstall', 'memo', '--scope', 'project', '--client', 'codex'];
    expect(await ada.run(...other)).toMatchObject({ code: 0 });
  },
);

it.runIf(LONG)(
  'entries that a teammate moved to Codex’s other file are no strangers, and an install records the file',
  async () => {
    const ada = await teamWith('--client', 'codex');
    const [toml, json] = ['project/.codex/config.toml', 'project/.codex/hooks.json'];
    ada.write(json, JSON.stringify({ hooks: parseToml(ada.read(toml)).hooks }));
    ada.write(toml, '');
    const { code, stdout, stderr } = await ada.run('diff', '--scope', 'project', '--offline');
    expect([code, stderr]).toEqual([2, '']);
    expect(stdout).toContain('missing or changed: hooks.json');
    expect(stdout).not.toContain('--frozen');
    expect(await ada.run('install', 'memo', '--scope', 'project', '--yes')).toMatchObject({ code: 0 });
    expect(ada.read(toml)).toBe('');
    expect(await ada.run('diff', '--scope', 'project', '--offline')).toMatchObject({ code: 0 });
  },
);

it.runIf(LONG)(
  'a merge conflict in the lock file is named where it may list the hooks that a command is for',
  async () => {
    const ada = await teamWith('--client', 'codex');
    ada.write(`project/${LOCK}`, `<<<<<<< HEAD\n${ada.read(`project/${LOCK}`)}`);
    for (const args of [
      ['disable', 'memo'],
      ['enable', 'memo'],
      ['uninstall', 'memo'],
      ['diff', 'memo'],
      ['fire', 'memo', 'pre_request'],
    ]) {
      const { code, stderr } = await ada.run(...args);
      expect([args[0], code === 0, stderr]).toEqual([
        args[0],
        false,
        expect.stringMatching(/mcphooks\.lock\.json:1:1\b.*merge conflict/),
      ]);
    }
    const explained = await ada.run('explain', 'memo');
    expect(explained.stdout + explained.stderr).toMatch(/mcphooks\.lock\.json:1:1\b.*merge conflict/);
    await installIn(ada, '--client', 'claude-code');
    expect(await ada.run('disable', 'memo')).toMatchObject({ code: 0 });
  },
);

it('a merge conflict in a file of servers is not in the way of a server from the command line', async () => {
  const world = teamWorld();
  world.write('project/.gemini/settings.json', '<<<<<<< HEAD\n{}\n');
  world.write(
    'project/hooks.json',
    JSON.stringify([{ event: 'pre_request', context: 'Hi.', priority: 'suggestion' }]),
  );
  const args = ['--declarations', 'hooks.json', '--client', 'claude-code', '--no-check', '--dry-run'];
  const ran = await world.run('install', 'note', '--scope', 'project', ...args, '--', 'npx', '-y', 'foo@1');
  expect(ran).toMatchObject({ code: 2 });
});

it('a lock file from a stranger leads nowhere out of the project', async () => {
  const ada = await teamWith();
  const victim = ada.write('home/victim', 'mine');
  const lock = ada.read(`project/${LOCK}`);
  for (const bad of ['../home/victim', '.mcphooks/../../home/victim', victim, '.claude/settings.json']) {
    ada.write(`project/${LOCK}`, lock.replace(/"\.mcphooks\/runtime\/call.cjs"/, JSON.stringify(bad)));
    expect(await ada.run('uninstall', 'memo', '--scope', 'project'), bad).toMatchObject({ code: 1 });
  }
  ada.write(`project/${LOCK}`, lock);
  rmSync(join(ada.project, '.mcphooks'), { recursive: true });
  mkdirSync(join(ada.home, 'elsewhere'));
  symlinkSync(join(ada.home, 'elsewhere'), join(ada.project, '.mcphooks'));
  const ran = await ada.run('install', '--frozen', '--scope', 'project', '--yes');
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('symbolic link') });
  expect(readdirSync(join(ada.home, 'elsewhere'))).toEqual([]);
});

it.runIf(LONG).each(['read-only', '/dev/null'])(
  'works where nothing can be written to the home: %s',
  async (home) => {
    const ada = await teamWith();
    commit(ada);
    const bob = mate(ada);
    if (home === 'read-only') chmodSync(bob.home, 0o500);
    else bob.env.HOME = home;
    expect(await bob.run('diff', '--scope', 'project', '--offline')).toMatchObject({ code: 0 });
    rmSync(join(bob.project, '.mcphooks'), { recursive: true });
    expect(await bob.run('install', '--frozen', '--scope', 'project', '--yes')).toMatchObject({ code: 0 });
    chmodSync(bob.home, 0o700);
  },
);

it('an uninstall without the lock file leaves nothing of mcphooks in the project', async () => {
  const ada = await teamWith('--client', 'claude-code');
  rmSync(join(ada.project, 'mcphooks.lock.json'));
  expect(await ada.run('uninstall', 'memo', '--scope', 'project')).toMatchObject({ code: 0 });
  expect(Object.keys(ada.files()).filter((path) => path.includes('.mcphooks'))).toEqual([]);
  expect(await ada.run('diff', '--scope', 'project')).toMatchObject({ code: 0 });
});

it.runIf(LONG)("--scope local writes Claude Code's own local file, and no other client has one", async () => {
  const ada = teamWorld();
  const before = ada.files();
  const hash = /--allow-start ([0-9a-f]{64})/.exec(
    (await ada.run('install', 'memo', '--scope', 'local', '--yes')).stderr,
  )?.[1];
  const ran = await ada.run('install', 'memo', '--scope', 'local', '--yes', '--allow-start', hash ?? '');
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('out of git') });
  expect(git(ada, 'status', '--short')).toBe('?? .claude/settings.local.json\n');
  expect(await ada.run('diff', '--scope', 'local', '--offline')).toMatchObject({ code: 0 });
  expect((await ada.run('diff')).stderr).toContain("Scope local has some: 'mcphooks diff --scope local'");
  const none = await ada.run('install', 'memo', '--scope', 'local', '--client', 'codex', '--dry-run');
  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('no local scope') });
  const droid = await ada.run('install', 'memo', '--scope', 'local', '--client', 'droid', '--dry-run');
  expect(droid).toMatchObject({ code: 1, stderr: expect.stringContaining('no local scope') });
  expect(await ada.run('uninstall', 'memo', '--scope', 'local')).toMatchObject({ code: 0 });
  const { 'home/.local/state/mcphooks/record.json': _starts, ...after } = ada.files();
  expect(Object.keys(after)).toEqual(Object.keys(before));
});

it.runIf(LONG)(
  "with the same server for oneself, the project's shims stay silent, and doctor says so",
  async () => {
    const ada = await teamWith();
    const fire = () =>
      ada.run('fire', 'memo', 'pre_request', '--client', 'claude-code', '--scope', 'project');
    expect((await fire()).stdout).toContain('Keep answers short.');
    // Nobody needs every client of a project.
    const before = JSON.parse((await ada.run('doctor', '--json')).stdout);
    expect([before.exit, everywhereFound(before.remarks)]).toMatchObject([0, [{ code: 'doctor.no-client' }]]);
    const server = [
      '--',
      process.execPath,
      join(ada.project, 'tools/server.mjs'),
      join(ada.project, 'tools/hooks.json'),
    ];
    expect(await ada.run('install', 'memo', '--client', 'claude-code', '--yes', ...server)).toMatchObject({
      code: 0,
    });
    expect((await fire()).stdout).not.toContain('Keep answers short.');
    const doctor = JSON.parse((await ada.run('doctor', '--json')).stdout);
    expect(doctor.findings).toMatchObject([{ code: 'doctor.no-client' }]);
    expect(everywhereFound(doctor.remarks)).toMatchObject([
      { code: 'doctor.project-silent', server: 'memo' },
    ]);
  },
);

it.runIf(LONG)('a clone with the line ends of Windows is current on every client', async () => {
  const ada = teamWorld();
  await installForTeam(ada, '--client', CLIENT_IDS.join(','));
  commit(ada);
  const bob = makeWorld();
  git(bob, '-c', 'core.autocrlf=true', 'clone', '--quiet', ada.project, '.');
  git(bob, 'config', 'core.autocrlf', 'true');
  const before = projectFiles(bob);
  expect(before['.opencode/plugins/mcphooks-memo.js']).toContain('\r\n');
  const diff = await bob.run('diff', '--scope', 'project', '--offline');
  expect([diff.code, diff.stdout, diff.stderr]).toEqual([0, diff.stdout, '']);
  expect(await bob.run('install', '--frozen', '--scope', 'project', '--yes')).toMatchObject({ code: 0 });
  expect(projectFiles(bob)).toEqual(before);
  expect(git(bob, 'status', '--porcelain')).toBe('');
});
