import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ALL, LONG, sample } from '../effort.ts';
import { installsNodeHere } from '../node-here/start.ts';
import { hookFile, hookWords, inJson, markingProgram, nodeProgram, pathWith, WINDOWS } from '../platform.ts';
import { cleanWorlds, type Ended, makeWorld, type World } from './world.ts';

cleanWorlds();
installsNodeHere({ servers: true });
const SERVER = fileURLToPath(new URL('../fixtures/servers/folder.mjs', import.meta.url));
const START = { event: 'session_start', context_tool: 'note', priority: 'important' };
const CLAUDE = ['--client', 'claude-code'];
const hashIn = ({ stdout, stderr }: Ended): string =>
  /--allow-start ([0-9a-f]{64})/.exec(stdout + stderr)?.[1] ?? '';

/** A world with one server of the user's own, and a project that is a repository. */
function worldWith(entry: (world: World) => object, local = false): World {
  const world = makeWorld();
  mkdirSync(join(world.project, '.git'));
  const servers = { mcpServers: { memo: entry(world) } };
  world.write(
    'home/.claude.json',
    JSON.stringify(local ? { projects: { [world.project]: servers } } : servers),
  );
  world.write('home/.claude/settings.json', '{}\n');
  return world;
}
const log = (world: World): string => join(world.home, 'started.log');
// A shell starts sooner, where there is one.
const [COMMAND, FAST_SERVER] = WINDOWS
  ? [process.execPath, SERVER]
  : ['/bin/sh', SERVER.replace('.mjs', '.sh')];
