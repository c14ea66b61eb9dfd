import { execFileSync } from 'node:child_process';
import { chmodSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OUTPUTS } from '../../src/cli/json/outputs.ts';
import { CLIENTS } from '../../src/clients/index.ts';
import { projectToo } from '../../src/inspect/doctor/duplicates.ts';
import { switches } from '../../src/inspect/doctor/switches.ts';
import type { DoctorContext } from '../../src/inspect/doctor/types.ts';
import { LONG } from '../effort.ts';
import { filesOf } from '../files.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { programFile, WINDOWS } from '../platform.ts';
import { COMMIT, declare, homeWith, installClients, own, START, starts, trustCodex } from './home.ts';
import { cleanWorlds, madeOnce, makeWorld, type World } from './world.ts';

cleanWorlds();
installsNodeHere({ servers: true });

interface Found {
  code: string;
  server?: string;
  client?: string;
  where?: string;
}

async function examine(world: World, ...flags: string[]) {
  const { code, stdout } = await world.run('doctor', '--json', ...flags);
  const document = JSON.parse(stdout) as {
    exit: number;
    status: string;
    findings: Found[];
    remarks: Found[];
    log: { incident: string }[];
    clients: { client: string; version?: string }[];
  };
  expect(OUTPUTS.doctor.safeParse(document).error).toBeUndefined();
  expect(document).toMatchObject({ version: 1, command: 'doctor', exit: code });
  expect(code).toBe(document.findings.length > 0 ? 1 : 0);
  return document;
}

/** Findings as `code client`. */
async function found(world: World, ...flags: string[]): Promise<string[]> {
  return codes((await examine(world, ...flags)).findings);
}

const codes = (found: readonly Found[]): string[] =>
  found.map(({ code, client }) => (client ? `${code} ${client}` : code));

const VERSIONS = { claude: '2.1.329 (Claude Code)', codex: 'codex-cli 0.169.0', gemini: '0.61.0' };
const TRUSTED = 'home/.gemini/trustedFolders.json';

/** The same as `installClients`, but their files tell their versions, so that none has to be started. */
function putClients(world: World, versions: Record<string, string>): void {
  installClients(world, versions);
  if (WINDOWS) return;
  for (const { program } of CLIENTS) {
    const { binary, npmPackages: [name] = [] } = program;
    const version = /\d+\.\d+\.\d+/.exec(versions[binary] ?? '')?.[0];
    if (version === undefined) continue;
    world.write(`packages/${binary}/package.json`, JSON.stringify({ name, version }));
    const link = join(world.home, '../bin', binary);
    renameSync(link, join(world.home, `../packages/${binary}/${binary}`));
    symlinkSync(`../packages/${binary}/${binary}`, link);
  }
}

/** Everything is installed, trusted and of a version that was tried. */
const wellWorld = madeOnce(async (...declarations: object[]) => {
  const world = homeWith(...declarations);
  putClients(world, VERSIONS);
  world.write(TRUSTED, JSON.stringify({ [world.project]: 'TRUST_FOLDER' }));
  expect((await world.run('install', 'memo', '--yes')).code).toBe(0);
  trustCodex(world);
  return world;
});

it('finds nothing where all is well, and changes nothing', async () => {
  const world = await wellWorld(COMMIT, START);
  const [before, asked] = [world.files(), starts(world)];
  expect(await examine(world)).toMatchObject({
    status: 'well',
    findings: [],
    remarks: [],
    clients: CLIENTS.filter(({ program }) => program.binary in VERSIONS).map(({ id }) => ({
      client: id,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    })),
  });
  const { code, stdout } = await world.run('doctor');
  expect([code, stdout.includes('0.169.0')]).toEqual([0, true]);
  expect([world.files(), starts(world)]).toEqual([before, asked]);
  expect(await found(world, '--check')).toEqual([]);
  expect(starts(world)).toBe(asked + 1);
});

