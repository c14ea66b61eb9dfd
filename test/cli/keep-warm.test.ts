import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { OUTPUTS } from '../../src/cli/json/outputs.ts';
import { warmFolder } from '../../src/fire/warm/address.ts';
import { type KeeperFile, keeperFiles } from '../../src/fire/warm/keeper-file.ts';
import { invocationWords } from '../../src/shims/command.ts';
import { LONG } from '../effort.ts';
import { captured, isAlive } from '../fire/world.ts';
import { WINDOWS } from '../platform.ts';
import { COMMIT, homeWith, own, START, starts } from './home.ts';
import { cleanWorlds, type World } from './world.ts';

cleanWorlds();

const PROMPT = { ...START, event: 'pre_request' };
const install = ['install', 'memo', '--client', 'claude-code', '--yes'];
const payload = captured('claude-code', 'UserPromptSubmit');

/** Runs the hook of a prompt as Claude Code does. */
function prompt(world: World): Promise<string> {
  const { hooks } = JSON.parse(world.read('home/.claude/settings.json'));
  const [command, ...args] = invocationWords(hooks.UserPromptSubmit[0].hooks[0]);
  return new Promise((done) => {
    const child = spawn(command, args, {
      cwd: world.project,
      env: { ...world.env, CLAUDE_PROJECT_DIR: world.project },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk) => (text += chunk));
    child.on('close', () => done(text));
    // A hook that is off reads nothing.
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(payload));
  });
}

const kept = (world: World): KeeperFile[] =>
  keeperFiles(warmFolder(join(world.home, '.local/state/mcphooks')));

it('keeps nothing running by default, and writes nothing about it', async () => {
  const world = homeWith(PROMPT);
  await world.run(...install);
  expect(world.read(own(world, 'UserPromptSubmit.json'))).not.toContain('keep');
  expect(Object.keys(world.files()).filter((path) => path.includes('warm'))).toEqual([]);
  expect(await prompt(world)).toContain('note');
  expect(kept(world)).toEqual([]);
  await world.run('uninstall', 'memo');
});

it('a hook that a person runs by hand starts a server of its own, and leaves none running', async () => {
  const world = homeWith(PROMPT);
  await world.run(...install, '--keep-warm', '10');
  const at = starts(world);
  for (const runs of [1, 2]) {
    expect(await world.run('fire', 'memo', 'pre_request')).toMatchObject({ code: 0 });
    expect(starts(world) - at).toBe(runs);
    expect(kept(world)).toEqual([]);
  }
  await world.run('uninstall', 'memo');
});

it('says in the plan what keeping means, only where hooks call a tool', async () => {
  const world = homeWith(PROMPT);
  const asked = ['install', 'memo', '--dry-run', '--json', '--keep-warm'];
  const { plan } = JSON.parse((await world.run(...asked, '10')).stdout);
  expect(plan.notes).toMatchObject([
    { code: 'server.kept', message: expect.stringContaining('stays running 10 minutes after its last use') },
  ]);
  const other = homeWith(COMMIT);
  expect(JSON.parse((await other.run(...asked, '10')).stdout).plan.notes).toBeUndefined();
  const both = homeWith(COMMIT, PROMPT);
  for (const [only, notes] of [
    ['1', 0],
    ['2', 1],
  ] as const)
    expect(JSON.parse((await both.run(...asked, '3', '--only', only)).stdout).plan.notes ?? []).toHaveLength(
      notes,
    );
});

it('says in the plan that a server reached by a URL is not kept', async () => {
  const world = homeWith(PROMPT);
  const remote = ['--url', 'https://memo.example/mcp', '--declarations', join(world.home, 'declared.json')];
  const asked = [
    'install',
    'remote',
    ...remote,
    '--no-check',
    '--client',
    'claude-code',
    '--dry-run',
    '--json',
  ];
  const notes = async (...more: string[]) => {
    const { stdout } = await world.run(...asked, ...more);
    return JSON.parse(stdout).plan.notes;
  };
  expect(await notes('--keep-warm', '10')).toMatchObject([
    { code: 'server.never-kept', message: expect.stringContaining('--keep-warm has no effect') },
  ]);
  expect(await notes()).toBeUndefined();
});

it('takes whole minutes in digits alone, as other options take seconds', async () => {
  const world = homeWith(PROMPT);
  for (const option of ['--keep-warm', '--cooldown'])
    for (const wrong of ['-1', '1.5', 'x', '', ' 5', '5 ', '+5', '0x10', '1e2'])
      expect(await world.run('install', 'memo', '--dry-run', option, wrong), wrong).toMatchObject({
        code: 1,
      });
  expect(await world.run('install', 'memo', '--dry-run', '--keep-warm', '481')).toMatchObject({ code: 1 });
});

