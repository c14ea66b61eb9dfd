import { expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { LONG } from '../effort.ts';
import { COMMIT, homeWith } from './home.ts';
import { cleanWorlds, makeWorld } from './world.ts';

cleanWorlds();

it('shows how a command is used with the options that it needs', async () => {
  const { stdout } = await makeWorld().run('export', '--help');
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'export <server> --format <formats> --out <dir> [options]',
  );
});

it('where a server is missing, the command that lists them is named', async () => {
  const world = makeWorld();
  expect((await world.run('install')).stderr).toContain("Name one: 'mcphooks scan' lists them.");
  expect((await world.run('uninstall')).stderr).toContain(
    "or use --all: 'mcphooks list' shows what is installed.",
  );
});

it('the usage line breaks between its parts', async () => {
  const { stdout } = await makeWorld().run('export', '--help');
  expect(stdout.split('\n').slice(0, 2)).toEqual([
    'Usage: mcphooks export <server> --format <formats> --out <dir> [options]',
    '       [-- <command> [args...]]',
  ]);
});

it("'help' prints what --help prints, for a command and for all", async () => {
  const world = makeWorld();
  for (const [asked, page] of [
    [['help'], ['--help']],
    [['help', 'help'], ['--help']],
    [
      ['help', 'install'],
      ['install', '--help'],
    ],
    [
      ['install', '-h'],
      ['install', '--help'],
    ],
    [
      ['--help', 'install'],
      ['install', '--help'],
    ],
    [
      ['-y', '-h', 'list', '--json'],
      ['list', '--help'],
    ],
    [['version'], ['--version']],
    [['-V'], ['--version']],
    [['list', '-V'], ['--version']],
    [['help', '-y'], ['--help']],
    [
      ['-y', 'help', 'install', '--yes'],
      ['install', '--help'],
    ],
    [['-y', '--version'], ['--version']],
  ] as const) {
    const [one, other] = [await world.run(...asked), await world.run(...page)];
    expect(one, asked.join(' ')).toEqual({ ...other, code: 0 });
    expect(one.stdout).not.toBe('');
  }
  const unknown = await world.run('help', 'instal');
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain("Did you mean 'install'?");
});

it('-y approves as --yes does', async () => {
  const world = homeWith(COMMIT);
  expect((await world.run('install', 'memo', '-y')).code).toBe(0);
  expect((await world.run('uninstall', 'memo', '-y')).code).toBe(0);
  expect((await world.run('--yes', '-y', 'install', 'memo')).code).toBe(0);
  expect(await world.run('-y')).toEqual(await world.run());
});

it('--json may stand before the command', async () => {
  const world = makeWorld();
  const behind = await world.run('list', '--json');
  expect(JSON.parse(behind.stdout)).toMatchObject({ servers: [] });
  expect(await world.run('--json', 'list')).toEqual(behind);
  expect(await world.run('--json', '-y', 'help', 'list')).toEqual(await world.run('list', '--help'));
  for (const words of [
    ['--json'],
    ['-y', '--json', '--nope', 'list'],
    ['help', 'nope', '--json'],
    ['--json', 'help', 'nope'],
  ])
    expect(JSON.parse((await world.run(...words)).stdout)).toMatchObject({ exit: 1 });
});

it('refuses what is no hash to start a server by', async () => {
  const { code, stderr } = await makeWorld().run('diff', '--allow-start', 'a75039ba');
  expect([code, stderr]).toEqual([1, expect.stringContaining('64 digits')]);
});

it('every command takes --yes, and -y', async () => {
  const world = makeWorld();
  for (const { name } of COMMANDS)
    for (const word of ['-y', '--yes']) {
      const { stderr } = await world.run(name, word, '--no-such-option');
      expect(stderr, `${name} ${word}`).toMatch(/unknown option '--no-such-option'|required option/);
    }
});