it('has nothing to look at where nothing is installed', async () => {
  const world = makeWorld();
  expect((await world.run('doctor')).code).toBe(0);
  expect(world.files()).toEqual({});
});

describe('clients', () => {
  it.runIf(LONG)('that are gone, too old or newer than was tried', async () => {
    const world = await wellWorld(COMMIT);
    for (const name of ['claude', 'codex', 'gemini']) rmSync(join(world.home, '../bin', programFile(name)));
    installClients(world, { claude: '2.1.90', gemini: '0.62.0' });
    expect(await found(world)).toEqual(['doctor.version-old claude-code', 'doctor.no-client codex']);
    const remove = async () => /mcphooks uninstall .*/.exec((await world.run('doctor')).stdout)?.[0];
    expect(await remove()).toBe('mcphooks uninstall memo --client codex');
    world.write('project/hooks.json', JSON.stringify([COMMIT]));
    const file = ['--declarations', 'hooks.json', '--no-check'];
    await world.run('install', 'other', '--client', 'codex', '--yes', ...file);
    expect(await remove()).toBe('mcphooks uninstall --all --client codex');
    expect((await examine(world)).remarks).toMatchObject([
      { code: 'doctor.version-new', client: 'gemini-cli' },
    ]);
  });

  it('of a version in which no hook gives a text', async () => {
    const world = homeWith(COMMIT);
    installClients(world, { opencode: '2.0.14' });
    await world.run('install', 'memo', '--client', 'opencode', '--yes');
    expect(await found(world)).toEqual(['doctor.version-new opencode']);
    expect((await world.run('doctor')).stdout).toContain('→ use OpenCode ');
  });

  it.runIf(LONG)('that never answer are not waited for', async () => {
    const world = await wellWorld(COMMIT);
    rmSync(join(world.home, '../bin/claude'));
    chmodSync(world.write('bin/claude', '#!/bin/sh\nsleep 600\n'), 0o755);
    expect((await examine(world)).remarks).toMatchObject([{ code: 'doctor.no-version' }]);
  });
});

