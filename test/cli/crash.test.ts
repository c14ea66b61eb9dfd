import { spawn } from 'node:child_process';
import fs, { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ownPaths } from '../../src/base/paths.ts';
import { sha256 } from '../../src/base/sha256.ts';
import { ALL as EVERYTHING, LONG, sample } from '../effort.ts';
import { isAlive } from '../fire/world.ts';
import { limit } from '../platform.ts';
import { CLI, cleanWorlds, makeWorld, serverEntry, type World } from './world.ts';

cleanWorlds();

const SAY = { event: 'pre_request', context: 'A word.', priority: 'suggestion' };
const AFTER = {
  event: 'post_tool_use',
  matcher: { tool_name: 'Bash' },
  context: 'Ran.',
  priority: 'suggestion',
};
const ALL = ['--client', 'claude-code,codex,gemini-cli', '--yes', '--accept-changed'];
const FILES = ['home/.claude/settings.json', 'home/.codex/config.toml', 'home/.gemini/settings.json'];
/** Kills of a command: some at any moment of its whole run, most while it writes; `turn`: which of the later ones. */
const killsOf = (turn: number): number[] => (EVERYTHING ? [0, 1, 2, 3, 4, 5, 6] : [0, 1, 2 + turn]);

/** What the clients read, and what the shims are; the rest of a home changes from run to run. */
function state(world: World): Record<string, string> {
  const files = Object.entries(world.files());
  return Object.fromEntries(
    files
      .filter(([path]) => FILES.includes(path) || path.includes('/mcphooks/hooks/'))
      // Random per install.
      .map(([path, text]) => [path, text.replaceAll(/\b[0-9a-f]{8}\b/g, 'tag')]),
  );
}

/** Runs a command and kills it: as soon as it has begun to prepare or to replace files, or at any moment. */
async function killed(world: World, args: string[], k: number): Promise<void> {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: world.project,
    env: world.env,
    stdio: 'ignore',
  });
  const ended = new Promise((done) => child.on('close', done));
  const phase = ['commit', 'preparing', 'commit', undefined][k % 4];
  if (phase === undefined) await sleep(Math.random() * 400);
  else {
    const journal = join(world.home, '.local/state/mcphooks', `journal.${phase}.json`);
    while (!existsSync(journal) && child.exitCode === null) await sleep(1);
    const until = performance.now() + (k < 2 ? 0 : Math.random() * 5);
    while (performance.now() < until) await sleep(1);
  }
  child.kill('SIGKILL');
  await ended;
}

it.runIf(LONG)(
  'a command that is killed at any moment leaves all old or all new to the next one',
  {
    timeout: limit(180_000),
  },
  async () => {
    const world = makeWorld();
    const overlay = (...declarations: object[]): string =>
      world.write('home/overlay.json', JSON.stringify({ declarations }));
    const file = overlay(SAY);
    world.write(FILES[0] as string, '{\n\t"a": 1\n}');
    world.write(FILES[1] as string, '# mine\n[a]\nb = 1');
    world.write(FILES[2] as string, '{ /* mine */ "c": {} }\n');
    const nothing = state(world);
    const clean = world.files();
    const install = ['install', 'memo', '--declarations', file, ...ALL];
    const uninstall = ['uninstall', 'memo'];
    const run = async (args: string[]): Promise<void> => {
      const { code, stderr } = await world.run(...args);
      expect(code, stderr).toBe(0);
    };
    const seen = { old: 0, new: 0 };
    const crash = async (
      args: string[],
      back: () => Promise<void>,
      whole: Record<string, string>[],
      turn: number,
    ): Promise<void> => {
      for (const k of killsOf(turn)) {
        await killed(world, args, k);
        const next = await (EVERYTHING ? world.spawn : world.run)('diff', '--offline');
        expect(next.code, next.stderr).not.toBe(1);
        const now = state(world);
        JSON.parse(now[FILES[0] as string] as string);
        parseToml(now[FILES[1] as string] as string);
        JSON.parse((now[FILES[2] as string] as string).replace('/* mine */', ''));
        const which = whole.findIndex((w) => JSON.stringify(w) === JSON.stringify(now));
        if (which < 0) expect(now).toEqual(whole[0]);
        seen[which === 0 ? 'old' : 'new']++;
        expect(Object.keys(world.files()).filter((f) => /\.mcphooks-|journal/.test(f))).toEqual([]);
        await back();
      }
    };

    await run(install);
    const first = state(world);
    await run(uninstall);
    expect(world.files()).toEqual(clean);
    await crash(install, () => run(uninstall), [nothing, first], 0);
    expect(world.files()).toEqual(clean);

    await run(install);
    overlay(SAY, AFTER);
    await run(install);
    const second = state(world);
    const restore = async (): Promise<void> => {
      await run(uninstall);
      overlay(SAY);
      await run(install);
      overlay(SAY, AFTER);
    };
    await restore();
    const updating = state(world);
    await crash(install, restore, [updating, second], 1);

    // Uninstall makes the shims inert first: then a whole entry without its shim is what a crash may leave.
    const inert = Object.fromEntries(Object.entries(updating).filter(([path]) => FILES.includes(path)));
    const reinstall = async (): Promise<void> => {
      overlay(SAY);
      await run(install);
    };
    await run(uninstall);
    await reinstall();
    await crash(uninstall, reinstall, [updating, inert, nothing], 2);
    await run(uninstall);
    expect(world.files()).toEqual({ ...clean, 'home/overlay.json': JSON.stringify({ declarations: [SAY] }) });
    // Unless both happened, the kills all came too early or too late to show anything.
    expect(Math.min(seen.old, seen.new)).toBeGreaterThan(0);
  },
);