it('a mistake points to the page of its command', async () => {
  const world = makeWorld();
  expect((await world.run('diff', '--frobnicate')).stderr).toContain("'mcphooks diff --help'");
  expect((await world.run('install', 'x', '--cooldown', 'often')).stderr).toContain(
    "'mcphooks install --help'",
  );
  expect((await world.run('frobnicate')).stderr).toContain("'mcphooks --help'");
  expect((await world.run('--frobnicate', 'diff')).stderr).toContain("'mcphooks --help'");
});

it("an option after '--' is no command, and suggests none", async () => {
  const world = makeWorld();
  for (const option of ['--help', '--lst', '-h'])
    expect((await world.run('--', option)).stderr, option).toBe(
      "mcphooks: a command is missing\n  Run 'mcphooks --help' for the commands and options.\n",
    );
  expect((await world.run('--', 'instal')).stderr).toContain("Did you mean 'install'?");
});

it('the first page names what holds for all commands', async () => {
  const { stdout } = await makeWorld().run('--help');
  for (const option of ['-h, --help', '-V, --version', '--debug']) expect(stdout).toContain(option);
  expect(stdout).toContain('config.json');
});

it.runIf(LONG)('a time may have a unit', async () => {
  const world = homeWith(COMMIT);
  const planned = async (time: string) => {
    expect((await world.run('install', 'memo', '--yes', '--cooldown', time)).code).toBe(0);
    return JSON.parse(world.read('home/.local/state/mcphooks/record.json') ?? '').servers[0].options.cooldown;
  };
  expect(await planned('90')).toBe(90);
  expect(await planned('90s')).toBe(90);
  expect(await planned('5m')).toBe(300);
  expect(await planned('1h')).toBe(3600);
  const wrong = await world.run('install', 'memo', '--cooldown', '5d');
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toContain('2m');
});

it.runIf(LONG)("a hook number that the server doesn't have is a fault", async () => {
  const world = homeWith(COMMIT);
  for (const option of ['--only', '--skip']) {
    const { code, stderr } = await world.run('install', 'memo', '--yes', option, '9');
    expect([code, stderr]).toEqual([
      1,
      `mcphooks: ${option} 9: the server has 1 hook\n  Use a number from the plan, or an event.\n`,
    ]);
  }
  expect((await world.run('install', 'memo', '--yes', '--only', '1')).code).toBe(0);
});

it("an unknown server's message names five places, and how to reach one that no client has", async () => {
  const { code, stderr } = await makeWorld().run('install', 'x; touch y', '--yes');
  expect(code).toBe(1);
  expect(stderr).toMatch(/Searched: (?:[^,]+, ){4}[^,]+ and \d+ more/);
  expect(stderr).toContain("behind its name: '-- <command>' or '--url <url>'");
});

it('names the clients that have a server where the one of --from has none', async () => {
  const world = homeWith(COMMIT);
  const from = async (client: string, name = 'memo') =>
    (await world.run('install', name, '--from', client, '--dry-run')).stderr;
  const said = await from('cursor');
  expect(said).toMatch(/no server named 'memo' in cursor\. Searched: .*\.cursor/);
  expect(said).not.toMatch(/\.claude|\.codex|\.gemini/);
  expect(said).toContain(
    '  It is in claude-code, codex, gemini-cli: choose one with --from <client>. Or say',
  );
  world.write('home/.codex/config.toml', '');
  expect(await from('codex')).toContain('  It is in claude-code, gemini-cli: choose');
  expect(await from('codex', 'none')).toContain('  Say how to reach it');
  world.write('home/.gemini/settings.json', '');
  await world.run('install', 'memo', '--yes', '--client', 'claude-code');
  expect(await from('codex')).toContain(
    "  It is in claude-code: use --from claude-code. Or remove its hooks: '",
  );
});

it('refuses an empty name of a server before it starts one', async () => {
  const world = homeWith();
  for (const args of [
    ['install', '', '--dry-run'],
    ['lint', ' '],
    ['explain', ''],
  ]) {
    const { code, stderr } = await world.run(...args, '--', process.execPath, '-e', 'process.exit(3)');
    expect([code, stderr], args.join(' ')).toEqual([1, expect.stringContaining("server's name is empty")]);
  }
});