/** What a copy of it in a folder is called. */
const COPY = WINDOWS ? 'server.mjs' : 'server.sh';
const copyTo = (world: World, path: string): string => world.write(path, readFileSync(FAST_SERVER, 'utf8'));
/** Makes a program that starts it. */
function serverProgram(path: string, file: string): void {
  if (WINDOWS) nodeProgram(path, file);
  else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\nexec /bin/sh '${file}' "$@"\n`, { mode: 0o755 });
  }
}
const server = (world: World): object => ({ command: COMMAND, args: [FAST_SERVER, log(world)] });
/** The folders from which the server was started since the last look. */
function started(world: World): string[] {
  const folders = existsSync(log(world)) ? readFileSync(log(world), 'utf8').split('\n').filter(Boolean) : [];
  world.write('home/started.log', '');
  return [...new Set(folders)];
}

/** What the hook of a start prints, as a client starts it. */
function startHook(world: World, { folder = 'project', env = world.env, id = 's' } = {}): string {
  const script = hookFile('claude-code/SessionStart');
  const [shim = ''] = Object.keys(world.files()).filter((path) => path.endsWith(script));
  const [command, ...args] = hookWords(join(world.home, '..', shim.replace(/\.cjs$/, '')));
  const input = JSON.stringify({ hook_event_name: 'SessionStart', session_id: id, source: 'startup' });
  const cwd = join(world.home, '..', folder);
  return spawnSync(command, args, { cwd, env, input, encoding: 'utf8' }).stdout;
}

const READING = [
  ['install', 'memo', '--dry-run'],
  ['diff', 'memo'],
  ['lint', 'memo'],
  ['explain', 'memo'],
  ['list', '--check'],
  ['doctor', '--check'],
  ['export', 'memo', '--format', 'claude-plugin', '--out', '../out', '--dry-run'],
];

/** Those of them that start nothing unless it was approved. */
const ASKING = READING.filter(([verb]) => verb !== 'list' && verb !== 'doctor');

describe("a server of the user's own files", () => {
  it('is read from the home folder in every command, and fires where its client would start it', async () => {
    const world = worldWith(server);
    world.write('home/has-tools', '');
    for (const args of LONG ? READING : sample(READING, 3)) {
      await world.run(...args);
      expect(
        started(world).filter((folder) => folder !== world.home),
        args.join(' '),
      ).toEqual([]);
    }
    expect(await world.run('install', 'memo', '--yes')).toMatchObject({ code: 0 });
    for (const args of sample(READING.slice(1), LONG ? 2 : 3)) {
      await world.run(...args);
      expect(
        started(world).filter((folder) => folder !== world.home),
        args.join(' '),
      ).toEqual([]);
    }
    world.write('project/has-tools', '');
    // `fire` is no client that trusts a folder, until it was told to.
    const fire = ['fire', 'memo', 'session_start', ...CLAUDE];
    expect((await world.run(...fire)).stdout).toContain(`noted in ${world.home}`);
    const hash = JSON.parse(world.read('home/.local/state/mcphooks/record.json')).servers[0].definition.hash;
    expect((await world.run(...fire, '--allow-start', hash)).stdout).toContain(`noted in ${world.project}`);
    // A client starts hooks without it.
    expect(startHook(world)).toContain(`noted in ${inJson(world.project)}`);
  });

  it('is said to start in the home folder where its tool fails there', async () => {
    const world = worldWith(server);
    const inHome = world.write('home/has-tools', '');
    await world.run('install', 'memo', '--yes', ...CLAUDE);
    rmSync(inHome);
    world.write('project/has-tools', '');
    const fire = ['fire', 'memo', 'session_start'];
    const failed = await world.run(...fire);
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.stderr).toContain("'memo' is started in your home folder. To start it in this project");
    const { stdout, stderr } = await world.run(...fire, '--allow-start', hashIn(failed));
    expect([stdout, stderr]).toEqual([expect.stringContaining('noted'), '']);
  });

  // Five starts of npx; programs of a clone are looked for below, too.
  it.runIf(ALL)('started by npx finds no package of a clone', async () => {
    const world = worldWith((w) => ({ command: 'npx', args: ['-y', 'some-mcp', log(w)] }));
    const bin = (folder: string, text: string) => {
      world.write(
        `${folder}/node_modules/some-mcp/package.json`,
        '{"name":"some-mcp","version":"1.0.0","bin":"x.mjs"}',
      );
      chmodSync(world.write(`${folder}/node_modules/some-mcp/x.mjs`, `#!/usr/bin/env node\n${text}`), 0o755);
      mkdirSync(join(world.home, '..', folder, 'node_modules/.bin'), { recursive: true });
      execFileSync('ln', [
        '-s',
        '../some-mcp/x.mjs',
        join(world.home, '..', folder, 'node_modules/.bin/some-mcp'),
      ]);
    };
    bin('home', readFileSync(SERVER, 'utf8'));
    bin('project', `import { writeFileSync } from 'node:fs';\nwriteFileSync('pwned', '');`);
    world.write('home/package.json', '{}');
    world.write('project/package.json', '{}');
    world.write('project/.npmrc', 'registry=http://127.0.0.1:1/\n');
    world.write('home/has-tools', '');
    const given = ['install', 'other', '--dry-run', '--', 'npx', '-y', 'some-mcp', log(world)];
    for (const args of [['install', 'memo', '--yes'], ['diff'], ['fire', 'memo', 'session_start'], given]) {
      expect([0, 2], args.join(' ')).toContain((await world.run(...args)).code);
      expect(started(world)).toEqual([world.home]);
      expect(existsSync(join(world.project, 'pwned'))).toBe(false);
    }
  });

  it.runIf(LONG)(
    'without its tools at home is not checked, until the user lets it be asked here',
    async () => {
      const world = worldWith(server);
      world.write('project/has-tools', '');
      const asked = await world.run('install', 'memo', '--dry-run', ...CLAUDE);
      expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('Not checked') });
      expect(started(world)).toEqual([world.home]);
      // A person is asked, once a repository.
      const no = await world.runAs({ says: false }, 'install', 'memo', '--dry-run');
      expect(no).toMatchObject({ code: 2, stderr: expect.stringContaining("doesn't list 'note'") });
      expect(started(world)).toEqual([world.home]);
      expect(await world.runAs({ says: true }, 'install', 'memo')).toMatchObject({ code: 0 });
      expect(started(world)).toEqual([world.home, world.project]);
      expect(await world.run('diff', 'memo')).toMatchObject({ code: 0, stderr: '' });
      expect(started(world)).toEqual([world.project]);
    },
  );

  it.runIf(LONG)('without its tools in the project in which it was allowed to start is a fault', async () => {
    const world = worldWith(server);
    const hash = hashIn(await world.run('install', 'memo', '--dry-run'));
    const here = await world.run('install', 'memo', '--dry-run', '--allow-start', hash);
    expect(here).toMatchObject({ code: 1, stderr: expect.stringContaining('note') });
    expect(started(world)).toEqual([world.home, world.project]);
  });

  it('that does not start at home says how to start it here', async () => {
    const world = worldWith(() => ({ command: COMMAND, args: ['no-such-server'] }));
    const ran = await world.run('install', 'memo', '--dry-run');
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('started in your home folder') });
    expect(hashIn(ran)).not.toBe('');
  });

  it('whose program no folder of PATH has says nothing of another folder', async () => {
    const world = worldWith(() => ({ command: 'no-such-program-of-anybody', args: [] }));
    const ran = await world.run('install', 'memo', '--dry-run');
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('the program was not found') });
    expect(ran.stderr).not.toContain('home folder');
    expect(ran.stderr).toContain('Check the command in your client.');
    const given = await world.run('install', 'other', '--dry-run', '--', 'no-such-program-of-anybody');
    expect(given.stderr).toMatch(/was not found \(ENOENT\)\n *Check the command that you gave\.\n/);
  });
});