describe('hooks that are switched off', () => {
  it.each([
    ['claude-code', 'home/.claude/settings.json', '{', '{ "disableAllHooks": true,', 'home/.claude'],
    ['claude-code', 'project/.claude/settings.json', '', '{ "disableAllHooks": true }', 'project/.claude'],
    ['codex', 'home/.codex/config.toml', '# mine', '[features]\nhooks = false\n', 'home/.codex'],
    [
      'gemini-cli',
      'home/.gemini/settings.json',
      '{',
      '{ "hooksConfig": { "enabled": false },',
      'home/.gemini',
    ],
    ['gemini-cli', 'project/.gemini/settings.json', '', '{ "hooksConfig": { "enabled": false } }', 'project'],
  ])('in %s by %s', async (client, file, old, now, folder) => {
    const world = await wellWorld(COMMIT);
    const text = old === '' ? '' : world.read(file);
    world.write(file, old === '' ? now : text.replace(old, () => now));
    const { findings } = await examine(world);
    expect(findings).toMatchObject([{ code: 'doctor.hooks-off', client }]);
    expect(findings[0]?.where).toContain(join(world.home, '..', folder));
  });

  it('but not where a stronger file takes it back', async () => {
    const world = await wellWorld(COMMIT);
    world.write('project/.claude/settings.json', '{ "disableAllHooks": true }');
    world.write('project/.claude/settings.local.json', '{ "disableAllHooks": false }');
    expect(await found(world)).toEqual([]);
  });

  it.each([
    ['claude-code', '/etc/claude-code/managed-settings.json', '{ "allowManagedHooksOnly": true }'],
    ['claude-code', '/etc/claude-code/managed-settings.json', '{ "disableAllHooks": true }'],
    ['claude-code', '/etc/claude-code/managed-settings.d/10.json', '{ "disableAllHooks": true }'],
    ['codex', '/etc/codex/requirements.toml', 'allow_managed_hooks_only = true'],
    ['codex', '/etc/codex/managed_config.toml', '[features]\nhooks = false'],
    ['codex', '/etc/codex/config.toml', '[features]\nhooks = false'],
    ['gemini-cli', '/etc/gemini-cli/settings.json', '{ "hooksConfig": { "enabled": false } }'],
  ] as const)('in %s by its administrator', (client, file, text) => {
    const scene = {
      env: { HOME: '/home/user' },
      cwd: '/project',
      programs: [{ client }],
      ...filesOf({ [file]: text }),
    } as unknown as DoctorContext;
    expect(switches(scene)).toMatchObject([
      { code: 'doctor.hooks-off', where: { file }, args: { system: 1 } },
    ]);
  });

  it('but not where a later file of theirs takes it back', () => {
    const files: Record<string, string> = {
      '/etc/claude-code/managed-settings.json': '{ "disableAllHooks": true }',
      '/etc/claude-code/managed-settings.d/10.json': '{ "disableAllHooks": true }',
      '/etc/claude-code/managed-settings.d/20.json': '{ "disableAllHooks": false }',
    };
    const scene = {
      env: { HOME: '/home/user' },
      cwd: '/project',
      programs: [{ client: 'claude-code' }],
      ...filesOf(files),
    } as unknown as DoctorContext;
    expect(switches(scene)).toEqual([]);
  });

  it.runIf(LONG)('one by one in their client, by the environment, or here', async () => {
    const world = await wellWorld(COMMIT);
    world.write(
      'project/.gemini/settings.json',
      '{ "hooksConfig": { "disabled": ["mcphooks:memo:AfterTool"] } }',
    );
    expect(await found(world)).toEqual(['doctor.off-here gemini-cli']);
    expect((await world.run('doctor')).stdout).toContain('switch it on in its /hooks');
    world.env.MCPHOOKS_DISABLE = 'memo';
    expect(await found(world)).toContain('doctor.environment');
    world.env.MCPHOOKS_DISABLE = 'other';
    expect(await found(world)).not.toContain('doctor.environment');
    await world.run('disable', 'memo');
    expect(await found(world)).toContain('doctor.disabled');
  });
});

describe('trust', () => {
  it('of Codex that is missing or void', async () => {
    const world = await wellWorld(COMMIT);
    const trusted = world.read('home/.codex/config.toml');
    world.write('home/.codex/config.toml', trusted.replace(/trusted_hash = .*/, ''));
    expect(await found(world)).toEqual(['doctor.untrusted codex']);
    world.write('home/.codex/config.toml', trusted.replace(/sha256:..../, 'sha256:0000'));
    expect(await found(world)).toEqual(['doctor.modified codex']);
  });

  it.runIf(LONG)('of Gemini CLI in this folder, the nearest rule first', async () => {
    const world = await wellWorld(COMMIT);
    const above = join(world.project, '..');
    const rules: [Record<string, string>, string[]][] = [
      [{}, ['doctor.folder-untrusted gemini-cli']],
      [{ [above]: 'TRUST_FOLDER' }, []],
      [{ [above]: 'TRUST_FOLDER', [world.project]: 'DO_NOT_TRUST' }, ['doctor.folder-untrusted gemini-cli']],
      [{ [join(above, 'other')]: 'TRUST_PARENT' }, []],
      [{ [`${world.project}-2`]: 'TRUST_FOLDER' }, ['doctor.folder-untrusted gemini-cli']],
    ];
    for (const [rule, expected] of rules) {
      world.write(TRUSTED, JSON.stringify(rule));
      // Hooks of one's own are in every folder: that nobody trusted this one is no failure.
      const { findings, remarks } = await examine(world);
      expect(findings).toEqual([]);
      expect(codes(remarks), JSON.stringify(rule)).toEqual(expected);
    }
    world.write('project/.gemini/settings.json', '{ "security": { "folderTrust": { "enabled": false } } }');
    expect(codes((await examine(world)).remarks)).toEqual([]);
    rmSync(join(world.project, '.gemini'), { recursive: true });
    world.env.GEMINI_CLI_TRUST_WORKSPACE = 'true';
    expect(codes((await examine(world)).remarks)).toEqual([]);
  });
});

