import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OUTPUTS } from '../../src/cli/json/outputs.ts';
import { reviewKey } from '../../src/clients/codex/review.ts';
import { COMMIT, declare, homeWith, installClients, START as NOTE } from '../cli/home.ts';
import { cleanWorlds, type World } from '../cli/world.ts';
import { LONG, sample } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import {
  bringServer,
  HOOKS,
  installedTeams,
  installForTeam,
  installIn,
  projectFiles,
  START,
  teamWorld,
} from './team.ts';

cleanWorlds();
installsNodeHere({ servers: true });
const teamWith = installedTeams();
const CLAUDE = ['--client', 'claude-code'];
const PROMPT = { event: 'pre_request', context: 'Keep answers short.', priority: 'suggestion' };

interface Planned {
  status: string;
  exit: number;
  clients: Record<string, { covered?: { by: string; where: string }; notes: string[] }>;
}

/** What an install says of each client. */
async function planned(world: World, ...args: string[]): Promise<Planned> {
  const asked = await world.run('install', 'memo', '--json', ...args);
  const hash = /--allow-start ([0-9a-f]{64})/.exec(asked.stdout)?.[1];
  const { stdout } = hash
    ? await world.run('install', 'memo', '--json', '--allow-start', hash, ...args)
    : asked;
  const document = JSON.parse(stdout);
  expect(OUTPUTS.install.safeParse(document).error).toBeUndefined();
  const clients = document.plan.clients as {
    client: string;
    covered?: { by: string; where: string };
    notes: { code: string }[];
  }[];
  return {
    status: document.status,
    exit: document.exit,
    clients: Object.fromEntries(
      clients.map(({ client, covered, notes }) => [
        client,
        { ...(covered && { covered }), notes: notes.map((n) => n.code) },
      ]),
    ),
  };
}

/** Puts an export where its client loads it by itself. */
async function exported(world: World, format: string, folder: string, ...more: string[]): Promise<string> {
  const out = join(world.home, folder);
  const ran = await world.run('export', 'memo', '--format', format, '--out', out, '--yes', ...more);
  expect(ran).toMatchObject({ code: 0 });
  return out;
}

const spoken = async (world: World, ...args: string[]): Promise<boolean> =>
  (await world.run('fire', 'memo', 'pre_request', ...CLAUDE, ...args)).stdout.includes('Keep answers short.');