describe('a variable that names the folder', () => {
  const stranger =
    'import { writeFileSync } from "node:fs";\nwriteFileSync(`${process.env.HOME}/pwned`, "");\n';
  const references: [string, object, string][] = [
    ['claude-code', { command: process.execPath, args: ['${PWD}/srv.mjs'] }, '.claude.json'],
    ['claude-code', { command: process.execPath, args: ['${INIT_CWD:-.}/srv.mjs'] }, '.claude.json'],
    ['claude-code', { command: process.execPath, args: ['${OLDPWD}/srv.mjs'] }, '.claude.json'],
    ['claude-code', { command: process.execPath, args: ['${MY_PROJECT}/srv.mjs'] }, '.claude.json'],
    ['claude-code', { command: '${PWD}/srv' }, '.claude.json'],
    ['claude-code', { command: 'sh', args: ['-c', 'exec node "$PWD/srv.mjs"'] }, '.claude.json'],
    ['claude-code', { command: 'sh', args: ['-c', 'exec node "${OLDPWD-.}/srv.mjs"'] }, '.claude.json'],
    ['gemini-cli', { command: process.execPath, args: ['$PWD/srv.mjs'] }, '.gemini/settings.json'],
    ['gemini-cli', { command: process.execPath, args: ['srv.mjs'], cwd: '$PWD' }, '.gemini/settings.json'],
    [
      'gemini-cli',
      { command: 'sh', args: ['-c', 'node "$A/srv.mjs"'], env: { A: '$PWD' } },
      '.gemini/settings.json',
    ],
  ];
  const rows = references.map((row, turn) => [...row, turn] as const);
  it.each(rows)('makes a definition one that is asked for: %s %j', async (_, entry, file, turn) => {
    const world = worldWith(() => ({ command: 'x' }));
    world.write('home/.claude.json', '{}');
    world.write(`home/${file}`, JSON.stringify({ mcpServers: { memo: entry } }));
    world.write('project/srv.mjs', stranger);
    chmodSync(world.write('project/srv', `#!/usr/bin/env node\n${stranger}`), 0o755);
    const { project } = world;
    Object.assign(world.env, { PWD: project, OLDPWD: project, INIT_CWD: project, MY_PROJECT: project });
    for (const args of sample(ASKING, 3, turn)) {
      const refused = await world.run(...args);
      expect(existsSync(join(world.home, 'pwned')), args.join(' ')).toBe(false);
      expect(refused, args.join(' ')).toMatchObject({ code: 3 });
    }
  });

  it.runIf(LONG)('is not handed on to a shell that starts in the home folder', async () => {
    const script = (where: string) =>
      worldWith((w) => ({
        command: 'sh',
        args: ['-c', `cd "${where}" && exec '${COMMAND}' "\${1:-.}/srv" '${log(w)}'`, 'sh'],
      }));
    const variables = ['${INIT_CWD-.}', '${npm_config_local_prefix-.}', '${MY_PROJECT-.}'];
    for (const where of sample(variables, 3)) {
      const world = script(where);
      world.write('project/srv', ': >"$HOME/pwned"\n');
      copyTo(world, 'home/srv');
      world.write('home/has-tools', '');
      const { project } = world;
      const npm_config_local_prefix = project;
      const named = { PWD: project, OLDPWD: project, INIT_CWD: project, npm_config_local_prefix };
      Object.assign(world.env, named, { MY_PROJECT: project });
      // Claude Code knows `${NAME-.}` no more than a variable without braces.
      for (const args of [
        ['lint', 'memo'],
        ['install', 'memo', '--yes'],
        ['fire', 'memo', 'session_start', ...CLAUDE],
      ]) {
        await world.run(...args);
        expect(existsSync(join(world.home, 'pwned')), `${where}: ${args.join(' ')}`).toBe(false);
        expect(started(world).filter((folder) => folder !== world.home)).toEqual([]);
      }
      expect((await world.run('fire', 'memo', 'session_start', ...CLAUDE)).stdout).toContain(world.home);
    }
  });
});

