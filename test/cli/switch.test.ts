import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { OUTPUTS } from '../../src/cli/json/outputs.ts';
import { ALL, LONG } from '../effort.ts';
import { COMMIT, declare, homeWith, START } from './home.ts';
import { cleanWorlds, makeWorld, type World } from './world.ts';

cleanWorlds();

const PLAIN = { event: 'pre_request', context: 'A word.', priority: 'suggestion' };
const CLIENTS = ['claude-code', 'codex', 'gemini-cli'];

/** Clients on which the installed hooks say something. */
async function speaking(world: World, event = 'pre_request'): Promise<string[]> {
  const { stdout } = await world.run('fire', 'memo', event, '--json');
  const { clients } = JSON.parse(stdout) as {
    clients: { client: string; firings: { text?: string }[] }[];
  };
  return clients.filter((c) => c.firings.some((f) => f.text !== undefined)).map((c) => c.client);
}

async function status(world: World, ...args: string[]): Promise<string> {
  const { code, stdout } = await world.run(...args, '--json');
  expect(code).toBe(0);
  const document = JSON.parse(stdout);
  const schema = document.command === 'disable' ? OUTPUTS.disable : OUTPUTS.enable;
  expect(schema.safeParse(document).error).toBeUndefined();
  return document.status;
}

async function listed(world: World): Promise<string[]> {
  const { stdout } = await world.run('list', '--json');
  return JSON.parse(stdout).servers[0].clients.map((c: { state: string }) => c.state);
}

it('silences what is installed and lets it speak again, with every other byte as it was', async () => {
  const world = homeWith(PLAIN);
  await world.run('install', 'memo', '--yes');
  const installed = world.files();
  expect(await speaking(world)).toEqual(CLIENTS);
  const spoken = world.files();
  expect(await status(world, 'disable', 'memo')).toBe('disabled');
  expect(await status(world, 'disable', 'memo')).toBe('unchanged');
  expect(await speaking(world)).toEqual([]);
  expect(await listed(world)).toEqual(['disabled', 'disabled', 'disabled']);
  expect(await status(world, 'enable', 'memo')).toBe('enabled');
  expect(await status(world, 'enable', 'memo')).toBe('unchanged');
  expect(world.files()).toEqual(spoken);
  expect(await speaking(world)).toEqual(CLIENTS);
  expect(world.files()['home/.claude/settings.json']).toBe(installed['home/.claude/settings.json']);
});

it.runIf(LONG)('is said by diff and stays through an update', async () => {
  const world = homeWith(PLAIN);
  await world.run('install', 'memo', '--yes');
  await world.run('disable', 'memo');
  const same = await world.run('diff', 'memo');
  expect([same.code, same.stdout.includes('disabled')]).toEqual([0, true]);
  const { stdout } = await world.run('diff', 'memo', '--json');
  expect(JSON.parse(stdout).servers[0].plan.disabled).toBe(true);
  declare(world, { ...PLAIN, context: 'Another word.' });
  const updated = await world.run('install', 'memo', '--yes', '--accept-changed');
  expect([updated.code, updated.stderr.includes('Try it')]).toEqual([0, false]);
  const idle = await world.run('install', 'memo', '--yes');
  expect(idle.stderr).toContain('Nothing to do');
  for (const { stderr } of [updated, idle]) expect(stderr).toMatch(/disabled.* mcphooks enable memo$/m);
  expect(await speaking(world)).toEqual([]);
  await world.run('enable', 'memo');
  expect(await speaking(world)).toEqual(CLIENTS);
});

it.runIf(ALL)('outlives a lost record, and shims that were taken away', async () => {
  const world = homeWith(PLAIN);
  await world.run('install', 'memo', '--yes');
  await world.run('disable', 'memo');
  rmSync(join(world.home, '.local/state'), { recursive: true });
  await world.run('install', 'memo', '--yes');
  expect([await speaking(world), await listed(world)]).toEqual([[], ['disabled', 'disabled', 'disabled']]);
  rmSync(join(world.home, '.local/share'), { recursive: true });
  await world.run('install', 'memo', '--yes');
  expect([await speaking(world), await listed(world)]).toEqual([[], ['disabled', 'disabled', 'disabled']]);
});

it.runIf(LONG)('leaves nothing behind when it is uninstalled, and a new install speaks', async () => {
  const world = homeWith(PLAIN);
  const before = world.files();
  await world.run('install', 'memo', '--yes');
  await world.run('disable', 'memo');
  expect((await world.run('uninstall', 'memo')).code).toBe(0);
  expect({ ...world.files(), 'home/started.log': '' }).toEqual({ ...before, 'home/started.log': '' });
  await world.run('install', 'memo', '--yes');
  expect(await speaking(world)).toEqual(CLIENTS);
});

