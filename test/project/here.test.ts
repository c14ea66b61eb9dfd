import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OUTPUTS } from '../../src/cli/json/outputs.ts';
import { reviewHash, reviewKey } from '../../src/clients/codex/review.ts';
import { homeWith, installClients } from '../cli/home.ts';
import { cleanWorlds, type World } from '../cli/world.ts';
import { LONG } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { everywhereFound, homeEnv, inJson, WINDOWS } from '../platform.ts';
import { commit, HOOKS, installedTeams, installIn, mate, projectFiles, teamWorld } from './team.ts';

cleanWorlds();
installsNodeHere({ servers: true });
const teamWith = installedTeams();
const ALL = ['--client', 'claude-code,codex,gemini-cli'];
const LOCK = 'mcphooks.lock.json';
const DISABLED = 'home/.local/share/mcphooks/hooks/memo/disabled';

interface Listed {
  server: string;
  scope: string;
  root?: string;
  clients: { client: string; state: string; findings: { code: string }[] }[];
}

async function listed(
  world: World,
): Promise<{ exit: number; servers: Listed[]; faults: { code: string }[] }> {
  const { code, stdout } = await world.run('list', '--json');
  const document = JSON.parse(stdout);
  expect(OUTPUTS.list.safeParse(document).error).toBeUndefined();
  expect(document.exit).toBe(code);
  return document;
}

/** `<scope> <client>` -> state */
async function states(world: World): Promise<Record<string, string>> {
  const { servers } = await listed(world);
  return Object.fromEntries(
    servers.flatMap((s) => s.clients.map((c) => [`${s.scope} ${c.client}`, c.state])),
  );
}

/** Findings and remarks of doctor, as codes with their client. */
async function found(world: World): Promise<string[]> {
  const { stdout } = await world.run('doctor', '--json');
  const document = JSON.parse(stdout);
  expect(OUTPUTS.doctor.safeParse(document).error).toBeUndefined();
  return document.findings.map((f: { code: string; client?: string }) => [f.code, f.client].join(' ').trim());
}

const VERSIONS = { claude: '2.1.329 (Claude Code)', codex: 'codex-cli 0.169.0', gemini: '0.61.0' };

/** What Codex and Gemini CLI write down when a person trusts the project, and Codex its hooks. */
function trustProject(world: World): void {
  world.write('home/.gemini/trustedFolders.json', JSON.stringify({ [world.project]: 'TRUST_FOLDER' }));
  const lock = JSON.parse(world.read(`project/${LOCK}`));
  const file = join(world.project, lock.servers[0].clients.codex.file);
  const reviews = lock.servers[0].clients.codex.entries.map(
    ({ event, group }: { event: string; group: Parameters<typeof reviewHash>[1] }) =>
      `[hooks.state."${inJson(reviewKey(file, event, 0, 0))}"]\ntrusted_hash = "${reviewHash(event, group, 0, WINDOWS)}"\n`,
  );
  const project = `[projects."${inJson(world.project)}"]\ntrust_level = "trusted"\n`;
  world.write('home/.codex/config.toml', [project, ...reviews].join(''));
}