describe('what belongs to a project', () => {
  const belongs: [string, (world: World) => object, boolean][] = [
    ['a definition that Claude Code holds for it', server, true],
    ['a program by a relative path', (w) => ({ command: './server', args: [log(w)] }), false],
    [
      'an argument that is a path in it',
      (w) => ({ command: COMMAND, args: [`tools/${COPY}`, log(w)] }),
      false,
    ],
    ['an argument by its name', (w) => ({ command: COMMAND, args: [COPY, log(w)] }), false],
  ];
  const rows = belongs.map((row, turn) => [...row, turn] as const);
  it.each(LONG ? rows : rows.slice(0, 1))(
    'is started there, and only when that was approved: %s',
    async (_, entry, local, turn) => {
      const world = worldWith(entry, local);
      world.write('project/has-tools', '');
      copyTo(world, `project/tools/${COPY}`);
      copyTo(world, `project/${COPY}`);
      serverProgram(join(world.project, 'server'), COPY);
      for (const args of sample(ASKING, 3, turn)) {
        const refused = await world.run(...args);
        expect(refused, args.join(' ')).toMatchObject({ code: 3 });
        expect(started(world)).toEqual([]);
      }
      const refused = await world.run('install', 'memo', '--yes');
      expect(refused.stderr).toContain('not the contents of files that it names');
      expect(await world.run('install', 'memo', '--yes', '--allow-start', hashIn(refused))).toMatchObject({
        code: 0,
      });
      expect(started(world)).toEqual([world.project]);
      expect(await world.run('diff', 'memo')).toMatchObject({ code: 0 });
      expect(started(world)).toEqual([world.project]);
      expect((await world.run('fire', 'memo', 'session_start', ...CLAUDE)).stdout).toContain('noted');
    },
  );

  it('is shown whole before a person is asked', async () => {
    const world = worldWith(server, true);
    world.write('project/has-tools', '');
    const words = [FAST_SERVER, log(world)];
    const shown = words.map((word) => (WINDOWS ? `'${word}'` : word)).join(' ');
    const no = await world.runAs({ says: false }, 'install', 'memo');
    expect(no).toMatchObject({ code: 3, stderr: expect.stringContaining(shown) });
    expect(started(world)).toEqual([]);
    expect(await world.runAs({ says: true }, 'install', 'memo')).toMatchObject({ code: 0 });
    expect(await world.run('diff', 'memo')).toMatchObject({ code: 0 });
  });

  it('given on the command line is started where it was typed; later there, and nowhere else', async () => {
    const world = worldWith(() => ({ command: 'x' }));
    world.write('project/has-tools', '');
    copyTo(world, `project/${COPY}`);
    const given = ['--', COMMAND, COPY, log(world)];
    expect(await world.run('install', 'other', '--yes', ...CLAUDE, ...given)).toMatchObject({ code: 0 });
    expect(await world.run('diff', 'other')).toMatchObject({ code: 0 });
    expect(started(world)).toEqual([world.project]);
    // A stranger's repository has a file of that name, too.
    copyTo(world, `stranger/${COPY}`);
    mkdirSync(join(world.home, '../stranger/.git'));
    expect(await world.runAs({ folder: 'stranger' }, 'diff', 'other')).toMatchObject({ code: 3 });
    expect(started(world)).toEqual([]);
  });
});