describe('files', () => {
  it('that their client rejects, with the place', async () => {
    const world = await wellWorld(COMMIT);
    world.write('home/.gemini/settings.json', '{\n  "a": 1,\n}\n');
    const { findings, remarks } = await examine(world);
    expect(findings).toMatchObject([{ code: 'edit.unreadable', client: 'gemini-cli' }]);
    expect(codes(remarks)).not.toContain('server.file-syntax gemini-cli');
    expect(findings[0]?.where).toMatch(/settings\.json:3:1$/);
  });

  it('of a client without hooks that nobody can read, once', async () => {
    const world = await wellWorld(COMMIT);
    world.write('home/.qwen/settings.json', '{\n  "a": ,\n}\n');
    const { findings, remarks } = await examine(world);
    expect(findings).toEqual([]);
    expect(codes(remarks)).toEqual(['server.file-syntax qwen-code']);
    expect(remarks[0]?.where).toMatch(/settings\.json:2:8$/);
  });

  it('with entries gone or edited', async () => {
    const world = await wellWorld(COMMIT);
    world.write('home/.claude/settings.json', '{}');
    const gemini = world.read('home/.gemini/settings.json');
    world.write('home/.gemini/settings.json', gemini.replace(/"timeout": ?\d+/, '"timeout": 1'));
    expect(await found(world)).toEqual(['doctor.missing claude-code', 'doctor.edited gemini-cli']);
  });

  it.runIf(LONG)('with an entry twice', async () => {
    const world = await wellWorld(COMMIT);
    const settings = JSON.parse(world.read('home/.claude/settings.json'));
    const [entry] = settings.hooks.PostToolUse;
    settings.hooks.PostToolUse.push({ ...entry, hooks: entry.hooks.slice() }, { ...entry, matcher: 'Edit' });
    world.write('home/.claude/settings.json', JSON.stringify(settings));
    expect(codes((await examine(world)).remarks)).toEqual(['doctor.repeated claude-code']);
    expect((await world.run('list')).stdout).toMatch(/more than once in this file: PostToolUse\n.*settings/);
    expect((await world.run('fire', 'memo', 'post_tool_use')).stderr).not.toContain('more than once');
    expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
    // Somebody edited the other one.
    expect(codes((await examine(world)).remarks)).toEqual(['doctor.repeated claude-code']);
    settings.hooks.PostToolUse = [entry];
    world.write('home/.claude/settings.json', JSON.stringify(settings));
    expect(codes((await examine(world)).remarks)).toEqual([]);
  });

  it('of ours that are gone or altered', async () => {
    const world = await wellWorld(COMMIT);
    rmSync(join(world.home, '..', own(world, 'codex/PostToolUse.json')));
    const shim = own(world, 'gemini-cli/AfterTool');
    world.write(shim, `${world.read(shim)}\n`);
    expect(await found(world)).toEqual(['doctor.own-gone codex', 'doctor.own-altered gemini-cli']);
    rmSync(join(world.home, '..', shim));
    expect(await found(world)).toEqual(['doctor.own-gone codex', 'doctor.own-gone gemini-cli']);
  });

  it('of ours whose node is gone', async () => {
    const world = await wellWorld(COMMIT);
    const shim = own(world, 'gemini-cli/AfterTool');
    world.write(shim, world.read(shim).replace(/node='.*'/, "node='/gone/node'"));
    expect((await examine(world)).remarks).toMatchObject([{ code: 'doctor.node-moved', server: 'memo' }]);
    world.env.PATH = join(world.home, '../bin');
    expect(await found(world)).toContain('doctor.no-node');
  });

  it.runIf(LONG)('of ours that nobody can read, in every other command too', async () => {
    const world = await wellWorld(COMMIT);
    const folder = dirname(own(world, 'claude-code/PostToolUse'));
    rmSync(join(world.home, '..', folder), { recursive: true });
    symlinkSync('claude-code', join(world.home, '..', folder));
    expect(await found(world)).toEqual(['plan.unreadable claude-code']);
    expect((await world.run('list')).stdout).toMatch(/memo +✕ missing +\S+ \S+ +● current/);
    for (const words of [
      ['diff', '--offline'],
      ['install', '--yes'],
      ['explain'],
      ['disable'],
      ['uninstall'],
    ]) {
      const [command = '', ...flags] = words;
      const { stderr } = await world.run(command, 'memo', ...flags);
      expect(stderr, command).not.toContain('did not foresee');
    }
  });

  it('that double hooks: two of one client, or one of the project', async () => {
    const world = await wellWorld(COMMIT);
    const settings = world.read('home/.claude/settings.json');
    world.write(
      'home/.codex/hooks.json',
      '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}',
    );
    expect(await found(world)).toEqual(['doctor.two-files codex']);
    world.write('home/.codex/hooks.json', '{"hooks":{}}');
    world.write('project/.claude/settings.json', settings);
    expect(await found(world)).toEqual(['doctor.project-too claude-code']);
    // Claude Code runs equal commands once.
    expect((await world.run('doctor')).stdout).toContain('its texts may appear twice');
  });

  it("that double none: in the home folder, the project's file is the user's own", () => {
    const file = '/home/user/.claude/settings.json';
    const command =
      "'/home/user/.local/share/mcphooks/hooks/memo/0123456789abcdef/claude-code/Stop' 2>/dev/null || exit 0";
    const hooks = { Stop: [{ hooks: [{ type: 'command', command }] }] };
    const scene = (cwd: string, at: string) =>
      ({
        env: { HOME: '/home/user' },
        cwd,
        programs: [{ client: 'claude-code' }],
        servers: [
          { record: { server: 'memo', slug: 'memo', scope: 'user', clients: { 'claude-code': {} } } },
        ],
        ...filesOf({ [at]: JSON.stringify({ hooks }) }),
      }) as unknown as DoctorContext;
    expect(projectToo(scene('/home/user', file))).toEqual([]);
    expect(projectToo(scene('/project', '/project/.claude/settings.json'))).toMatchObject([
      { code: 'doctor.project-too' },
    ]);
  });

  it('left by an interrupted run, which are not touched', async () => {
    const world = await wellWorld(COMMIT);
    world.write(
      'home/.local/state/mcphooks/journal.commit.json',
      '{"format":1,"ops":[],"made":[],"emptied":[]}',
    );
    const before = world.files();
    expect(await found(world, '--check')).toEqual(['doctor.interrupted']);
    expect(world.files()).toEqual(before);
  });

  it('without a record, or with one that cannot be read', async () => {
    const world = await wellWorld(COMMIT);
    world.write('home/.local/state/mcphooks/record.json', '{');
    expect(await found(world)).toEqual([
      'doctor.record',
      'doctor.unknown claude-code',
      'doctor.unknown codex',
      'doctor.unknown gemini-cli',
    ]);
  });
});