describe('list', () => {
  it.runIf(LONG)('shows what the project has, and that its clients need trust', async () => {
    const ada = await teamWith(...ALL);
    commit(ada);
    const bob = mate(ada);
    expect(await states(bob)).toEqual({
      'project claude-code': 'current',
      'project codex': 'untrusted',
      'project gemini-cli': 'untrusted',
    });
    const { servers, exit } = await listed(bob);
    expect([exit, servers[0]?.root]).toEqual([0, bob.project]);
    const codes = servers[0]?.clients.map((c) => everywhereFound(c.findings).map((f) => f.code));
    expect(codes).toEqual([
      [],
      ['doctor.untrusted', 'doctor.project-untrusted'],
      ['doctor.folder-untrusted'],
    ]);
    trustProject(bob);
    expect(Object.values(await states(bob))).toEqual(['current', 'current', 'current']);
    expect((await bob.run('list')).stdout).toMatch(/memo +project/);
    rmSync(join(bob.project, '.claude'), { recursive: true });
    expect((await states(bob))['project claude-code']).toBe('missing');
  });

  it.runIf(LONG)('shows each scope in a row of its own, and nothing of other projects', async () => {
    const ada = await teamWith('--client', 'claude-code');
    await installIn(ada, '--client', 'claude-code,gemini-cli');
    ada.write('home/.local/share/other', '');
    expect(await states(ada)).toEqual({
      'user claude-code': 'current',
      'user gemini-cli': 'untrusted',
      'project claude-code': 'current',
    });
    const other = mate(ada);
    Object.assign(other.env, homeEnv(ada.home));
    await other.run('uninstall', 'memo', '--scope', 'project');
    await ada.run('uninstall', 'memo', '--scope', 'project');
    await ada.run('uninstall', 'memo');
    await installIn(ada, '--scope', 'local');
    expect(await states(ada)).toEqual({ 'local claude-code': 'current' });
    expect(await states(other)).toEqual({});
  });

  it.runIf(LONG)(
    'fails with the reason where the lock file cannot be used, and still lists the rest',
    async () => {
      const ada = await teamWith('--client', 'codex');
      await installIn(ada, '--client', 'claude-code');
      ada.write(`project/${LOCK}`, `<<<<<<< HEAD\n${ada.read(`project/${LOCK}`)}`);
      const { exit, faults, servers } = await listed(ada);
      expect([exit, faults.map((f) => f.code)]).toEqual([1, ['lock.conflict']]);
      expect(servers.map((s) => s.scope)).toEqual(['user']);
      expect(await found(ada)).toContain('lock.conflict');
      expect(await ada.run('uninstall', 'memo')).toMatchObject({ code: 0 });
      expect((await ada.run('list')).stderr).not.toContain('No hooks are installed');
    },
  );

  it.runIf(LONG)(
    'asks for no trust of Copilot CLI where a variable of its own trusts every folder',
    async () => {
      const ada = await teamWith('--client', 'copilot');
      expect(await states(ada)).toEqual({ 'project copilot': 'untrusted' });
      expect(await found(ada)).toEqual(['doctor.folder-untrusted copilot']);
      ada.env.COPILOT_ALLOW_ALL = 'true';
      expect(await states(ada)).toEqual({ 'project copilot': 'current' });
      expect(await found(ada)).toEqual([]);
      delete ada.env.COPILOT_ALLOW_ALL;
      ada.write('home/.copilot/config.json', JSON.stringify({ trustedFolders: [ada.project] }));
      expect(await states(ada)).toEqual({ 'project copilot': 'current' });
      expect(await found(ada)).toEqual([]);
    },
  );

  it('shows entries of which the lock file says nothing', async () => {
    const ada = await teamWith('--client', 'claude-code');
    rmSync(join(ada.project, LOCK));
    const { servers } = await listed(ada);
    expect(servers).toMatchObject([
      { server: 'memo', scope: 'project', clients: [{ findings: [{ code: 'doctor.unknown' }] }] },
    ]);
  });
});

describe('doctor', () => {
  it.runIf(LONG)('looks at what the project has: trust, missing entries, altered shims', async () => {
    const ada = await teamWith(...ALL);
    installClients(ada, VERSIONS);
    expect(await found(ada)).toEqual([
      'doctor.untrusted codex',
      'doctor.project-untrusted codex',
      'doctor.folder-untrusted gemini-cli',
    ]);
    trustProject(ada);
    expect(await found(ada)).toEqual([]);
    ada.write('project/.claude/settings.json', '{}');
    expect(await found(ada)).toEqual(['doctor.missing claude-code']);
    const { stdout } = await ada.run('doctor');
    expect(stdout).toContain('mcphooks install --scope project memo');
  });

  it.runIf(LONG)('finds nothing wrong with a server that the user and the project have', async () => {
    const ada = await teamWith('--client', 'claude-code');
    await installIn(ada, '--client', 'claude-code');
    installClients(ada, VERSIONS);
    expect(await found(ada)).toEqual([]);
  });
});