describe('an install for oneself', () => {
  it('leaves out clients that have the hooks from a plugin or extension', async () => {
    const world = homeWith(COMMIT);
    const skill = await exported(world, 'claude-plugin', '.claude/skills/mcphooks-memo');
    const extension = await exported(world, 'gemini-extension', '.gemini/extensions/mcphooks-memo');
    const { status, exit, clients } = await planned(world, '--dry-run');
    expect([status, exit]).toEqual(['planned', 2]);
    expect(clients).toMatchObject({
      'claude-code': { covered: { by: 'plugin', where: skill }, notes: ['across.covered'] },
      codex: { notes: [] },
      'gemini-cli': { covered: { by: 'extension', where: extension } },
    });
    expect(clients.codex?.covered).toBeUndefined();
    const claude = world.read('home/.claude/settings.json');
    const ran = await world.run('install', 'memo', '--yes');
    expect(ran.stdout).toMatch(/– covered +● native +– covered/);
    expect(world.read('home/.claude/settings.json')).toBe(claude);
    expect(world.read('home/.gemini/settings.json')).not.toContain('AfterTool');
    expect(world.read('home/.codex/config.toml')).toMatch(/mcphooks[/\\]+hooks[/\\]+memo/);
  });

  it('has nothing to do where all of them have', async () => {
    const world = homeWith(COMMIT);
    await exported(world, 'claude-plugin', '.claude/skills/mcphooks-memo');
    const before = world.files();
    const ran = await world.run('install', 'memo', '--yes', ...CLAUDE);
    expect(ran).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('already have hooks of this server'),
    });
    const { 'home/started.log': _a, ...after } = world.files();
    const { 'home/started.log': _b, ...was } = before;
    expect(after).toEqual(was);
  });

  it.runIf(LONG)('is compared by diff as it is planned: what another one serves is no change', async () => {
    const world = homeWith(COMMIT);
    await exported(world, 'claude-plugin', '.claude/skills/mcphooks-memo');
    const compared = async () => {
      const { code, stdout } = await world.run('diff', 'memo', ...CLAUDE);
      const { servers } = JSON.parse((await world.run('diff', 'memo', '--json', ...CLAUDE)).stdout);
      const { exit, plan } = servers[0];
      const covered = plan.clients.filter((c: { covered?: object }) => c.covered);
      return { code, exit, stdout, clients: covered.map((c: { client: string }) => c.client) };
    };
    const alone = await compared();
    expect(alone).toMatchObject({ code: 0, exit: 0, clients: ['claude-code'] });
    expect(alone.stdout).toMatch(/^memo: not installed\n.*Claude Code: already covered/);
    expect((await world.run('diff', 'memo', '--client', 'claude-code,codex')).code).toBe(2);
    await installIn(world, '--client', 'codex');
    const beside = await compared();
    expect(beside).toMatchObject({ code: 0, exit: 0, clients: ['claude-code'] });
    expect(beside.stdout).toMatch(/^memo: as installed\n.*Claude Code: already covered/);
  });

  it.runIf(LONG)('is told which hooks the other one has, as far as that is known', async () => {
    const world = homeWith(COMMIT, PROMPT);
    const skill = '.claude/skills/mcphooks-memo';
    const told = async (...args: string[]) => {
      const { stdout } = await world.run('install', 'memo', '--dry-run', '--json', ...CLAUDE, ...args);
      const [{ covered, notes }] = JSON.parse(stdout).plan.clients;
      const text = (await world.run('install', 'memo', '--dry-run', ...CLAUDE, ...args)).stdout;
      return { covered, says: notes[0].message, rows: text.match(/– .*/g) };
    };
    const where = await exported(world, 'claude-plugin', skill, '--only', '1');
    const has = `already covered: the plugin ${where} has hooks of this server`;
    expect(await told()).toEqual({
      covered: { by: 'plugin', where, lacks: [2] },
      says: `${has}, but not hook 2`,
      rows: ['– covered', '– left out'],
    });
    expect((await told('--only', '1')).says).toBe(has);
    declare(world, COMMIT, { ...PROMPT, context: 'Other text.' }, NOTE);
    const other = await told();
    expect(other.covered).toEqual({ by: 'plugin', where, otherDeclarations: true });
    expect(other.says).toBe(`${has}, from other declarations than these`);
    rmSync(where, { recursive: true });
    declare(world, COMMIT, PROMPT);
    await installIn(world, ...CLAUDE, '--only', '1');
    await world.run('disable', 'memo');
    const local = await told('--scope', 'local', '--only', '2');
    expect(local.covered).toMatchObject({ by: 'user', lacks: [2], disabled: true });
    expect(local.says).toBe(
      'already covered: your own install has hooks of this server, but not hook 2; they are disabled',
    );
  });

  it.runIf(LONG)('takes no notice of a plugin that is off, or of another server', async () => {
    const world = homeWith(COMMIT);
    const root = await exported(world, 'claude-plugin', '.claude/skills/mcphooks-memo');
    const mark = join(root, 'mcphooks.json').slice(world.home.length - 'home'.length);
    world.write('home/.claude/settings.json', '{ "enabledPlugins": { "mcphooks-memo@skills-dir": false } }');
    expect((await planned(world, '--dry-run', ...CLAUDE)).clients['claude-code']?.covered).toBeUndefined();
    world.write('home/.claude/settings.json', '{}');
    world.write(mark, world.read(mark).replace('"memo"', '"other"'));
    expect((await planned(world, '--dry-run', ...CLAUDE)).clients['claude-code']?.covered).toBeUndefined();
  });

  it.runIf(LONG)(
    'keeps what was installed before the plugin came, and doctor says which of them is silent',
    async () => {
      const world = homeWith(COMMIT);
      installClients(world, { claude: '2.1.329 (Claude Code)' });
      expect((await world.run('install', 'memo', '--yes', ...CLAUDE)).code).toBe(0);
      await exported(world, 'claude-plugin', '.claude/skills/mcphooks-memo');
      expect((await planned(world, '--dry-run', ...CLAUDE)).exit).toBe(0);
      const { findings, remarks } = JSON.parse((await world.run('doctor', '--json')).stdout);
      expect(findings).toEqual([]);
      expect(remarks).toMatchObject([
        { code: 'doctor.export-silent', client: 'claude-code', server: 'memo' },
      ]);
    },
  );

  it.runIf(LONG)('is made where the project has the hooks, too, which are silent then', async () => {
    const ada = await teamWith(...CLAUDE);
    expect(await planned(ada, '--dry-run', ...CLAUDE)).toMatchObject({
      exit: 2,
      clients: { 'claude-code': { notes: ['across.project-silent'] } },
    });
    expect(await spoken(ada, '--scope', 'project')).toBe(true);
    await installIn(ada, ...CLAUDE);
    expect([await spoken(ada), await spoken(ada, '--scope', 'project')]).toEqual([true, false]);
    const silent = await ada.run('fire', 'memo', 'pre_request', ...CLAUDE, '--scope', 'project');
    expect(silent.stdout).toContain('your own hooks of this server give the text here');
  });
});