/** A program that nobody may start. */
const trap = ({ home }: World, path: string): void =>
  markingProgram(join(home, '..', path), join(home, 'pwned'));

it.runIf(LONG)('programs are looked up in absolute folders of PATH alone', async () => {
  const world = worldWith((w) => ({ command: 'some-server', args: [log(w)] }));
  world.write('home/has-tools', '');
  serverProgram(join(world.home, '../bin/some-server'), FAST_SERVER);
  for (const name of ['some-server', 'node', 'claude', 'codex', 'gemini', 'ps', 'grep', 'mkdir'])
    for (const folder of ['project', 'project/node_modules/.bin', 'home']) trap(world, `${folder}/${name}`);
  const bin = join(world.home, '../bin');
  world.env.PATH = ['.', '', 'node_modules/.bin', bin, process.env.PATH].join(delimiter);
  for (const args of [
    ...sample(READING, 2),
    ['install', 'memo', '--yes'],
    ['fire', 'memo', 'session_start'],
    ...sample(READING, 2, 1),
  ]) {
    await world.run(...args);
    expect(existsSync(join(world.home, 'pwned')), args.join(' ')).toBe(false);
  }
  expect(started(world)).toContain(world.home);
});

it('a hook starts a server from absolute folders of PATH alone', async () => {
  const world = worldWith((w) => ({ command: 'some-server', args: [log(w)] }));
  for (const folder of ['home', 'project']) world.write(`${folder}/has-tools`, '');
  serverProgram(join(world.home, '../bin/some-server'), FAST_SERVER);
  world.env.PATH = pathWith(join(world.home, '../bin'));
  expect(await world.run('install', 'memo', '--yes', ...CLAUDE)).toMatchObject({ code: 0 });
  for (const name of ['some-server', 'node', 'grep', 'ps']) trap(world, `project/${name}`);
  const env = { ...world.env, PATH: ['.', '', world.env.PATH].join(delimiter) };
  expect(startHook(world, { env })).toContain(`noted in ${inJson(world.project)}`);
  expect(existsSync(join(world.home, 'pwned'))).toBe(false);
});

it.runIf(WINDOWS)('no program of the working folder is started, where Windows looks first', async () => {
  const world = worldWith((w) => ({ command: 'some-server', args: [log(w)] }));
  // Each of these programs is a node, which leaves a mark.
  const name = 'process.argv0.toLowerCase()';
  const code = `if (!/node(\\.exe)?$/.test(${name})) fs.appendFileSync(${JSON.stringify(join(world.home, 'pwned'))}, ${name} + '\\n');`;
  const mark = world.write('home/mark.cjs', `const fs = require('node:fs');\n${code}`);
  for (const program of ['some-server', 'git', 'ps', 'cmd', 'taskkill'])
    copyFileSync(process.execPath, join(world.project, `${program}.exe`));
  world.env.NODE_OPTIONS = `--require ${JSON.stringify(mark)}`;
  const pwned = (): string => (existsSync(join(world.home, 'pwned')) ? world.read('home/pwned') : '');
  const SAY = { event: 'pre_request', context: 'A word.', priority: 'suggestion' };
  const install = (hook: object, ...more: string[]) => {
    world.write('project/hooks.json', JSON.stringify({ declarations: [hook] }));
    const given = ['--declarations', 'hooks.json', '--no-check', '--yes', ...CLAUDE];
    return world.spawn('install', 'memo', ...given, ...more);
  };
  expect(await install(START, '--keep-warm', '1')).toMatchObject({ code: 0 });
  startHook(world);
  expect(await install(SAY, '--scope', 'project')).toMatchObject({ code: 0 });
  for (const args of [
    ['fire', 'memo', 'session_start', ...CLAUDE],
    ['doctor', '--check'],
    ['lint', 'memo'],
  ])
    await world.spawn(...args);
  expect(pwned()).toBe('');
  world.write('project/has-tools', '');
  // A server that is a .cmd is started by the cmd of Windows.
  nodeProgram(join(world.home, '../bin/some-server'), SERVER);
  Object.assign(world.env, { PATH: pathWith(join(world.home, '../bin')), ComSpec: '' });
  expect(startHook(world, { id: 'other' })).toContain('noted');
  expect(pwned()).toBe('');
});