describe('disable', () => {
  it.runIf(LONG)("silences what the project has on one's own machine alone", async () => {
    const ada = await teamWith('--client', 'claude-code');
    commit(ada);
    const bob = mate(ada);
    const before = bob.files();
    const fire = () => bob.run('fire', 'memo', 'pre_request', '--scope', 'project');
    expect((await fire()).stdout).toContain('Keep answers short.');
    const { 'home/.local/state/mcphooks/tag': _tag, ...after } = bob.files();
    expect(await bob.run('disable', 'memo')).toMatchObject({ code: 0 });
    expect(Object.keys(bob.files())).toContain(DISABLED);
    expect((await fire()).stdout).toContain("'memo' is disabled");
    expect(await states(bob)).toEqual({ 'project claude-code': 'disabled' });
    expect(await found(bob)).toContain('doctor.disabled');
    expect(projectFiles(bob)).toEqual(projectFiles(ada));
    expect(await bob.run('disable', 'memo')).toMatchObject({ stderr: expect.stringContaining('already') });
    expect((await bob.run('uninstall', 'memo')).stderr).toContain('mcphooks uninstall --scope project memo');
    expect(Object.keys(bob.files())).toContain(DISABLED);
    expect(await bob.run('enable', 'memo')).toMatchObject({ code: 0 });
    expect((await fire()).stdout).toContain('Keep answers short.');
    expect(Object.keys(after).filter((path) => !(path in bob.files()))).toEqual([]);
    expect(Object.keys(bob.files()).filter((path) => path.includes('share'))).toEqual([]);
    expect(Object.keys(before).filter((path) => path.startsWith('project'))).toEqual(
      Object.keys(bob.files()).filter((path) => path.startsWith('project')),
    );
  });

  it('leaves no folder behind once it is taken back', async () => {
    const ada = await teamWith('--client', 'claude-code');
    commit(ada);
    const bob = mate(ada);
    await bob.run('disable', 'memo');
    expect(await bob.run('enable', 'memo')).toMatchObject({ code: 0 });
    expect(existsSync(join(bob.home, '.local'))).toBe(false);
  });

  it.runIf(LONG)(
    "outlives an uninstall of the user's own hooks elsewhere, and goes with the last project",
    async () => {
      const ada = await teamWith('--client', 'claude-code');
      await installIn(ada, '--client', 'claude-code');
      await ada.run('disable', 'memo');
      mkdirSync(join(ada.home, 'elsewhere'));
      expect(await ada.runAs({ folder: 'home/elsewhere' }, 'uninstall', 'memo')).toMatchObject({ code: 0 });
      expect(await states(ada)).toEqual({ 'project claude-code': 'disabled' });
      expect(await ada.run('uninstall', 'memo', '--scope', 'project')).toMatchObject({ code: 0 });
      expect(existsSync(join(ada.home, '.local/share'))).toBe(false);
    },
  );

  it.runIf(LONG).each(['enable', 'uninstall --scope user'])(
    'is forgotten in projects after %s, so that a later uninstall leaves nothing',
    async (line) => {
      const ada = await teamWith('--client', 'claude-code');
      await installIn(ada, '--client', 'claude-code');
      await ada.run('disable', 'memo');
      await ada.run(...line.split(' '), 'memo');
      expect(await ada.run('uninstall', 'memo', '--scope', 'project')).toMatchObject({ code: 0 });
      if (line === 'enable') await ada.run('uninstall', 'memo');
      expect(Object.keys(ada.files()).filter((path) => path.includes('record'))).toEqual([]);
      expect(existsSync(join(ada.home, '.local/share'))).toBe(false);
    },
  );

  it.runIf(LONG)(
    'that an uninstall could not forget is lifted by enable, where nothing else is left',
    async () => {
      const ada = await teamWith('--client', 'claude-code');
      await ada.run('disable', 'memo');
      const record = join(ada.home, '.local/state/mcphooks/record.json');
      chmodSync(record, 0o400);
      const refused = await ada.run('uninstall', 'memo', '--scope', 'project');
      expect(refused.code).toBe(1);
      expect(refused.stderr.replace(/\s+/g, ' ')).toContain(
        "but this machine still has them as disabled Make it writable, then run 'mcphooks enable memo' and 'mcphooks uninstall --scope project memo'.",
      );
      chmodSync(record, 0o600);
      expect(await ada.run('enable', 'memo')).toMatchObject({ code: 0 });
      expect(await ada.run('uninstall', 'memo', '--scope', 'project')).toMatchObject({ code: 0 });
      expect(existsSync(join(ada.home, '.local/share'))).toBe(false);
      expect(await ada.run('enable', 'memo')).toMatchObject({ code: 1 });
    },
  );

  it.runIf(LONG)('outlives an uninstall on another branch, and one that removes nothing', async () => {
    const ada = await teamWith('--client', 'claude-code');
    await installIn(ada, '--client', 'claude-code');
    await ada.run('disable', 'memo');
    const lock = ada.read(`project/${LOCK}`);
    rmSync(join(ada.project, LOCK));
    expect(await ada.run('uninstall', 'memo')).toMatchObject({ code: 0 });
    await ada.run('uninstall', 'memo', '--scope', 'project', '--client', 'droid');
    const folders = ['.mcphooks', '.claude'].map((name) => join(ada.project, name));
    for (const folder of folders) renameSync(folder, `${folder}.away`);
    await ada.run('uninstall', 'memo', '--scope', 'project');
    for (const folder of folders) renameSync(`${folder}.away`, folder);
    ada.write(`project/${LOCK}`, lock);
    expect(await states(ada)).toEqual({ 'project claude-code': 'disabled' });
  });

  it.runIf(LONG)('in a project outlives an uninstall that leaves a client there', async () => {
    const ada = await teamWith('--client', 'claude-code');
    await ada.run('disable', 'memo');
    const settings = join(ada.project, '.claude/settings.json');
    const text = ada.read('project/.claude/settings.json');
    rmSync(settings);
    mkdirSync(settings);
    expect(await ada.run('uninstall', 'memo', '--scope', 'project')).toMatchObject({ code: 1 });
    rmSync(settings, { recursive: true });
    ada.write('project/.claude/settings.json', text);
    expect(await ada.run('install', '--frozen', '--scope', 'project', '--yes')).toMatchObject({ code: 0 });
    expect(await states(ada)).toEqual({ 'project claude-code': 'disabled' });
  });

  it.runIf(LONG)(
    'goes with the project that is left, whichever install it was given for, and not with one that is gone',
    async () => {
      const ada = await teamWith('--client', 'claude-code');
      await installIn(ada, '--client', 'claude-code');
      await ada.runAs({ folder: 'home' }, 'disable', 'memo');
      await ada.run('uninstall', 'memo');
      expect(await states(ada)).toEqual({ 'project claude-code': 'disabled' });
      rmSync(ada.project, { recursive: true });
      await ada.runAs({ folder: 'home' }, 'uninstall', '--all');
      expect(existsSync(join(ada.home, '.local/share'))).toBe(false);
      expect(Object.keys(ada.files()).filter((path) => path.includes('record'))).toEqual([]);
    },
  );

  it.runIf(LONG)("of one's own hooks in another project says nothing about this one", async () => {
    const ada = await teamWith('--client', 'claude-code');
    await ada.run('disable', 'memo');
    mkdirSync(join(ada.home, 'other/.git'), { recursive: true });
    const there = { folder: 'home/other' };
    const file = ada.write('home/d.json', JSON.stringify({ declarations: HOOKS }));
    const given = ['--declarations', file, '--no-check', '--yes'];
    const ran = await ada.runAs(
      there,
      ...['install', 'memo', '--scope', 'local', '--client', 'claude-code', ...given],
    );
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    await ada.runAs(there, 'enable', 'memo');
    await installIn(ada, '--client', 'claude-code');
    await ada.runAs({ folder: 'home/other' }, 'uninstall', 'memo', '--scope', 'user');
    expect(await states(ada)).toEqual({ 'project claude-code': 'disabled' });
  });

  it.runIf(LONG)('silences what is local, and no other install of that name', async () => {
    const ada = teamWorld();
    await installIn(ada, '--scope', 'local');
    const fire = () => ada.run('fire', 'memo', 'pre_request', '--scope', 'local');
    expect(await ada.run('disable', 'memo')).toMatchObject({ code: 0 });
    expect((await fire()).stdout).not.toContain('Keep answers short.');
    expect(await states(ada)).toEqual({ 'local claude-code': 'disabled' });
    expect(Object.keys(ada.files())).not.toContain(DISABLED);
    await ada.run('enable', 'memo');
    expect((await fire()).stdout).toContain('Keep answers short.');
  });

  it('knows a name that was nearly meant', async () => {
    const ada = await teamWith('--client', 'claude-code');
    expect(await ada.run('disable', 'meno')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Did you mean 'memo'?"),
    });
  });

  it.runIf(LONG).each(['1', 'other, memo'])('is not needed where MCPHOOKS_DISABLE is %s', async (value) => {
    const ada = await teamWith('--client', 'claude-code');
    ada.env.MCPHOOKS_DISABLE = value;
    const { stdout } = await ada.run('fire', 'memo', 'pre_request', '--scope', 'project');
    expect(stdout).toContain(`MCPHOOKS_DISABLE=${value}`);
    expect(await found(ada)).toContain('doctor.environment');
  });
});