describe('an install for oneself in a project', () => {
  it.each(sample([['user'], ['project']], 2))('is covered by the one at scope %s', async (scope) => {
    const ada = teamWorld();
    await installIn(ada, '--scope', scope, ...CLAUDE);
    const { exit, clients } = await planned(ada, '--scope', 'local', '--yes');
    expect([exit, clients['claude-code']?.covered?.by]).toEqual([0, scope]);
    expect(Object.keys(ada.files())).not.toContain('project/.claude/settings.local.json');
  });

  it.runIf(LONG)(
    'is silent beside a later one of the user, and doctor finds what is given twice',
    async () => {
      const ada = teamWorld();
      installClients(ada, { claude: '2.1.329 (Claude Code)' });
      const found = async () => JSON.parse((await ada.run('doctor', '--json')).stdout).findings;
      await installIn(ada, '--scope', 'local');
      await installForTeam(ada, ...CLAUDE);
      expect(await found()).toEqual([]);
      await exported(ada, 'claude-plugin', '.claude/skills/mcphooks-memo');
      expect(await found()).toEqual([]);
      rmSync(join(ada.home, '.claude/skills'), { recursive: true });
      expect((await planned(ada, '--dry-run', ...CLAUDE)).clients['claude-code']?.notes).toEqual([
        'across.local-silent',
        'across.project-silent',
      ]);
      await installIn(ada, ...CLAUDE);
      expect(await found()).toEqual([]);
      expect([await spoken(ada), await spoken(ada, '--scope', 'local')]).toEqual([true, false]);
      for (const scope of ['user', 'local']) await ada.run('uninstall', 'memo', '--scope', scope);
      await exported(ada, 'claude-plugin', '.claude/skills/mcphooks-memo');
      expect(await found()).toMatchObject([{ code: 'doctor.twice', server: 'memo', client: 'claude-code' }]);
    },
  );
});