describe('hooks from a file that call tools of a server', () => {
  it.each([[[]], [['--no-check']]].slice(0, LONG ? undefined : 1))(
    'are installed only when the server may start where they fire: %j',
    async (more) => {
      const world = worldWith(server, true);
      world.write('project/has-tools', '');
      const file = world.write('home/declared.json', JSON.stringify({ declarations: [START] }));
      const install = ['install', 'memo', '--yes', '--declarations', file, ...more, ...CLAUDE];
      const refused = await world.run(...install);
      expect(refused).toMatchObject({ code: 3 });
      expect(Object.keys(world.files()).filter((path) => path.includes('mcphooks'))).toEqual([]);
      expect(await world.run(...install, '--allow-start', hashIn(refused))).toMatchObject({ code: 0 });
      expect((await world.run('fire', 'memo', 'session_start')).stdout).toContain('noted');
    },
  );

  it.runIf(LONG)('call the server of another project in none but that one', async () => {
    const world = worldWith(() => ({ command: 'x' }));
    copyTo(world, `project/${COPY}`);
    world.write('project/has-tools', '');
    const entry = { command: COMMAND, args: [COPY, log(world)] };
    world.write('project/.mcp.json', JSON.stringify({ mcpServers: { team: entry } }));
    const hash = hashIn(await world.run('install', 'team', '--yes', ...CLAUDE));
    expect(await world.run('install', 'team', '--yes', '--allow-start', hash, ...CLAUDE)).toMatchObject({
      code: 0,
    });
    copyTo(world, `stranger/${COPY}`);
    started(world);
    const fire = (folder: string): string => startHook(world, { folder, id: folder });
    expect(fire('project')).toContain('noted');
    started(world);
    expect(fire('stranger')).toBe('');
    expect(started(world)).toEqual([]);
    expect(world.read('home/.local/state/mcphooks/hooks.log')).toContain('definition.elsewhere');
  });
});

it.runIf(LONG)('a start stays approved where an uninstall can’t delete the scripts', async () => {
  const world = makeWorld();
  mkdirSync(join(world.project, '.git'));
  world.write('project/has-tools', '');
  const servers = { memo: { command: process.execPath, args: [SERVER] } };
  world.write('project/.mcp.json', JSON.stringify({ mcpServers: servers }));
  const install = ['install', 'memo', '--scope', 'project', ...CLAUDE, '--yes'];
  expect(await world.run(...install, '--allow-start', hashIn(await world.run(...install)))).toMatchObject({
    code: 0,
  });
  const approvals = () => JSON.parse(world.read('home/.local/state/mcphooks/record.json')).approvals;
  const given = approvals();
  expect(Object.keys(given)).toHaveLength(1);
  const [script = ''] = Object.keys(world.files()).filter((path) => path.includes('.mcphooks/hooks/memo/'));
  chmodSync(join(world.home, '..', script), 0o444);
  expect(await world.run('uninstall', 'memo', '--scope', 'project')).toMatchObject({ code: 1 });
  expect(approvals()).toEqual(given);
  chmodSync(join(world.home, '..', script), 0o644);
  expect(await world.run('uninstall', 'memo', '--scope', 'project')).toMatchObject({ code: 0 });
  expect(Object.keys(world.files())).not.toContain('home/.local/state/mcphooks/record.json');
});
