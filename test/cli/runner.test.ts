import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { fitted } from '../../src/base/text-style.ts';
import { OUTPUTS } from '../../src/cli/json/outputs.ts';
import { directText, firstCallText, keepWarmText } from '../../src/messages/notes.ts';
import { silenceText } from '../../src/messages/silences.ts';
import { readInstalls } from '../../src/servers/packages/install-lock.ts';
import { ALL, LONG } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { nodeProgram, pathWith, slashed, WINDOWS } from '../platform.ts';
import { COMMIT, START } from './home.ts';
import { cleanWorlds, makeWorld, nodeServerEntry, serverEntry, type World } from './world.ts';

cleanWorlds();
installsNodeHere({ servers: true });

/** Seconds that a program takes once, and at each start. */
interface Takes {
  once?: number;
  each?: number;
}

/** Makes a program that takes its time before it starts the server that declares what stands in declared.json. */
function slowProgram({ home, write }: World, name: string, { once = 0, each = 0 }: Takes): string {
  const { command, args } = serverEntry(join(home, 'declared.json'), join(home, 'started.log'));
  const file = join(home, '../bin', name);
  if (WINDOWS) {
    const script = `
      import { spawnSync } from 'node:child_process';
      import { existsSync, mkdirSync } from 'node:fs';
      import { setTimeout as sleep } from 'node:timers/promises';
      const [installing, installed] = ${JSON.stringify([join(home, 'installing'), join(home, 'installed')])};
      if (!existsSync(installing)) {
        mkdirSync(installing);
        await sleep(${once * 1000});
        mkdirSync(installed);
      }
      await sleep(${each * 1000});
      if (!existsSync(installed)) process.exit(1);
      spawnSync(${JSON.stringify(command)}, ${JSON.stringify(args)}, { stdio: 'inherit' });`;
    nodeProgram(file, write(`bin/${name}.mjs`, script));
    return `${file}.cmd`;
  }
  const script = `#!/bin/sh
if mkdir "${home}/installing"; then
  sleep ${once}
  mkdir "${home}/installed"
fi
sleep ${each}
[ -d "${home}/installed" ] || exit 1
exec '${command}' ${args.map((arg) => `'${arg}'`).join(' ')}
`;
  chmodSync(write(`bin/${name}`, script), 0o755);
  return file;
}

/** A home in which Claude Code starts the server `memo` by an `npx` that installs it. */
function worldWith(declarations: object[], spec: string, takes: Takes = {}): World {
  const world = makeWorld();
  world.write('home/declared.json', JSON.stringify({ declarations }));
  slowProgram(world, 'npx', takes);
  world.env.PATH = pathWith(join(world.home, '../bin'));
  const entry = { command: 'npx', args: ['-y', spec], env: { API_KEY: 's3cret' } };
  world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: entry } }));
  return world;
}

const install = ['install', 'memo', '--client', 'claude-code'];

it.runIf(ALL)(
  'a plan says that a package runner without a version runs whatever is newest, and how it starts faster',
  async () => {
    const world = worldWith([START], 'memo-server');
    const { stdout } = await world.run(...install, '--dry-run');
    const text = stdout.replace(/\s+/g, ' ');
    expect(text).toContain(
      'npx always runs the newest version of memo-server; to keep one version, name it (memo-server@1.2.3)',
    );
    expect(text).toContain('npm install -g memo-server)');
    const pinned = worldWith([START], 'memo-server@1.2.3');
    expect((await pinned.run(...install, '--dry-run')).stdout.replace(/\s+/g, ' ')).toContain(
      'npm install -g memo-server@1.2.3)',
    );
    const unnamed = worldWith([START], 'github:someone/memo-server');
    expect((await unnamed.run(...install, '--dry-run')).stdout.replace(/\s+/g, ' ')).toContain(
      "npx runs what it fetches, so the version can't be known",
    );
    const { plan } = JSON.parse((await world.run(...install, '--dry-run', '--json')).stdout);
    expect(plan.notes.map((note: { code: string }) => note.code)).toEqual([
      'runner.unpinned',
      'runner.per-call',
    ]);
  },
);

it.runIf(LONG)('a plan has nothing to say of a pinned one whose hooks call no tool', async () => {
  const world = worldWith([COMMIT], 'memo-server@2.0.1');
  const { plan } = JSON.parse((await world.run(...install, '--dry-run', '--json')).stdout);
  expect(plan.notes).toBeUndefined();
  const written = await world.run(...install, '--yes');
  expect(written).toMatchObject({ code: 0 });
  expect(written.stderr).not.toContain('first call');
});

it.runIf(LONG)(
  'install proposes to keep a server running that starts slowly, where the user has not said so',
  async () => {
    const proposal = 'mcphooks install memo --keep-warm 10';
    // Each start takes longer than a second.
    const slow = worldWith([START], 'memo-server@2.0.1', { each: 1.1 });
    expect((await slow.run(...install, '--yes')).stderr).toContain(proposal);
    const kept = await slow.run(...install, '--yes', '--accept-changed', '--keep-warm', '5');
    expect(kept.code).toBe(0);
    expect(kept.stderr).not.toContain(proposal);
  },
);