describe('an install for the project', () => {
  it.runIf(LONG)(
    "is the same whatever stands on one's own machine, and the plan says what speaks here",
    async () => {
      const [ada, bob] = [teamWorld(), teamWorld()];
      await installIn(ada, ...CLAUDE);
      expect(await planned(ada, '--scope', 'project', '--dry-run', ...CLAUDE)).toMatchObject({
        clients: { 'claude-code': { notes: ['across.user-speaks'] } },
      });
      for (const world of [ada, bob]) await installForTeam(world, ...CLAUDE);
      expect(projectFiles(ada)).toEqual(projectFiles(bob));
      expect(await spoken(ada, '--scope', 'project')).toBe(false);
      expect(await spoken(bob, '--scope', 'project')).toBe(true);
      await exported(bob, 'claude-plugin', '.claude/skills/mcphooks-memo');
      const { stdout } = await bob.run('install', 'memo', '--scope', 'project', '--dry-run', ...CLAUDE);
      expect(stdout.replace(/\s+/g, ' ')).toContain('on this machine the texts appear twice: ');
    },
  );

  const gone = [
    ['the entries are gone', (w: World) => w.write('home/.claude/settings.json', '{}')],
    ['the file is gone', (w: World) => rmSync(join(w.home, '.claude/settings.json'))],
    [
      'the shims are gone',
      (w: World) => rmSync(join(w.home, '.local/share/mcphooks/hooks'), { recursive: true }),
    ],
    ['it is for another client', (w: World) => void w],
  ] as const;
  it.runIf(LONG).each(gone)("speaks where the user's own is remembered, and %s", async (how, spoil) => {
    const ada = await teamWith(...CLAUDE);
    await installIn(ada, '--client', how.includes('another') ? 'codex' : 'claude-code');
    expect(await spoken(ada, '--scope', 'project')).toBe(how.includes('another'));
    spoil(ada);
    expect(await spoken(ada, '--scope', 'project')).toBe(true);
  });

  const codexEntry = 'home/.codex/config.toml';
  it.runIf(LONG).each<[string, string[], (w: World) => void, Record<string, string>?]>([
    [
      'a plugin that is switched off',
      ['--client', 'claude-code', '--target', 'plugin'],
      (w) => w.write('home/.claude/settings.json', '{"enabledPlugins":{"mcphooks-memo@skills-dir":false}}'),
    ],
    ['in another profile', CLAUDE, () => {}, { CLAUDE_CONFIG_DIR: 'other' }],
    [
      'entries that are comments',
      ['--client', 'codex'],
      (w) => w.write(codexEntry, w.read(codexEntry).replace(/^/gm, '# ')),
    ],
    [
      'entries that are switched off',
      ['--client', 'codex'],
      (w) => {
        const key = reviewKey(join(w.home, '.codex/config.toml'), 'UserPromptSubmit', 0, 0);
        const off = `\n[hooks.state.${JSON.stringify(key)}]\nenabled = false\n`;
        w.write(codexEntry, w.read(codexEntry) + off);
      },
    ],
  ])("speaks where the user's own is %s", async (_how, args, spoil, moved = {}) => {
    const client = args.slice(0, 2);
    const says = async (world: World): Promise<boolean> =>
      (await world.run('fire', 'memo', 'pre_request', ...client, '--scope', 'project')).stdout.includes(
        'Keep answers short.',
      );
    const ada = await teamWith(...client);
    await installIn(ada, ...args);
    expect(await says(ada)).toBe(false);
    spoil(ada);
    for (const [name, folder] of Object.entries(moved)) ada.env[name] = join(ada.home, folder);
    expect(await says(ada)).toBe(true);
  });

  it.runIf(LONG).each([
    { title: 'speaks where the user has another server of that name', named: 'other-notes', speaks: true },
    { title: 'is silent where the user has another version of the server', named: 'declares', speaks: false },
  ])('$title', async ({ named, speaks }) => {
    const ada = await teamWith(...CLAUDE);
    installClients(ada, { claude: '2.1.329 (Claude Code)' });
    bringServer(ada, 'home');
    const hooks = [{ event: 'pre_request', context: 'Other text.', priority: 'suggestion' }];
    const file = ada.write('home/tools/hooks.json', JSON.stringify({ declarations: hooks }));
    const server = join(ada.home, 'tools', basename(START.args[0] ?? ''));
    const command = [START.command, server, file, join(ada.home, 'started.log'), named];
    const asked = await planned(ada, '--dry-run', ...CLAUDE, '--', ...command);
    expect(asked.clients['claude-code']?.notes.includes('across.project-silent')).toBe(!speaks);
    const ran = await ada.run('install', 'memo', ...CLAUDE, '--yes', '--', ...command);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    expect(await spoken(ada, '--scope', 'project')).toBe(speaks);
    const { remarks } = JSON.parse((await ada.run('doctor', '--json')).stdout);
    const silent = remarks.filter(({ code }: { code: string }) => code === 'doctor.project-silent');
    expect(silent.map(({ message }: { message: string }) => message)).toEqual(
      speaks ? [] : [expect.stringContaining('so hook 1 (session_start) and ')],
    );
  });

  it('keeps its own count of what was said where the user has another server of that name', async () => {
    const once = ['--cooldown', '3600', ...CLAUDE];
    const ada = await teamWith(...once);
    bringServer(ada, 'home');
    // Each of them is the second of its server.
    const hooks = [NOTE, { ...PROMPT, context: 'Other text.' }];
    const file = ada.write('home/tools/hooks.json', JSON.stringify({ declarations: hooks }));
    const server = join(ada.home, 'tools', basename(START.args[0] ?? ''));
    const command = [START.command, server, file, join(ada.home, 'started.log'), 'other-notes'];
    const ran = await ada.run('install', 'memo', ...once, '--yes', '--', ...command);
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    const fire = async (...args: string[]): Promise<string> =>
      (await ada.run('fire', 'memo', 'pre_request', ...CLAUDE, '--session', 's1', ...args)).stdout;
    expect(await fire()).toContain('Other text.');
    expect(await fire('--scope', 'project')).toContain('Keep answers short.');
    expect(await fire()).not.toContain('Other text.');
    expect(await fire('--scope', 'project')).not.toContain('Keep answers short.');
  });

  it.runIf(LONG)(
    "is silent where a plugin of the user's was switched off and, by a stronger file, on again",
    async () => {
      const ada = await teamWith(...CLAUDE);
      await installIn(ada, ...CLAUDE, '--target', 'plugin');
      const set = (on: boolean) => JSON.stringify({ enabledPlugins: { 'mcphooks-memo@skills-dir': on } });
      ada.write('home/.claude/settings.json', set(false));
      ada.write('project/.claude/settings.local.json', set(true));
      expect(await spoken(ada, '--scope', 'project')).toBe(false);
    },
  );

  it("is silent where the user's own is disabled: what is silenced stays silent", async () => {
    const ada = await teamWith(...CLAUDE);
    await installIn(ada, ...CLAUDE);
    await ada.run('disable', 'memo');
    expect([await spoken(ada), await spoken(ada, '--scope', 'project')]).toEqual([false, false]);
  });
});