describe('the server', () => {
  it.runIf(LONG)('whose definition is gone or another one, without starting it', async () => {
    const world = await wellWorld(START);
    const asked = starts(world);
    const servers = world.read('home/.claude.json');
    world.write('home/.claude.json', servers.replace('declared.json', 'other.json'));
    expect(await found(world)).toEqual(['doctor.definition.changed claude-code']);
    world.write('home/.claude.json', '{}');
    expect(await found(world)).toEqual(['doctor.definition.gone claude-code']);
    expect(starts(world)).toBe(asked);
  });

  it.runIf(LONG)('that declares other hooks, or does not answer, when it is reached', async () => {
    const world = await wellWorld(COMMIT);
    declare(world, { ...COMMIT, context: 'Other.' });
    expect(await found(world)).toEqual([]);
    expect(await found(world, '--check')).toEqual(['doctor.declarations.changed']);
    world.write('home/declared.json', '{');
    expect(await found(world, '--check')).toEqual(['server.died']);
  });

  it('of a project that was not approved is not started', async () => {
    const world = await wellWorld(COMMIT);
    const evil = world.read('home/.claude.json').replace('declared.json', 'evil.json');
    world.write('project/.mcp.json', evil);
    const asked = starts(world);
    expect(await found(world, '--check')).toHaveLength(1);
    expect(starts(world)).toBe(asked);
  });
});