it.runIf(LONG && !WINDOWS)(
  'fire says where a client that reads hooks at the root alone is to be started',
  async () => {
    const ada = await teamWith('--client', 'claude-code,codex');
    mkdirSync(join(ada.project, 'sub'));
    const fire = async (client: string) =>
      (
        await ada.runAs(
          { folder: 'project/sub' },
          ...['fire', 'memo', 'pre_request', '--scope', 'project', '--client', client],
        )
      ).stdout;
    expect(await fire('codex')).toContain('Keep answers short.');
    const silent = await fire('claude-code');
    expect(silent).toContain(`printed nothing below ${ada.project}`);
    expect(silent).not.toContain('doctor');
  },
);

describe('a server that is installed at another scope', () => {
  it.each([['diff', '--offline'], ['diff'], ['fire', 'pre_request'], ['uninstall']])(
    'is pointed at by %s',
    async (command, ...more) => {
      const ada = await teamWith('--client', 'claude-code');
      const args = [command, 'memo', ...more.filter((word): word is string => word !== undefined)];
      const { code, stderr } = await ada.run(...args);
      expect(code).toBe(command === 'uninstall' ? 0 : 1);
      expect(stderr).toContain("no hooks from 'memo' are installed at scope user");
      expect(stderr).toContain(
        command === 'uninstall' ? 'mcphooks uninstall --scope project memo' : 'add --scope project',
      );
    },
  );

  it.runIf(LONG)('is explained as it would be, with a word', async () => {
    const ada = await teamWith('--client', 'claude-code');
    const hash = /--allow-start ([0-9a-f]{64})/.exec((await ada.run('explain', 'memo')).stderr)?.[1];
    const args = hash ? ['--allow-start', hash] : [];
    expect(await ada.run('explain', 'memo', ...args)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('add --scope project'),
      stderr: '',
    });
  });

  it.runIf(LONG)('is explained with a word on the scope', async () => {
    const world = homeWith(...HOOKS);
    const install = ['install', 'memo', '--yes', '--scope', 'local', '--client', 'claude-code'];
    expect(await world.run(...install)).toMatchObject({ code: 0 });
    const { code, stdout, stderr } = await world.run('explain', 'memo');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^memo {2}\d hooks? \(preview\)\n {2}no hooks from 'memo' are installed at scope user\n {4}They are installed at scope local: add --scope local\.\n/,
    );
    const document = JSON.parse((await world.run('explain', 'memo', '--json')).stdout);
    expect(OUTPUTS.explain.safeParse(document).error).toBeUndefined();
    expect(document.elsewhere).toMatchObject({ code: 'plan.not-installed' });
    expect(document.elsewhere.message).toContain('add --scope local');
    const there = JSON.parse((await world.run('explain', 'memo', '--scope', 'local', '--json')).stdout);
    expect([there.elsewhere, typeof there.since]).toEqual([undefined, 'string']);
  });

  it.runIf(LONG)('may be the own one, or one of the project for oneself', async () => {
    const ada = teamWorld();
    await installIn(ada, '--scope', 'local');
    const removed = await ada.run('uninstall', 'memo', '--scope', 'project');
    expect(removed.stderr).toContain('mcphooks uninstall --scope local memo');
    await installIn(ada);
    await ada.run('uninstall', 'memo', '--scope', 'local');
    const diffed = await ada.run('diff', 'memo', '--scope', 'project');
    expect(diffed.stderr).toContain('leave --scope out');
  });
});