it('disable silences a plugin that was exported, and nothing else is installed', async () => {
  const world = homeWith({ event: 'pre_request', context: 'A word.', priority: 'suggestion' });
  await exported(world, 'claude-plugin', '.claude/skills/mcphooks-memo');
  expect(await world.run('disable', 'memo')).toMatchObject({ code: 0 });
  expect(Object.keys(world.files())).toContain('home/.local/share/mcphooks/hooks/memo/disabled');
  expect(await world.run('enable', 'memo')).toMatchObject({ code: 0 });
  expect(Object.keys(world.files()).filter((path) => path.startsWith('home/.local'))).toEqual([]);
});

it('finds a plugin that Copilot CLI leaves in the folder of its marketplace', async () => {
  const world = homeWith(COMMIT);
  const out = await exported(world, 'copilot-plugin', 'market/plugins/memo');
  await exported(world, 'copilot-plugin', 'beside');
  const market = join(world.home, 'market');
  const settings = (on: boolean) => ({
    extraKnownMarketplaces: { company: { source: { source: 'directory', path: market } } },
    enabledPlugins: { 'mcphooks-memo@company': on },
  });
  const list = (source: unknown) => ({ name: 'company', plugins: [{ name: 'mcphooks-memo', source }] });
  const put = (file: string, value: unknown) => world.write(`home/${file}`, JSON.stringify(value));
  const covered = async () =>
    (await planned(world, '--dry-run', '--client', 'copilot')).clients.copilot?.covered;
  put('.copilot/mcp-config.json', {});
  put('.copilot/settings.json', settings(true));
  put('market/.claude-plugin/marketplace.json', list('./plugins/memo'));
  expect(await covered()).toMatchObject({ by: 'plugin', where: out });
  expect(await world.run('disable', 'memo')).toMatchObject({ code: 0 });
  await world.run('enable', 'memo');
  put('.copilot/settings.json', settings(false));
  expect(await covered()).toBeUndefined();
  put('.copilot/settings.json', settings(true));
  for (const source of ['../beside', { source: 'github', repo: 'a/b' }, '/plugins/memo']) {
    put('market/.claude-plugin/marketplace.json', list(source));
    expect(await covered(), JSON.stringify(source)).toBeUndefined();
  }
  put('market/.github/plugin/marketplace.json', list('./plugins/memo'));
  expect(await covered()).toMatchObject({ where: out });
  put('market/.plugin/marketplace.json', list('./other'));
  expect(await covered()).toBeUndefined();
  const below = (pluginRoot: string) => ({ ...list('memo'), metadata: { pluginRoot } });
  for (const [pluginRoot, path, where] of [
    ['./plugins', market, out],
    ['plugins', '~/market', out],
    ['./plugins', '../home/market', undefined],
    ['../market/plugins', join(world.home, 'other'), undefined],
    ['/plugins', market, undefined],
  ] as const) {
    const company = { source: { source: 'directory', path } };
    put('.copilot/settings.json', { ...settings(true), extraKnownMarketplaces: { company } });
    for (const folder of ['market', 'other']) put(`${folder}/marketplace.json`, below(pluginRoot));
    expect((await covered())?.where, `${pluginRoot} in ${path}`).toBe(where);
  }
});