describe('what happened', () => {
  const line = (n: number, more: object = {}) => ({
    at: new Date(Date.now() + n).toISOString(),
    incident: 'tool.slow',
    server: 'memo',
    client: 'codex',
    n,
    ...more,
  });
  const log = (world: World, lines: readonly object[]) =>
    world.write(
      'home/.local/state/mcphooks/hooks.log',
      [...lines.map((one) => JSON.stringify(one)), 'torn'].join('\n'),
    );
  const failed = (world: World) => {
    const shim = join(world.home, '..', own(world, 'claude-code/PostToolUse'));
    return world.write('home/.local/share/mcphooks/hooks/memo/failed', `${shim}\n`);
  };

  it('shows the last lines of the log and the last shim that failed, and takes neither for a finding', async () => {
    const world = await wellWorld(COMMIT);
    const lines = Array.from({ length: 9 }, (_, n) => line(n));
    log(world, lines);
    failed(world);
    const document = await examine(world);
    expect(document.exit).toBe(0);
    expect(document.log).toEqual(lines.slice(-5));
    expect(document.remarks).toMatchObject([{ code: 'doctor.shim-failed', server: 'memo' }]);
    const at = lines[8]?.at.slice(0, 16).replace('T', ' ') ?? '';
    expect((await world.run('doctor')).stdout).toContain(at);
  });

  it.runIf(LONG)('shows nothing that was put right since, or is long ago', async () => {
    const world = await wellWorld(COMMIT);
    const open = line(5, { incident: 'definition.changed' });
    log(world, [
      // Before the install, which earlier tests of this file may have made minutes ago.
      line(-3_600_000),
      line(-8 * 86_400_000),
      line(1, { server: 'other' }),
      line(2, { incident: 'data.unreadable' }),
      open,
    ]);
    const failure = failed(world);
    utimesSync(failure, 1_767_000_000, 1_767_000_000);
    expect(await examine(world)).toMatchObject({ log: [], remarks: [] });
    const servers = world.read('home/.claude.json');
    world.write('home/.claude.json', servers.replace('declared.json', 'other.json'));
    expect((await examine(world)).log).toEqual([open]);
    world.write('home/.claude.json', servers);
    world.write(own(world, 'codex/PostToolUse.json'), '{}');
    expect((await examine(world)).log).toMatchObject([{ incident: 'data.unreadable' }]);
  });
});

it('shows a data file that a hook could not read, with its server, until it is repaired', async () => {
  const world = await wellWorld(COMMIT);
  const path = (tail: string): string => join(dirname(world.home), own(world, tail));
  const data = path('claude-code/PostToolUse.json');
  rmSync(data);
  const { env } = world;
  const words = [path('fire.cjs'), data.replace(/\.json$/, ''), '1', '1'];
  expect(execFileSync(process.execPath, words, { env, input: '{}', encoding: 'utf8' })).toBe('-\n');
  const lost = { incident: 'data.unreadable', server: 'memo', client: 'claude-code' };
  expect((await examine(world)).log).toMatchObject([lost]);
  await world.run('install', 'memo', '--yes');
  expect((await examine(world)).log).toEqual([]);
});

it.runIf(LONG)('shows a failed call of a tool until the tool answers', async () => {
  const world = await wellWorld(START);
  const logged = async () => (await examine(world)).log;
  const fire = () => world.run('fire', 'memo', 'session_start', '--client', 'claude-code');
  const declared = world.read('home/declared.json');
  world.write('home/declared.json', 'TELL');
  await fire();
  expect(await logged()).toMatchObject([{ incident: 'tool.failed' }]);
  world.write('home/declared.json', declared);
  expect(await logged()).toHaveLength(1);
  await fire();
  expect(await logged()).toEqual([]);
});

