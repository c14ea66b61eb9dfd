import { chmodSync, existsSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALL, LONG } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { slashed } from '../platform.ts';
import { COMMIT, declare, homeWith, own, START } from './home.ts';
import { cleanWorlds, madeOnce, type World } from './world.ts';

cleanWorlds();
installsNodeHere({ servers: true });

const CLAUDE = 'home/.claude/skills/mcphooks-memo';
const GEMINI = 'home/.gemini/extensions/mcphooks-memo';
const PLUGINS = [CLAUDE, GEMINI];
const OWN_FILES = ['home/.claude/settings.json', 'home/.gemini/settings.json', 'home/.codex/config.toml'];

const install = (world: World, ...options: string[]) => world.run('install', 'memo', '--yes', ...options);
const plugin = (world: World, ...options: string[]) => install(world, '--target', 'plugin', ...options);

/** Files whose path begins so; the server's log of starts and the record, which has times in it, apart. */
const below = (world: World, ...folders: string[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(world.files()).filter(
      ([path]) =>
        folders.some((f) => path.startsWith(f)) && !/started\.log$|record\.json$|\/sessions\//.test(path),
    ),
  );
const everything = (world: World) => below(world, '');

async function states(world: World): Promise<Record<string, string>> {
  const { stdout } = await world.run('list', '--json');
  const { servers } = JSON.parse(stdout) as { servers: { clients: { client: string; state: string }[] }[] };
  return Object.fromEntries(servers.flatMap((s) => s.clients.map((c) => [c.client, c.state])));
}

const fired = async (world: World, client: string): Promise<string> =>
  (await world.run('fire', 'memo', 'post_tool_use', '--client', client)).stdout;

const wordsOf = (text: string): string => text.replace(/\s+/g, ' ');

const inPlugin = madeOnce(async (...options: string[]) => {
  const world = homeWith(COMMIT);
  expect((await plugin(world, ...options)).code).toBe(0);
  return world;
});

describe('--target plugin', () => {
  it.runIf(LONG).each([[[]], [[{ ...COMMIT, matcher: { tool_name: 'NotebookEdit' } }]]])(
    'leaves nothing where an update left a client without hooks, after an uninstall: %j',
    async (hooks) => {
      const world = homeWith(COMMIT);
      const before = everything(world);
      expect((await plugin(world, '--client', 'claude-code,gemini-cli')).code).toBe(0);
      declare(world, ...hooks);
      expect((await install(world, '--accept-changed')).code).toBe(0);
      expect(
        Object.keys(below(world, GEMINI)).filter(
          (path) => /(json)$/.test(path) && !path.includes('/mcphooks/'),
        ),
      ).toEqual([]);
      expect((await world.run('uninstall', '--all')).code).toBe(0);
      expect({ ...everything(world), 'home/declared.json': '' }).toEqual({
        ...before,
        'home/declared.json': '',
      });
      expect(Object.keys(world.files())).not.toContain('home/.local/state/mcphooks/record.json');
    },
  );

  it('puts hooks where the client loads them by itself, and takes them away with the folder', async () => {
    const world = homeWith(COMMIT);
    const before = everything(world);
    const { code, stdout } = await plugin(world);
    expect(code).toBe(0);
    for (const file of OWN_FILES.slice(0, 2)) expect(world.read(file)).toBe(before[file]);
    expect(JSON.parse(world.read(`${CLAUDE}/.claude-plugin/plugin.json`)).name).toBe('mcphooks-memo');
    expect(JSON.parse(world.read(`${GEMINI}/gemini-extension.json`))).toMatchObject({
      name: 'mcphooks-memo',
      version: expect.any(String),
    });
    for (const [folder, event] of [
      [CLAUDE, 'PostToolUse'],
      [GEMINI, 'AfterTool'],
    ] as const) {
      const { hooks } = JSON.parse(world.read(`${folder}/hooks/hooks.json`));
      const { command } = hooks[event][0].hooks[0];
      expect(command).toMatch(
        new RegExp(`'/.*/${folder}/mcphooks/hooks/memo/[0-9a-f]{16}/[a-z-]+/${event}'`),
      );
      expect(Object.keys(below(world, `${folder}/mcphooks/runtime/`)).length).toBeGreaterThan(0);
    }
    // Codex loads no plugin by itself.
    expect(world.read('home/.codex/config.toml')).toContain('/mcphooks/hooks/memo/');
    const said = wordsOf(stdout);
    expect(said).toContain('Codex loads no plugins from a folder by itself');
    expect(said).toContain("extension's hooks also run in folders that you don't trust");

    expect(await states(world)).toEqual({
      'claude-code': 'current',
      codex: 'untrusted',
      'gemini-cli': 'current',
    });
    for (const client of ['claude-code', 'gemini-cli', 'codex'])
      expect(await fired(world, client)).toContain('You committed in project.');
    expect((await world.run('diff')).code).toBe(0);
    expect((await world.run('explain', 'memo', '--client', 'claude-code')).stdout).toContain('You committed');
    // Remembered, and nothing is to do.
    const installed = world.files();
    const again = await world.run('install', 'memo', '--yes');
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('Nothing to do')]);
    expect(below(world, ...PLUGINS)).toEqual(
      Object.fromEntries(Object.entries(installed).filter(([p]) => PLUGINS.some((f) => p.startsWith(f)))),
    );

    expect((await world.run('uninstall', 'memo')).code).toBe(0);
    expect(everything(world)).toEqual(before);
    for (const folder of ['home/.claude/skills', 'home/.gemini/extensions', 'home/.local'])
      expect(existsSync(join(world.home, '..', folder)), folder).toBe(false);
  });

  it("needs nothing of the user's settings, which may be broken", async () => {
    const world = homeWith(COMMIT);
    const broken = '{ "hooks": [, }';
    world.write('home/.claude/settings.json', broken);
    expect(await plugin(world, '--client', 'claude-code')).toMatchObject({ code: 0 });
    expect(await states(world)).toEqual({ 'claude-code': 'current' });
    expect(world.read('home/.claude/settings.json')).toBe(broken);
  });

  it.runIf(LONG)('leaves folders that were there, and takes all plugins with --all', async () => {
    const world = homeWith(COMMIT);
    world.write('home/.claude/skills/mine/SKILL.md', 'mine\n');
    const before = everything(world);
    expect((await plugin(world)).code).toBe(0);
    expect((await world.run('uninstall', '--all')).code).toBe(0);
    expect(everything(world)).toEqual(before);
    expect(readdirSync(join(world.home, '.claude/skills'))).toEqual(['mine']);
  });

  it.runIf(LONG)('moves hooks from settings and back, never in two places', async () => {
    const world = homeWith(COMMIT, START);
    const before = everything(world);
    expect((await install(world)).code).toBe(0);
    const inSettings = everything(world);
    const moved = await plugin(world);
    expect(moved.code).toBe(0);
    expect(wordsOf(slashed(moved.stdout))).toContain('- remove 3 entries from ~/.claude/settings.json');
    for (const file of OWN_FILES.slice(0, 2)) expect(world.read(file)).toBe(before[file]);
    expect(world.read('home/.codex/config.toml')).toBe(inSettings['home/.codex/config.toml']);
    expect(await fired(world, 'claude-code')).toContain('You committed in project.');

    const back = await install(world, '--target', 'settings');
    expect(back.code).toBe(0);
    expect(wordsOf(slashed(back.stdout))).toContain(
      'entries from ~/.claude/skills/mcphooks-memo/hooks/hooks.json',
    );
    // The hook that was fired above has written the log.
    expect({ ...everything(world), 'home/.local/state/mcphooks/hooks.log': undefined }).toEqual(inSettings);
    for (const folder of ['home/.claude/skills', 'home/.gemini/extensions'])
      expect(existsSync(join(world.home, '..', folder)), folder).toBe(false);
    expect((await world.run('diff')).code).toBe(0);
    await world.run('uninstall', 'memo');
    expect(everything(world)).toEqual(before);
  });

  it.runIf(LONG)('moves all or nothing', async () => {
    const world = homeWith(COMMIT);
    await install(world);
    const before = everything(world);
    chmodSync(join(world.home, '.gemini/settings.json'), 0o400);
    expect((await plugin(world)).code).toBe(1);
    expect(everything(world)).toEqual(before);
    expect(existsSync(join(world.home, '.claude/skills'))).toBe(false);
  });

  it.runIf(LONG)('finds a folder that was removed by hand, and puts it back', async () => {
    const world = homeWith(COMMIT);
    await plugin(world, '--client', 'claude-code,gemini-cli');
    const installed = below(world, ...PLUGINS);
    for (const folder of PLUGINS) rmSync(join(world.home, '..', folder), { recursive: true });
    expect(await states(world)).toEqual({ 'claude-code': 'missing', 'gemini-cli': 'missing' });
    const diff = await world.run('diff', '--json');
    expect(diff.code).toBe(2);
    expect(JSON.parse(diff.stdout).servers[0].plan.clients[0].drift.length).toBeGreaterThan(0);
    expect((await world.run('doctor')).stdout).toContain('missing');
    expect((await install(world)).code).toBe(0);
    expect(below(world, ...PLUGINS)).toEqual(installed);
    for (const folder of PLUGINS) rmSync(join(world.home, '..', folder), { recursive: true });
    expect((await world.run('uninstall', 'memo')).code).toBe(0);
    expect(existsSync(join(world.home, '.local/state'))).toBe(false);
  });

  it.runIf(LONG)('calls an altered manifest edited, and mends it', async () => {
    const world = await inPlugin('--client', 'claude-code');
    world.write(`${CLAUDE}/.claude-plugin/plugin.json`, '{}');
    expect(await states(world)).toEqual({ 'claude-code': 'edited' });
    await install(world, '--client', 'claude-code');
    expect(await states(world)).toEqual({ 'claude-code': 'current' });
  });

  it.runIf(ALL)('is silenced and speaks again, also when it moves', async () => {
    const world = await inPlugin();
    await world.run('disable', 'memo');
    expect(Object.values(await states(world))).toEqual(['disabled', 'disabled', 'disabled']);
    for (const client of ['claude-code', 'gemini-cli'])
      expect(await fired(world, client)).not.toContain('You committed');
    await install(world, '--target', 'settings');
    expect(await fired(world, 'claude-code')).not.toContain('You committed');
    await plugin(world);
    expect(await fired(world, 'claude-code')).not.toContain('You committed');
    await world.run('enable', 'memo');
    expect(await fired(world, 'claude-code')).toContain('You committed');
    await world.run('disable', 'memo');
    expect((await world.run('uninstall', 'memo')).code).toBe(0);
    expect(existsSync(join(world.home, '.claude/skills'))).toBe(false);
  });

  it.runIf(LONG)('keeps the shims of running sessions for a week after a change', async () => {
    const world = await inPlugin('--client', 'claude-code');
    const old = own(world, 'claude-code/PostToolUse');
    declare(world, { ...COMMIT, context: 'Other.' });
    expect((await install(world, '--accept-changed')).code).toBe(0);
    expect(await fired(world, 'claude-code')).toContain('Other.');
    expect(world.files()[old]).toBeDefined();
    const long = Date.now() / 1000 - 8 * 24 * 3600;
    utimesSync(join(world.home, '..', old, '../..'), long, long);
    await install(world);
    expect(world.files()[old]).toBeUndefined();
    await world.run('uninstall', 'memo');
    expect(existsSync(join(world.home, '.claude/skills'))).toBe(false);
  });

  it("is no part of what was approved: a client's review of its own file stays", async () => {
    const world = homeWith(COMMIT);
    await install(world, '--client', 'codex');
    const file = world.read('home/.codex/config.toml');
    expect((await plugin(world, '--client', 'codex')).code).toBe(0);
    expect(world.read('home/.codex/config.toml')).toBe(file);
  });

  it.runIf(LONG)('refuses the folder of another plugin', async () => {
    const world = homeWith(COMMIT);
    world.write(`${GEMINI}/gemini-extension.json`, '{"name":"mcphooks-memo","version":"9.9.9"}\n');
    world.write(`${GEMINI}/hooks/hooks.json`, '{"hooks":{}}\n');
    const before = everything(world);
    const { code, stdout } = await plugin(world, '--json');
    expect([code, JSON.parse(stdout).faults[0].code]).toEqual([1, 'plan.plugin-taken']);
    await install(world);
    await world.run('uninstall', 'memo');
    expect(everything(world)).toEqual(before);
  });

  it.runIf(LONG)("leaves a file of the user's in the folder", async () => {
    const world = await inPlugin();
    world.write(`${CLAUDE}/SKILL.md`, 'mine\n');
    await world.run('uninstall', 'memo');
    expect(Object.keys(below(world, ...PLUGINS))).toEqual([`${CLAUDE}/SKILL.md`]);
    expect(readdirSync(join(world.home, '..', CLAUDE))).toEqual(['SKILL.md']);
  });

  it.runIf(LONG)('is found and removed without a record', async () => {
    const world = homeWith(COMMIT);
    const before = everything(world);
    await plugin(world);
    rmSync(join(world.home, '.local/state/mcphooks/record.json'));
    expect(await states(world)).toEqual({
      'claude-code': 'changed',
      codex: 'changed',
      'gemini-cli': 'changed',
    });
    expect((await world.run('uninstall', 'memo')).code).toBe(0);
    for (const folder of PLUGINS) expect(existsSync(join(world.home, '..', folder)), folder).toBe(false);
    expect(below(world, 'home/.claude', 'home/.gemini')).toEqual(
      Object.fromEntries(Object.entries(before).filter(([p]) => /^home\/\.(claude|gemini)/.test(p))),
    );
  });

  it.runIf(LONG)('warns where the client is too old to load it', async () => {
    const world = homeWith(COMMIT);
    world.write(
      'bin/package.json',
      JSON.stringify({ name: '@anthropic-ai/claude-code', version: '2.1.150' }),
    );
    chmodSync(world.write('bin/claude', '#!/bin/sh\n'), 0o755);
    world.env.PATH = `${join(world.home, '../bin')}:${process.env.PATH}`;
    const run = (...options: string[]) =>
      world.run('install', 'memo', '--dry-run', '--client', 'claude-code', ...options);
    const warning = 'Claude Code 2.1.150 loads no plugins from this folder; 2.1.157 or newer does';
    expect(wordsOf((await run('--target', 'plugin')).stdout)).toContain(warning);
    expect(wordsOf((await run()).stdout)).not.toContain('2.1.157');
    const { stdout } = await run('--target', 'plugin', '--json');
    const { clients } = JSON.parse(stdout).plan;
    expect(clients[0].notes.map((n: { code: string }) => n.code)).toContain('target.too-old');
  });

  it('is disabled where a person switched the plugin off, and stays so', async () => {
    const world = await inPlugin('--client', 'claude-code');
    world.write(
      'home/.claude/settings.json',
      '{ "enabledPlugins": { "mcphooks-memo@skills-dir": false } }\n',
    );
    expect(await states(world)).toEqual({ 'claude-code': 'disabled' });
    const { findings } = JSON.parse((await world.run('doctor', '--json')).stdout);
    const off = findings.find((f: { code: string }) => f.code === 'doctor.plugin-off');
    expect(off).toMatchObject({ fix: 'claude plugin enable mcphooks-memo@skills-dir', server: 'memo' });
    await install(world, '--client', 'claude-code');
    expect(await states(world)).toEqual({ 'claude-code': 'disabled' });
  });

  it.runIf(LONG)('needs no trust in a folder, and doctor asks for none', async () => {
    const world = homeWith(COMMIT);
    const untrusted = async () => (await world.run('doctor')).stdout.includes('not trusted');
    await install(world, '--client', 'gemini-cli');
    expect(await untrusted()).toBe(true);
    await plugin(world, '--client', 'gemini-cli');
    expect(await untrusted()).toBe(false);
  });

  it("is for the user's own installs alone", async () => {
    const world = homeWith(COMMIT);
    for (const scope of ['project', 'local']) {
      const { code, stderr } = await plugin(world, '--scope', scope);
      expect([code, stderr]).toEqual([1, expect.stringContaining('--target plugin needs --scope user')]);
    }
  });
});