it('completes names of what the project has', async () => {
  const ada = await teamWith('--client', 'claude-code');
  const offered = async (word: string) =>
    (await ada.run('__complete', word, '')).stdout.split('\n').map((line) => line.split('\t')[0]);
  for (const command of ['uninstall', 'diff', 'disable', 'fire'])
    expect(await offered(command)).toContain('memo');
});

it.runIf(LONG)('uninstalls what the user has without a word of what the project has', async () => {
  const ada = await teamWith('--client', 'gemini-cli');
  await installIn(ada, '--client', 'gemini-cli');
  const before = projectFiles(ada);
  const { code, stdout } = await ada.run('uninstall', 'memo');
  expect([code, stdout.includes('project/')]).toEqual([0, false]);
  expect(projectFiles(ada)).toEqual(before);
});

it('says where hooks are, when all of the user are to be uninstalled and there are none', async () => {
  const ada = await teamWith('--client', 'claude-code');
  const all = ['uninstall', '--all'];
  const said = async (...more: string[]) => (await ada.run(...all, ...more)).stderr;
  expect(await said()).toContain("'mcphooks uninstall --all --scope project'");
  await installIn(ada, '--client', 'codex');
  expect(await said('--client', 'gemini-cli')).toBe(
    'Nothing to do: no hooks are installed for Gemini CLI.\n',
  );
});