it('says in the plan that a server can be kept for one minute, or not at all', async () => {
  const world = homeWith(PROMPT);
  const asked = ['install', 'memo', '--dry-run', '--json', '--keep-warm', '1'];
  const notes = async (state: string) => {
    world.env.XDG_STATE_HOME = state;
    return JSON.parse((await world.run(...asked)).stdout).plan.notes;
  };
  const [minute] = await notes('/tmp/s');
  expect(minute).toMatchObject({ code: 'server.kept', message: expect.stringContaining(' 1 minute after') });
  // Windows has pipes, whose names are short.
  const [long] = await notes(`/tmp/${'a'.repeat(80)}`);
  expect(long).toMatchObject({ code: WINDOWS ? 'server.kept' : 'server.not-kept' });
});

it.runIf(LONG)('ends what runs when an install keeps nothing running any more', async () => {
  const world = homeWith(PROMPT);
  await world.run(...install, '--keep-warm', '10');
  expect(await prompt(world)).toContain('note');
  const [one] = kept(world);
  expect(isAlive(one?.pid ?? 0)).toBe(true);
  // Hooks of another scope keep their own.
  expect(await world.run(...install, '--scope', 'local')).toMatchObject({ code: 0 });
  expect(kept(world)).toHaveLength(1);
  expect(await world.run(...install, '--keep-warm', '0', '--accept-changed')).toMatchObject({ code: 0 });
  expect(kept(world)).toEqual([]);
  await vi.waitFor(() => expect(isAlive(one?.pid ?? 0)).toBe(false), 3_000);
  await world.run('uninstall', 'memo');
});

it.skipIf(WINDOWS)('doctor names a folder that hides what runs', async () => {
  const world = homeWith(PROMPT);
  await world.run(...install, '--keep-warm', '10');
  const folder = warmFolder(join(world.home, '.local/state/mcphooks'));
  mkdirSync(folder, { mode: 0o700 });
  const remarks = async () => JSON.parse((await world.run('doctor', '--json')).stdout).remarks;
  expect(await remarks()).not.toContainEqual(expect.objectContaining({ code: 'doctor.kept-open' }));
  chmodSync(folder, 0o750);
  expect(await remarks()).toContainEqual(
    expect.objectContaining({ code: 'doctor.kept-open', fix: `chmod 700 ${folder}` }),
  );
  await world.run('uninstall', 'memo');
});

it.runIf(LONG)('shows what runs, and ends it at disable and at uninstall', async () => {
  const world = homeWith(PROMPT);
  const before = world.files();
  await world.run(...install, '--keep-warm', '10');
  const digest = own(world, 'UserPromptSubmit.json');
  expect(JSON.parse(world.read(digest)).server_at.keep).toMatchObject({ ms: 600_000 });
  const at = starts(world);
  for (let i = 0; i < 3; i++) expect(await prompt(world)).toContain('note');
  expect(starts(world) - at).toBe(1);
  const [one] = kept(world);
  expect(one).toMatchObject({ server: 'memo', folder: world.project });

  const list = JSON.parse((await world.run('list', '--json')).stdout);
  expect(OUTPUTS.list.safeParse(list).success).toBe(true);
  expect(list.servers[0].findings).toMatchObject([{ code: 'doctor.kept' }]);
  const { stdout } = await world.run('doctor', '--json');
  expect(JSON.parse(stdout).remarks).toContainEqual(expect.objectContaining({ code: 'doctor.kept' }));
  const explained = await world.run('explain', 'memo');
  const words = explained.stdout.replace(/\s+/g, ' ');
  expect(words).toContain('stays running 10 minutes after its last use');
  expect(words).toContain(`process ${one?.pid}`);

  await world.run('disable', 'memo');
  expect(kept(world)).toEqual([]);
  // It may have seen the file first, and be ending its server.
  await vi.waitFor(() => expect(isAlive(one?.pid ?? 0)).toBe(false), 3_000);
  expect(await prompt(world)).toBe('');
  await world.run('enable', 'memo');
  expect(await prompt(world)).toContain('note');
  const [two] = kept(world);
  // One that hangs.
  if (!WINDOWS) process.kill(two?.pid ?? 0, 'SIGSTOP');
  await world.run('uninstall', 'memo');
  expect(isAlive(two?.pid ?? 0)).toBe(false);
  expect(existsSync(join(world.home, '.local/state/mcphooks'))).toBe(false);
  const { 'home/started.log': _, ...after } = world.files();
  expect(after).toEqual(before);
});