it.runIf(LONG)(
  'install proposes the same for a server that starts slowly without a package runner',
  async () => {
    const proposal = 'mcphooks install memo --keep-warm 10';
    for (const [declarations, says] of [
      [[START], true],
      [[COMMIT], false],
    ] as const) {
      const world = makeWorld();
      world.write('home/declared.json', JSON.stringify({ declarations }));
      const command = slowProgram(world, 'slow', { each: 1.1 });
      world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: { command, args: [] } } }));
      const { code, stderr } = await world.run(...install, '--yes');
      expect(code).toBe(0);
      if (says) expect(stderr).toContain(proposal);
      else expect(stderr).not.toContain(proposal);
    }
  },
);

it.runIf(ALL)(
  'install advises the file that npx starts, where npx takes most of a start, with the lines to paste',
  async () => {
    const world = worldWith([START], 'memo-server@2.0.1', { each: 2.5 });
    const entry = { command: 'npx', args: ['-y', 'memo-server@2.0.1', '--api-key', 's3cret-value-of-mine'] };
    world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: entry } }));
    const { args } = nodeServerEntry(join(world.home, 'declared.json'), join(world.home, 'started.log'));
    const [script = '', ...rest] = args;
    const cache = WINDOWS ? 'AppData/Local/npm-cache' : '.npm';
    const folder = `home/${cache}/_npx/0a1b/node_modules/memo-server`;
    const manifest = { name: 'memo-server', version: '2.0.1', bin: { 'memo-server': 'dist/index.mjs' } };
    world.write(`${folder}/package.json`, JSON.stringify(manifest));
    world.write(
      `${folder}/dist/index.mjs`,
      `process.argv.splice(2, 9, ...${JSON.stringify(rest)}); await import(${JSON.stringify(pathToFileURL(script).href)});`,
    );
    const { stderr } = await world.run(...install, '--yes');
    const file = join(world.home, cache, '_npx/0a1b/node_modules/memo-server/dist/index.mjs');
    expect(stderr).toMatch(/npx takes \d+\.\d s of that; its program alone starts in \d+\.\d s\./);
    expect(slashed(stderr)).toContain('of memo in ~/.claude.json');
    expect(stderr).toContain(`  "command": "node",\n  "args": [${JSON.stringify(file)}, "--api-key", "***"]`);
    expect(stderr).not.toContain('s3cret');
    const again = [...install, '--yes', '--accept-changed', '--cooldown', '5', '--json'];
    const document = JSON.parse((await world.run(...again)).stdout);
    expect(OUTPUTS.install.safeParse(document).error).toBeUndefined();
    expect(document.firstCall.direct).toMatchObject({ command: 'node', cached: true });
  },
);

it('the proposal to keep a server running is for the scope of the install', () => {
  expect(keepWarmText(1_100, 'memo', 'local')).toContain(
    'mcphooks install --scope local memo --keep-warm 10',
  );
  expect(keepWarmText(1_100, 'memo', 'user')).toContain('mcphooks install memo --keep-warm 10');
});

it('the lines to paste have the form of the client', () => {
  const direct = { command: 'node', args: ['/a "b"/x.js', '-v'], ms: 200, cached: false };
  const runner = { runner: 'npx', nextMs: 1400 };
  const lines = (toml: boolean, argv?: string) =>
    directText(direct, runner, { file: '~/f', server: 'memo', toml, argv }).split('\n');
  expect(lines(false)).toEqual([
    'npx takes 1.2 s of that; its program alone starts in 0.2 s. To start it so, put these lines in place of the old ones of memo in ~/f, then install again:',
    '  "command": "node",',
    String.raw`  "args": ["/a \"b\"/x.js", "-v"]`,
  ]);
  expect(lines(true).slice(1)).toEqual(['  command = "node"', String.raw`  args = ["/a \"b\"/x.js", "-v"]`]);
  expect(lines(false, 'command').slice(1)).toEqual([
    String.raw`  "command": ["node", "/a \"b\"/x.js", "-v"]`,
  ]);
});

it('the lines to paste stay whole on a narrow terminal, where a path has a space', () => {
  const direct = { command: 'node', args: ['/home/José Müller/x.js'], ms: 200, cached: false };
  const at = (toml: boolean) => {
    const spelling = { file: '~/f', server: 'memo', toml };
    return fitted(directText(direct, { runner: 'npx', nextMs: 1400 }, spelling), 30)
      .split('\n')
      .slice(-2);
  };
  expect(at(false)).toEqual(['  "command": "node",', '  "args": ["/home/José Müller/x.js"]']);
  expect(at(true)).toEqual(['  command = "node"', '  args = ["/home/José Müller/x.js"]']);
});