it('says of a server in a subfolder where the top of the project is', async () => {
  const world = teamWorld();
  world.write('project/pkgs/a/.mcp.json', JSON.stringify({ mcpServers: { deep: { command: 'deep' } } }));
  const folder = { folder: 'project/pkgs/a' };
  const { code, stderr } = await world.runAs(folder, 'install', 'deep', '--scope', 'project');
  expect(code).toBe(1);
  expect(stderr.replaceAll('\\', '/')).toContain("'deep' is configured in a subfolder (pkgs/a/.mcp.json)");
  expect(stderr).toContain(`the files of its top, ${world.project}\n`);
  expect(stderr).not.toContain('on your machine');
});

it('says in a subfolder, too, in which folder a client that reads no subfolders is to be started', async () => {
  const world = teamWorld();
  const file = world.write('project/pkgs/a/hooks.json', JSON.stringify({ declarations: [HOOKS[1]] }));
  const from = ['--declarations', file, '--no-check', '--dry-run'];
  const clients = ['claude-code', 'gemini-cli', 'qwen-code'];
  const install = ['install', 'memo', '--scope', 'project', '--client', clients.join(','), ...from];
  const { stdout } = await world.runAs({ folder: 'project/pkgs/a' }, ...install);
  const only = stdout.replace(/\s+/g, ' ').match(/only when started in [^,;]*/g);
  expect(only).toEqual(clients.map(() => "only when started in the project's top folder"));
});