it('finds a node that is too old for the hook scripts', async () => {
  const world = await wellWorld(COMMIT);
  const old = world.write('old/node', '#!/bin/sh\necho v18.19.1\n');
  chmodSync(old, 0o755);
  world.env.PATH = `${dirname(old)}:${world.env.PATH}`;
  // Scripts name the node of the install.
  expect(await found(world)).toEqual([]);
  for (const script of ['claude-code/PostToolUse', 'claude-code/PostToolUseFailure'])
    world.write(own(world, script), world.read(own(world, script)).replace(/node='.*'/, "node='/gone/node'"));
  expect(await found(world)).toContain('doctor.node-old');
});

it('finds a node that does not start', async () => {
  const world = await wellWorld(COMMIT);
  const broken = world.write('broken/node', '#!/bin/sh\necho "no libicu.74" >&2\nexit 134\n');
  chmodSync(broken, 0o755);
  const script = own(world, 'gemini-cli/AfterTool');
  const naming = (path: string): void =>
    void world.write(script, world.read(script).replace(/node='.*'/, `node='${path}'`));
  naming(broken);
  const { findings } = await examine(world);
  const finding = { code: 'doctor.node-broken', server: 'memo', where: broken };
  expect(findings).toContainEqual(expect.objectContaining(finding));
  naming('/gone/node');
  world.env.PATH = `${dirname(broken)}:${world.env.PATH}`;
  // A version manager's may start in the project, and not in the home folder.
  expect((await examine(world)).remarks).toContainEqual(expect.objectContaining(finding));
});

it('names tools that are paused, as list does, and what a package runner installs', async () => {
  const world = await wellWorld(COMMIT, START);
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const { hash } = JSON.parse(world.read('home/.local/state/mcphooks/record.json')).servers[0].definition;
  const tool = { format: 1, server: 'memo', tool: 'note', hash, late: ['a', 'b', 'c'], pausedUntil: until };
  const others = [
    // With a definition that was approved before.
    { ...tool, hash: 'f'.repeat(64) },
    { ...tool, tool: 'gone' },
    { ...tool, server: 'other' },
    { ...tool, pausedUntil: new Date(0).toISOString() },
    // Of a clock that was set back: no pause is that long.
    { ...tool, pausedUntil: new Date(Date.now() + 48 * 3_600_000).toISOString() },
  ];
  for (const [i, state] of [tool, ...others].entries())
    world.write(`home/.local/state/mcphooks/tools/0${i}.json`, JSON.stringify(state));
  world.write('home/.local/state/mcphooks/tools/09.json', '{');
  const since = new Date().toISOString();
  const install = {
    format: 1,
    runner: 'npx',
    package: 'a-server',
    since,
    holders: [{ pid: process.pid }],
    nonce: '',
  };
  world.write(`home/.local/state/mcphooks/installing/${'0'.repeat(16)}.json`, JSON.stringify(install));
  const dead = { ...install, holders: [{ pid: 4_194_303 }] };
  world.write(`home/.local/state/mcphooks/installing/${'1'.repeat(16)}.json`, JSON.stringify(dead));

  const { findings, remarks } = await examine(world);
  expect(codes(findings)).toEqual(['doctor.tool-paused']);
  expect(codes(remarks)).toEqual(['doctor.installing']);
  expect((await world.run('list')).stdout).toMatch(
    /note gave no answer in time in three sessions in a row, and is paused until \d{4}-\d\d-\d\d \d\d:\d\d UTC$/m,
  );
  const [memo] = JSON.parse((await world.run('list', '--json')).stdout).servers;
  expect(memo.findings).toMatchObject([{ code: 'doctor.tool-paused', server: 'memo' }]);
});