it.runIf(LONG)('install starts it once as a hook will, and says how long that took', async () => {
  const world = worldWith([START], 'memo-server@2.0.1');
  const { code, stderr } = await world.run(...install, '--yes');
  expect(code).toBe(0);
  expect(stderr).toMatch(/The first call with npx took \d+\.\d s, the next one \d+\.\d s; hooks wait 10 s\./);
  const again = worldWith([START, { ...START, event: 'pre_request' }], 'memo-server@2.0.1');
  const document = JSON.parse((await again.run(...install, '--yes', '--json')).stdout);
  expect(OUTPUTS.install.safeParse(document).error).toBeUndefined();
  expect(document.firstCall).toEqual({
    runner: 'npx',
    ms: expect.any(Number),
    nextMs: expect.any(Number),
    waitMs: 5000,
  });
  // Nothing changes, nothing is started anew.
  expect(JSON.parse((await again.run(...install, '--yes', '--json')).stdout)).not.toHaveProperty('firstCall');
});

it.runIf(ALL)(
  'install says how long the installation took, whichever of its starts was the first',
  async () => {
    // Longer than any start without it.
    const once = WINDOWS ? 10 : 2;
    const asked = worldWith([START], 'memo-server@2.0.1', { once });
    const { firstCall } = JSON.parse((await asked.run(...install, '--yes', '--json')).stdout);
    expect(firstCall.ms).toBeGreaterThan(once * 1000);
    expect(firstCall.nextMs).toBeLessThan(once * 1000);
  },
);

it('install starts nothing with --no-check', async () => {
  const world = worldWith([START], 'memo-server@2.0.1');
  const file = world.write('home/hooks.json', JSON.stringify({ declarations: [START] }));
  const words = [...install, '--declarations', file, '--no-check', '--yes'];
  expect(await world.run(...words)).toMatchObject({ code: 0, stderr: expect.not.stringContaining('npx') });
  expect(existsSync(join(world.home, 'started.log'))).toBe(false);
});

it.runIf(ALL)('install gives an installation time to end in the background, and says so', async () => {
  const world = worldWith([START], 'memo-server@2.0.1', { once: WINDOWS ? 20 : 4 });
  const state = join(world.home, '.local/state/mcphooks');
  // A process of its own: on Windows what it started could end with it.
  const early = await world.spawn(...install, '--yes', '--timeout', '1');
  expect(early).toMatchObject({ code: 1 });
  expect(early.stderr.replace(/\s+/g, ' ')).toContain('npx memo-server@2.0.1 is still being installed');
  expect(readInstalls(state)).toHaveLength(1);
  expect(await world.run(...install, '--yes', '--timeout', '60')).toMatchObject({ code: 0 });
  await expect.poll(() => readInstalls(state), { timeout: 15_000 }).toEqual([]);
});

it('a hook whose server is still being installed can be tried later, as install and fire say', () => {
  expect(firstCallText({ runner: 'npx', waitMs: 1 })).toMatch(/once that is done; try it then\.$/);
  expect(silenceText('tool.installing', { detail: 'note: npx memo' })).toBe(
    'its package is still being installed in the background (note: npx memo); run this again later',
  );
});

it.runIf(ALL)('the log of doctor says that a package is being installed until the tool answers', async () => {
  const world = worldWith([START], 'memo-server@2.0.1', { once: WINDOWS ? 20 : 10 });
  // Its call ends after 5 s.
  const hook = { ...START, event: 'pre_request' };
  const file = world.write('home/hooks.json', JSON.stringify({ declarations: [hook] }));
  const words = [...install, '--declarations', file, '--no-check', '--yes'];
  const again = 'run this again later';
  expect(await world.run(...words)).toMatchObject({ code: 0 });
  const fire = () => world.run('fire', 'memo', 'pre_request', '--client', 'claude-code');
  const logged = async () => JSON.parse((await world.run('doctor', '--json')).stdout).log;
  expect(await fire()).toMatchObject({ code: 1, stdout: expect.stringContaining(again) });
  expect(await fire()).toMatchObject({ code: 1, stdout: expect.stringContaining(again) });
  expect(await logged()).toMatchObject([
    { incident: 'tool.installing', detail: expect.stringContaining('note: no answer within 5000 ms') },
    { incident: 'tool.installing', detail: expect.stringContaining('note: npx memo-server@2.0.1, since ') },
  ]);
  const state = join(world.home, '.local/state/mcphooks');
  await expect.poll(() => readInstalls(state), { timeout: 15_000 }).toEqual([]);
  expect((await fire()).stdout).toContain('noted');
  expect(await logged()).toEqual([]);
});

it('a tool of a server in plain text on another machine is not called, and the plan says why', async () => {
  const world = makeWorld();
  const entry = { type: 'http', url: 'http://memo.example/mcp' };
  world.write('home/.claude.json', JSON.stringify({ mcpServers: { memo: entry } }));
  const file = world.write('home/hooks.json', JSON.stringify({ declarations: [START, COMMIT] }));
  const asked = [...install, '--declarations', file, '--no-check'];
  const { stdout } = await world.run(...asked, '--dry-run', '--json');
  const [claude] = JSON.parse(stdout).plan.clients;
  expect(claude.hooks).toMatchObject([
    { fidelity: 'unsupported', notes: [{ code: 'unsupported.address' }] },
    { fidelity: 'native' },
  ]);
});