it.runIf(LONG).each([
  ['list', []],
  ['install', ['uninstall']],
])('a first install that is killed leaves no folder that it made: %s', async (next, then) => {
  for (const k of [1, 0]) {
    const world = makeWorld();
    const file = world.write('project/overlay.json', JSON.stringify({ declarations: [SAY] }));
    mkdirSync(join(world.home, '.local'));
    const folders = () => readdirSync(world.home, { recursive: true }).toSorted();
    const before = folders();
    const install = ['install', 'memo', '--no-check', '--declarations', file, ...ALL];
    await killed(world, install, k);
    expect(folders()).not.toEqual(before);
    expect((await world.run(...(next === 'list' ? [next] : install))).code).toBe(0);
    for (const verb of [...then, 'uninstall']) expect((await world.run(verb, 'memo')).code).toBeLessThan(2);
    expect(folders()).toEqual(before);
  }
});

const SIGNALS = [['SIGTERM'], ['SIGINT'], ['SIGINT', 'SIGINT'], ['SIGTERM', 'SIGHUP']] as const;
it('a signal while the server is asked, or two, leaves neither file nor process', async () => {
  const world = makeWorld();
  const log = join(world.home, 'pid');
  const script = world.write(
    'home/hangs.mjs',
    `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(log)}, String(process.pid));\nfor (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(signal, () => {});\nsetInterval(() => {}, 1000);\n`,
  );
  for (const [signal, second] of SIGNALS.slice(0, LONG ? undefined : 1)) {
    const before = Object.keys(world.files());
    const args = ['install', 'memo', '--client', 'claude-code', '--yes', '--', process.execPath, script];
    const child = spawn(process.execPath, [CLI, ...args], {
      cwd: world.project,
      env: world.env,
      stdio: 'ignore',
    });
    const ended = new Promise((done) => child.on('close', done));
    while (!existsSync(log) || world.read('home/pid') === '') await sleep(20);
    const pid = Number(world.read('home/pid'));
    child.kill(signal);
    if (second) {
      await sleep(100);
      child.kill(second);
    }
    await ended;
    expect(child.exitCode).not.toBe(0);
    const alive = (): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    for (let i = 0; alive() && i < 100; i++) await sleep(50);
    const left = alive();
    if (left) process.kill(pid, 'SIGKILL');
    expect([signal, second, left]).toEqual([signal, second, false]);
    rmSync(log);
    expect(Object.keys(world.files()).filter((f) => f !== 'home/pid')).toEqual(
      before.filter((f) => f !== 'home/pid'),
    );
  }
});

it.runIf(LONG)('a signal in the moment in which a server starts leaves no process', async () => {
  const world = makeWorld();
  const pid = join(world.home, 'pid');
  const script = world.write(
    'home/signals.sh',
    `trap '' TERM HUP\nkill -INT $PPID\necho $$ >'${pid}'\nexec sleep 60\n`,
  );
  const { code } = await world.spawn(
    'install',
    'memo',
    '--client',
    'codex',
    '--yes',
    '--',
    '/bin/sh',
    script,
  );
  expect(code).not.toBe(0);
  // The server writes it at once, unless it was ended before.
  const started = existsSync(pid) ? Number(world.read('home/pid')) : 0;
  const left = started > 0 && isAlive(started);
  if (left) process.kill(started, 'SIGKILL');
  expect(left).toBe(false);
});

