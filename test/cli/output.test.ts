import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { EVENTS } from '../../src/declarations/types.ts';
import { LONG } from '../effort.ts';
import { CLI, cleanWorlds, makeWorld, type World } from './world.ts';

cleanWorlds();

const declarations = Array.from({ length: 60 }, (_, i) => ({
  event: 'session_start',
  priority: 'suggestion',
  context: `${i} ${'word '.repeat(1500)}`,
}));

/** Prints 450 kB into a pipe that doesn't wait, which `reader` reads: a command of the shell. Its code goes to stderr. */
function throughPipe({ env, project, write }: World, reader: string) {
  const file = write('declarations.json', JSON.stringify({ declarations }));
  const words = [
    CLI,
    'install',
    'one',
    '--declarations',
    file,
    '--no-check',
    '--client',
    'codex',
    '--dry-run',
    '--json',
  ];
  const writer = 'dd if=/dev/null oflag=nonblock 2>&3; "$@"; echo $? >&2';
  return spawn(
    '/bin/sh',
    ['-c', `{ ${writer}; } 3>/dev/null | ${reader}`, 'sh', process.execPath, ...words],
    {
      cwd: project,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
}

describe('what is printed', () => {
  it('arrives whole through a pipe that is slow and does not wait', async () => {
    const { stdout } = throughPipe(makeWorld(), '{ sleep 1; cat; }');
    const out = await text(stdout);
    expect(out.length).toBeGreaterThan(400_000);
    expect(JSON.parse(out).plan.declarations).toEqual(declarations);
  });

  it.runIf(LONG).each([
    [['schema', 'record'], 0],
    [['--help'], 0],
    [['install', '--help'], 0],
    [['install', '--no-such-option'], 1],
  ])('ends without harm when nobody reads %j', async (words, code) => {
    const { env, project } = makeWorld();
    const child = spawn(process.execPath, [CLI, ...words], {
      cwd: project,
      env,
      stdio: ['ignore', 'pipe', 2],
    });
    child.stdout?.destroy();
    expect(await once(child, 'exit')).toEqual([code, null]);
  });

  // Windows has two errors for it, of which libuv translates one to EOF.
  it.each(LONG ? ['EPIPE', 'EOF'] : ['EPIPE'])(
    'ends without harm when every write fails with %s',
    async (code) => {
      const { env, project, write } = makeWorld();
      const fails = write(
        'fails.cjs',
        `const fs = require('node:fs');
const error = Object.assign(new Error('write'), { code: '${code}' });
const { writeSync } = fs;
fs.writeSync = (...words) => {
  if (words[0] === 1) throw error;
  return writeSync(...words);
};
process.stdout._writev = undefined;
process.stdout._write = (_text, _encoding, done) => done(error);
`,
      );
      const child = spawn(process.execPath, ['--require', fails, CLI, '--help'], {
        cwd: project,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [told, ended] = await Promise.all([text(child.stderr), once(child, 'exit')]);
      expect([told, ended]).toEqual(['', [0, null]]);
    },
  );

  it
    .runIf(existsSync('/dev/full'))
    .each(
      [
        ['list'],
        ['schema', 'declarations'],
        ['lint', '--json', 'declarations.json'],
        ['--version'],
        ['install', 'one', '--declarations', 'declarations.json', '--no-check', '--client', 'codex', '--yes'],
      ].slice(0, LONG ? undefined : 1),
    )('ends with 1 where a full disk takes no output, and says so: %s', (...words) => {
    const { env, project, write } = makeWorld();
    write('project/declarations.json', JSON.stringify({ declarations }));
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [CLI, ...words], {
      cwd: project,
      env,
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect(status).toBe(1);
    expect(stderr).toContain("stdout can't be written (ENOSPC)");
    expect(stderr).not.toContain('unexpected error');
    const installed = existsSync(join(env.HOME ?? '', '.codex/config.toml'));
    expect(installed).toBe(words[0] === 'install');
  });

  it.runIf(LONG && existsSync('/dev/full'))(
    'of a log that is followed ends where nothing more arrives',
    async () => {
      const { env, project, write } = makeWorld();
      const line = {
        at: '2026-11-22T10:00:00Z',
        server: 'memo',
        client: 'codex',
        native: 'Stop',
        n: 1,
        chars: 9,
      };
      write(
        'home/.local/state/mcphooks/hooks.log',
        `${JSON.stringify({ ...line, event: 'post_request' })}\n`,
      );
      const full = openSync('/dev/full', 'w');
      const how = { cwd: project, env, timeout: 20_000 };
      const { status } = spawnSync(process.execPath, [CLI, 'log', '--follow'], {
        ...how,
        stdio: ['ignore', full, 'ignore'],
      });
      closeSync(full);
      expect(status).toBe(1);
    },
  );

  it.runIf(LONG)('ends without harm when nobody reads on where the rest waits for a full pipe', async () => {
    const { stderr } = throughPipe(makeWorld(), '{ head -c 10; sleep 1; }');
    expect(await text(stderr)).toBe('2\n');
  });
});

describe('a command line that makes no sense', () => {
  it.each([
    [['instal', 'x'], "unknown command 'instal'. Did you mean 'install'?", ''],
    [['diff', '--clint', 'codex'], "unknown option '--clint'. Did you mean '--client'?", 'diff'],
    [['explain'], "missing required argument 'server': its name in a client's MCP configuration", 'explain'],
    [['catalogue'], "missing required argument 'action': list, show or verify", 'catalogue'],
    [['completions'], "missing required argument 'shell': bash, zsh, fish or powershell", 'completions'],
    [['fire', 'memo'], `missing required argument 'event': ${EVENTS.join(', ')}`, 'fire'],
    [['--jsn', '--json', 'list'], "unknown option '--jsn'. Did you mean '--json'?", ''],
    [['--json'], 'a command is missing', ''],
    [['--json', '--nope', 'list'], "unknown option '--nope'", ''],
    [['--json', '--verison'], "unknown option '--verison'. Did you mean '--version'?", ''],
    [['--verison'], "unknown option '--verison'. Did you mean '--version'?", ''],
    [['--hepl', 'list'], "unknown option '--hepl'. Did you mean '--help'?", ''],
    [['list', '--verison'], "unknown option '--verison'. Did you mean '--version'?", 'list'],
    [['install', '--verison'], "unknown option '--verison'. Did you mean '--version'?", 'install'],
    [['--help', 'instal'], "unknown command 'instal'. Did you mean 'install'?", ''],
    [['instal', '--help'], "unknown command 'instal'. Did you mean 'install'?", ''],
    [['instal', 'x', '-h', '--json'], "unknown command 'instal'. Did you mean 'install'?", ''],
    [['help', 'instal', '--help'], "unknown command 'instal'. Did you mean 'install'?", ''],
    [['-x', 'list'], "unknown option '-x'", ''],
    [['--Client', 'codex', 'install'], "unknown option '--Client'", ''],
  ])('%j is told as every other fault', async (words, what, page) => {
    const { code, stdout, stderr } = await makeWorld().run(...words);
    if (words.includes('--json')) expect(JSON.parse(stdout).faults[0].message).toContain(what);
    else
      expect([stdout, stderr]).toEqual([
        '',
        page
          ? `mcphooks: ${what}\n  Run 'mcphooks ${page} --help' for its options.\n`
          : `mcphooks: ${what}\n  Run 'mcphooks --help' for the commands and options.\n`,
      ]);
    expect(code).toBe(1);
  });

  it.each([
    [['memo', 'install'], "The command comes first: 'mcphooks install'."],
    [['server', 'list', 'memo'], "The command comes first: 'mcphooks list'."],
    [['--dry-run', 'install', 'memo'], "Options come after the command: 'mcphooks install --dry-run'."],
    [['--client=codex', 'diff'], "Options come after the command: 'mcphooks diff --client'."],
    [['list', '--scope', 'project'], 'It shows the hooks of all scopes.'],
    [['doctor', '--scope=project'], 'It checks the hooks of all scopes.'],
    [
      ['scan', 'memo'],
      "It takes no server: 'mcphooks explain <server>' shows the hooks of one, 'mcphooks doctor <server>' what stops them.",
    ],
    [
      ['list', 'memo'],
      "It takes no server: 'mcphooks explain <server>' shows the hooks of one, 'mcphooks doctor <server>' what stops them.",
    ],
  ])('%j says what to use instead', async (words, instead) => {
    const { code, stderr } = await makeWorld().run(...words);
    expect([code, stderr.split('\n')[1]]).toEqual([
      1,
      expect.stringMatching(`^  ${instead} Run 'mcphooks (${words[0]} )?--help' for `),
    ]);
  });

  it.each([['nothing'], ['list', 'x', 'y'], ['export', 'x'], ['install', '--client', 'x']])(
    '%s ... --json gives one document, and nothing on stderr',
    async (...words) => {
      const { code, stdout, stderr } = await makeWorld().run(...words, '--json');
      expect([code, stderr]).toEqual([1, '']);
      const { command, faults } = JSON.parse(stdout);
      expect([command, faults[0].code]).toEqual([words[0], 'usage.bad']);
    },
  );
});