it('a disabled server leaves, also by a name that any object has', async () => {
  const world = makeWorld();
  const file = world.write('home/hooks.json', JSON.stringify({ declarations: [PLAIN] }));
  const before = world.files();
  await world.run('install', 'constructor', '--declarations', file, '--client', 'codex', '--yes');
  expect(await status(world, 'disable', 'constructor')).toBe('disabled');
  expect(await world.run('uninstall', 'constructor')).toMatchObject({ code: 0 });
  expect(world.files()).toEqual(before);
});

it('says what silences hooks meanwhile where it cannot write', async () => {
  const world = homeWith(PLAIN);
  await world.run('install', 'memo', '--yes');
  const record = join(world.home, '.local/state/mcphooks/record.json');
  const tried = async (command: string, file = record) => {
    chmodSync(file, 0o400);
    const { code, stderr } = await world.run(command, 'memo');
    chmodSync(file, 0o600);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/ {2}Make it writable\.$/m)]);
    return stderr;
  };
  expect(await tried('disable')).toContain(
    'nothing was written, so its hooks stay as they are; MCPHOOKS_DISABLE=1',
  );
  expect((await world.run('disable', 'memo')).code).toBe(0);
  expect(await tried('enable')).toMatch(/; nothing was written$/m);
  // Disabled hooks don't run, whatever an uninstall can write.
  const disabled = join(world.home, '.local/share/mcphooks/hooks/memo/disabled');
  expect(await tried('uninstall', disabled)).toContain('nothing was written, so its hooks stay as they are;');
});

it('says where it cannot reach: tools that a client calls itself', async () => {
  const world = homeWith({ ...START, context_tool_args: { q: 'recent' } });
  const granted = ['--grant-control', 'memo', '--client', 'codex'];
  expect((await world.run('install', 'memo', '--yes', ...granted)).code).toBe(0);
  expect((await world.run('fire', 'memo', 'session_start')).stdout.replace(/\s+/g, ' ')).toContain(
    'Codex calls the tool itself, so there is no hook script to run (--grant-control)',
  );
  const { stdout } = await world.run('disable', 'memo', '--json');
  expect(JSON.parse(stdout).unreached).toEqual(['codex']);
  const active = 'for which Codex calls a tool itself (--grant-control)';
  for (const command of ['list', 'doctor']) expect((await world.run(command)).stdout).toContain(active);
  await world.run('enable', 'memo');
  expect((await world.run('list')).stdout).not.toContain(active);
  world.env.MCPHOOKS_DISABLE = 'memo';
  expect((await world.run('list')).stdout).toContain(active);
});

it('says how to remove what it cannot reach at the scope of that install', async () => {
  const world = homeWith();
  world.write('project/hooks.json', JSON.stringify([{ ...START, context_tool_args: { q: 'recent' } }]));
  const hooks = ['--declarations', 'hooks.json', '--no-check', '--grant-control', 'memo'];
  const at = ['--scope', 'project', '--client', 'codex'];
  const installed = await world.run('install', 'memo', '--yes', ...at, ...hooks, '--', 'memo-server');
  expect(installed.code, installed.stderr).toBe(0);
  const { stderr } = await world.run('disable', 'memo');
  expect(stderr).toContain("'mcphooks uninstall --scope project memo'");
});

it.runIf(LONG)('keeps a hook off that was switched off in its client', async () => {
  const world = homeWith(COMMIT);
  await world.run('install', 'memo', '--yes', '--client', 'gemini-cli');
  const off = '{ "hooksConfig": { "disabled": ["mcphooks:memo:AfterTool"] } }';
  world.write('project/.gemini/settings.json', off);
  declare(world, { ...COMMIT, context: 'Other.' });
  await world.run('install', 'memo', '--yes', '--accept-changed', '--client', 'gemini-cli');
  expect(await listed(world)).toEqual(['disabled']);
  expect(world.read('project/.gemini/settings.json')).toBe(off);
});

it('needs an install', async () => {
  const world = makeWorld();
  for (const command of ['disable', 'enable']) {
    const { code, stdout } = await world.run(command, 'memo', '--json');
    expect([code, JSON.parse(stdout).faults[0].code]).toEqual([1, 'plan.not-installed']);
    expect(world.files()).toEqual({});
  }
});