const DAEMONS = [
  ['exec', 0, 'sh', 0],
  ['exec', 0, 'npx', 1],
  ['exit 3;', 1, 'sh', 0],
  ['sleep 40;', 1, 'sh', 1],
] as const;
it.runIf(LONG).each(DAEMONS)(
  'a command ends though a daemon that hides holds the output of the server: %s (%i, %s)',
  async (then, code, by, turn) => {
    const world = makeWorld();
    const pid = join(world.home, 'daemon');
    world.write('home/declared.json', JSON.stringify({ declarations: [SAY] }));
    const { command, args } = serverEntry(join(world.home, 'declared.json'));
    const daemon = `(env -i setsid sh -c 'echo $$ >"$0"; exec sleep 60' '${pid}' &)`;
    const script = `#!/bin/sh\n${daemon}\n${then} '${command}' '${args.join("' '")}'\n`;
    chmodSync(world.write(`bin/${by}`, script), 0o755);
    world.env.PATH = `${join(world.home, '../bin')}:${world.env.PATH}`;
    const entry =
      by === 'npx' ? { command: by, args: ['-y', 'some-mcp'] } : { command: join(world.home, '../bin', by) };
    world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: entry } }));
    const begun = Date.now();
    try {
      const commands = [
        ['lint', 'memo'],
        ['install', 'memo', '--dry-run'],
      ];
      for (const args of sample(commands, 2, turn))
        expect((await world.spawn(...args, '--timeout', '3')).code).toBe(
          args[0] === 'install' && !code ? 2 : code,
        );
      expect(Date.now() - begun).toBeLessThan(25_000);
    } finally {
      process.kill(Number(world.read('home/daemon')), 'SIGKILL');
    }
  },
);

it.runIf(LONG)(
  'an install that can not look for old files of its own, once all is written, is done',
  async () => {
    const world = makeWorld();
    world.write('home/hooks.json', JSON.stringify({ declarations: [SAY] }));
    const [lock, record] = ['lock', 'record.json'].map((name) => join(ownPaths(world.env).state, name));
    const open = fs.openSync;
    const restore = (): void => {
      fs.openSync = open;
      syncBuiltinESMExports();
    };
    onTestFinished(restore);
    fs.openSync = (path, ...rest) => {
      const isWritten = path === record && existsSync(record as string) && existsSync(lock as string);
      if (isWritten) throw Object.assign(new Error(), { code: 'EMFILE', syscall: 'open' });
      return open(path, ...rest);
    };
    syncBuiltinESMExports();
    const file = join(world.home, 'hooks.json');
    const { code, stderr } = await world.run(
      'install',
      'memo',
      '--declarations',
      file,
      '--no-check',
      ...ALL,
      '--',
      'true',
    );
    restore();
    expect([code, stderr]).toEqual([0, expect.stringContaining('Installed.')]);
    expect(await world.run('diff', '--offline')).toMatchObject({ code: 0 });
  },
);

describe('a run that was interrupted between two files is ended by the next one', () => {
  const before = '{ "mine": true }\n';
  const ours = '{ "mine": true, "hooks": { "Stop": [] /* mcphooks */ } }\n';
  const install = { from: before, to: ours };
  const uninstall = { from: ours, to: before };

  /** Leaves a world as a run does that ends in this phase; `hasNew`: the new bytes are there. */
  const interrupt = (
    world: World,
    phase: string,
    from: string,
    to: string,
    now: string,
    hasNew: boolean,
  ): void => {
    const target = world.write('home/.claude/settings.json', now);
    const beside = (end: string): string => join(dirname(target), `.mcphooks-0123456789ab-0.${end}`);
    if (hasNew) writeFileSync(beside('new'), to);
    const op = { path: target, target, fresh: beside('new'), old: beside('old') };
    const ops = [{ ...op, before: sha256(from), after: sha256(to) }];
    const journal = JSON.stringify({ format: 1, ops, made: [], emptied: [] });
    world.write(`home/.local/state/mcphooks/journal.${phase}.json`, journal);
  };

  // What stands in the client's file then, and which of the two temporary files are there.
  it.each([
    ['before the new bytes are there', 'preparing', install, before, []],
    ['before the old bytes are there', 'preparing', install, before, ['new']],
    ['when all that it gave back is there again', 'undo', install, before, []],
    ['when the old bytes of an uninstall are removed already', 'done', uninstall, before, []],
    ['when the old bytes of an install are removed already', 'done', install, ours, []],
  ] as const)('%s: %s', async (_, phase, { from, to }, now, left) => {
    const world = makeWorld();
    interrupt(world, phase, from, to, now, left.length > 0);
    expect((await world.run('list')).code).toBe(0);
    expect(world.read('home/.claude/settings.json')).toBe(now);
    expect(Object.keys(world.files()).filter((f) => /\.mcphooks-|journal/.test(f))).toEqual([]);
  });

  it.each([
    ['uninstall', 'memo'],
    ['uninstall', '--all'],
    ['install', 'memo', '--no-check', '--declarations', 'overlay.json'],
  ])('but not by a dry run, which says so: %s %s', async (...words) => {
    const world = makeWorld();
    world.write('project/overlay.json', JSON.stringify({ declarations: [SAY] }));
    interrupt(world, 'commit', before, ours, before, true);
    const files = world.files();
    const { stderr } = await world.run(...words, '--dry-run');
    expect(stderr).toContain('journal.commit.json');
    expect(stderr.match(/was interrupted, or is still under way/g)).toHaveLength(1);
    expect(world.files()).toEqual(files);
    expect(await world.run('uninstall', 'memo')).toMatchObject({ code: 0 });
    expect(world.read('home/.claude/settings.json')).toBe(ours);
  });
});