it('refuses what is for starting servers, where none is to be started', async () => {
  const world = makeWorld();
  for (const [command, ...words] of [
    ['scan', '--timeout', '5'],
    ['list', '--timeout', '5'],
    ['list', '--allow-start', 'a'.repeat(64)],
    ['doctor', '--timeout', '5'],
    ['doctor', '--allow-start', 'a'.repeat(64)],
  ] as [string, ...string[]][]) {
    expect(await world.run(command, ...words)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${words[0]} needs --check`),
    });
    expect((await world.run(command, ...words, '--check')).stderr).not.toContain('needs');
  }
});

it('says of --only and --skip that leave no hook that these do', async () => {
  const world = homeWith(COMMIT);
  const none = await world.run('install', 'memo', '--only', '1', '--skip', '1', '--dry-run');
  expect(none.code).not.toBe(0);
  expect(none.stderr).toContain("--only and --skip leave none of the hooks from 'memo'");
  expect(none.stderr).not.toContain('--client');
});

it('gives an example that an option accepts', async () => {
  const { stderr } = await makeWorld().run('install', 'memo', '--hook-timeout', '0');
  expect(stderr).toContain('at least 2 s, e.g. 30, 45s or 2m.');
});

it('refuses a document and another form of output at once', async () => {
  const world = makeWorld();
  for (const [command, format] of [
    [['diff'], 'markdown'],
    [['lint', 'x.json'], 'markdown'],
    [['lint', 'x.json'], 'github'],
  ] as const) {
    const { code, stdout } = await world.run(...command, '--format', format, '--json');
    expect([code, JSON.parse(stdout).faults[0].code]).toEqual([1, 'usage.exclusive']);
  }
});

it('tells a mistake before it reads what is installed', async () => {
  const world = makeWorld();
  world.write('home/.local/state/mcphooks/record.json', '{');
  for (const command of ['install', 'explain', 'diff']) {
    const { code, stderr } = await world.run(command, 'memo', '--header', 'A: b');
    expect([code, stderr], command).toEqual([1, expect.stringMatching(/^mcphooks: --header needs --url/)]);
  }
});

it("refuses a '--' without a command", async () => {
  const world = homeWith(COMMIT);
  for (const command of ['install', 'explain', 'diff', 'lint'])
    for (const words of [[], [''], ['', 'serve']])
      expect(await world.run(command, 'memo', '--', ...words)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("a command is missing after '--'"),
      });
});

it('advises no install of a server that no client has', async () => {
  const { code, stderr } = await makeWorld().run('doctor', 'nope');
  expect(code).toBe(1);
  expect(stderr).toContain('mcphooks scan');
  expect(stderr).not.toContain('mcphooks install');
});

it('says once what is wrong with a configuration file of two servers', async () => {
  const world = homeWith(COMMIT);
  world.write('project/hooks.json', JSON.stringify({ declarations: [COMMIT, COMMIT] }));
  for (const name of ['one', 'two'])
    await world.run('install', name, '--declarations', 'hooks.json', '--client', 'codex', '--yes');
  const shown = await world.run('install', 'one', '--dry-run', '--max-priority', 'important');
  expect(shown.stdout).toContain('Both hooks: as approved');
  world.write('home/.config/mcphooks/config.json', '{ "nope": 1 }');
  const { stdout } = await world.run('diff', '--format', 'markdown');
  expect(stdout.split("unknown key 'nope'")).toHaveLength(2);
  expect(stdout).toContain('### `one`, `two`');
});

it.skipIf(process.platform !== 'linux')('says of a folder that nobody can create that it is so', async () => {
  const world = homeWith(COMMIT);
  const { stderr } = await world.run(
    'export',
    'memo',
    '--format',
    'codex-plugin',
    '--out',
    '/proc/x',
    '--yes',
  );
  expect(stderr).toContain("/proc/x: the folder can't be created (ENOENT)");
  expect(stderr).not.toContain('changed while');
});
