import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/base/sha256.ts';
import { LONG } from '../effort.ts';
import { WINDOWS } from '../platform.ts';
import { declare, homeWith } from './home.ts';
import { cleanWorlds, makeWorld, type World } from './world.ts';

cleanWorlds();

const SAY = { event: 'pre_request', context: 'A word.', priority: 'suggestion' };
const codes = (stdout: string): string[] => JSON.parse(stdout).faults.map((f: { code: string }) => f.code);
const install = (world: World, ...more: string[]) =>
  world.run('install', 'memo', '--client', 'claude-code', '--yes', '--json', ...more);

describe('a folder of ours that others can write to', () => {
  const folders = ['.local/share/mcphooks', '.local/share/mcphooks/hooks/memo', '.local/state/mcphooks'];
  it.each(LONG ? folders : folders.slice(0, 1))(
    'is refused with the command that closes it: %s',
    async (folder) => {
      const world = homeWith(SAY);
      expect((await install(world)).code).toBe(0);
      declare(world, { ...SAY, context: 'Another word.' });
      const at = join(world.home, folder);
      for (const mode of [0o722, 0o770, 0o777].slice(0, LONG ? 3 : 1)) {
        chmodSync(at, mode);
        const before = world.files();
        for (const more of [['--accept-changed'], ['--dry-run']]) {
          const { code, stdout } = await install(world, ...more);
          expect([code, codes(stdout)]).toEqual([1, ['own.open']]);
          expect(stdout).toContain(`chmod go-w ${at}`);
          // Once before what is wrong, once in the advice.
          expect(JSON.parse(stdout).faults[0].message.split(at)).toHaveLength(3);
        }
        expect(await world.run('disable', 'memo')).toMatchObject({ code: 1 });
        const { findings } = JSON.parse((await world.run('doctor', '--json')).stdout);
        expect(findings[0].code).toBe('own.open');
        expect(world.files()).toEqual(before);
      }
      spawnSync('chmod', ['go-w', at]);
      expect((await install(world, '--accept-changed')).code).toBe(0);
      expect((await world.run('uninstall', 'memo')).code).toBe(0);
    },
  );

  it('keeps uninstall --all from removing anything, also where the record is lost', async () => {
    const world = homeWith(SAY);
    expect((await install(world)).code).toBe(0);
    rmSync(join(world.home, '.local/state/mcphooks/record.json'));
    world.write('home/.local/state/mcphooks/hooks.log', '{}\n');
    chmodSync(join(world.home, '.local/share/mcphooks'), 0o777);
    const before = world.files();
    const { code, stdout } = await world.run('uninstall', '--all', '--json');
    expect([code, codes(stdout)]).toEqual([1, ['own.open']]);
    expect(world.files()).toEqual(before);
  });

  it('is taken when it is new, whatever stands around it', async () => {
    const world = homeWith(SAY);
    mkdirSync(join(world.home, '.local/share'), { recursive: true });
    const around = join(world.home, '.local/share');
    const found = async () =>
      JSON.parse((await world.run('doctor', '--json')).stdout).findings.filter(
        ({ code }: { code: string }) => code === 'doctor.open-above',
      );
    chmodSync(around, 0o777);
    expect((await install(world)).code).toBe(0);
    expect(await found()).toMatchObject([
      { where: around, fix: expect.stringContaining(`chmod o-w ${around}`) },
    ]);
    chmodSync(around, 0o1777);
    expect(await found()).toEqual([]);
  });
});

/** Gives the home to the user with id 1234. */
function giveToUser(world: World): void {
  const all = readdirSync(world.home, { recursive: true, encoding: 'utf8' });
  for (const path of ['..', '.', ...all]) lchownSync(join(world.home, path), 1234, 1234);
}

function asUser(world: World, ...args: string[]): ReturnType<World['run']> {
  process.seteuid?.(1234);
  return world.run(...args).finally(() => process.seteuid?.(0));
}

// Only root can give a folder to another user.
/** Installs in a user's home. Returns the state folder there, and what reads the findings of the user's `doctor` with a code. */
async function installedOfUser(code: string) {
  const world = homeWith(SAY);
  expect(await install(world)).toMatchObject({ code: 0 });
  giveToUser(world);
  const found = async () =>
    JSON.parse((await asUser(world, 'doctor', '--json')).stdout).findings.filter(
      (finding: { code: string }) => finding.code === code,
    );
  expect(await found()).toEqual([]);
  return { world, state: join(world.home, '.local/state/mcphooks'), found };
}

describe.runIf(process.getuid?.() === 0)("root in a user's home", () => {
  it('installs nothing by sudo, and says how to', async () => {
    const world = homeWith(SAY);
    chownSync(world.home, 1234, 1234);
    world.env.SUDO_UID = '1234';
    const before = world.files();
    const { code, stdout } = await install(world);
    expect([code, codes(stdout)]).toEqual([1, ['own.sudo']]);
    expect(stdout).toContain('without sudo');
    expect(world.files()).toEqual(before);
    // Nothing is written by these.
    expect(await install(world, '--dry-run')).toMatchObject({ code: 2 });
    expect(await world.run('diff')).toMatchObject({ code: 0 });
  });

  it("leaves scripts that their user can't remove, and the uninstall says so", async () => {
    const world = homeWith(SAY);
    expect(await install(world)).toMatchObject({ code: 0 });
    const script = Object.keys(world.files()).find((path) => path.endsWith('/UserPromptSubmit')) ?? '';
    const folder = dirname(join(world.home, script.slice('home/'.length)));
    giveToUser(world);
    chownSync(folder, 0, 0);
    const ran = await asUser(world, 'uninstall', 'memo');
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('no permission') });
    expect(ran.stderr.split(folder)).toHaveLength(2);
  });

  it("leaves state that their user's hooks can't write, and doctor and log say so", async () => {
    const { world, state, found } = await installedOfUser('doctor.state-of-another');
    // As hooks make them in a session that root runs with the user's HOME.
    mkdirSync(join(state, 'sessions/0123456789abcdef'), { recursive: true });
    chownSync(join(state, 'sessions'), 1234, 1234);
    writeFileSync(join(state, 'hooks.log'), '', { mode: 0o600 });
    expect(await found()).toMatchObject([
      {
        message: expect.stringContaining('2 files'),
        where: join(state, 'hooks.log'),
        fix: expect.stringContaining(`chown -R 1234 ${state}`),
      },
    ]);
    for (const command of ['log', 'stats']) {
      const { code, stderr } = await asUser(world, command, 'memo');
      expect([command, code, stderr]).toEqual([
        command,
        1,
        expect.stringContaining(join(state, 'hooks.log')),
      ]);
    }
    // Root itself can write everywhere.
    expect(JSON.parse((await world.run('doctor', '--json')).stdout).findings).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ code: 'doctor.state-of-another' })]),
    );
    spawnSync('chown', ['-R', '1234', state]);
    expect(await found()).toEqual([]);
    expect(await asUser(world, 'log', 'memo')).toMatchObject({ code: 0 });
    // A network drive may show all files as of one other user: hooks write there.
    const data = join(world.home, '.local/share/mcphooks');
    spawnSync('chmod', ['-R', 'a+rX', state, data]);
    spawnSync('chown', ['-R', '1235', state, data]);
    expect(await found()).toEqual([]);
    spawnSync('chown', ['-R', '1234', data]);
    expect(await found()).toHaveLength(1);
  });

  it("finds state that their user's hooks can't write for its mode", async () => {
    const { state, found } = await installedOfUser('doctor.state-unwritable');
    chmodSync(state, 0o500);
    expect(await found()).toMatchObject([
      { where: state, fix: expect.stringContaining(`chmod -R u+rwX ${state}`) },
    ]);
    chmodSync(state, 0o700);
    for (const [path, mode] of [
      ['sessions/0123456789abcdef', 0o500],
      ['sessions/0123456789abcdef', 0o600],
      ['hooks.log', 0o400],
    ] as const) {
      if (path.includes('/')) mkdirSync(join(state, path), { recursive: true });
      else writeFileSync(join(state, path), '');
      spawnSync('chown', ['-R', '1234', state]);
      chmodSync(join(state, path), mode);
      expect(await found()).toMatchObject([{ where: join(state, path) }]);
      rmSync(join(state, path), { recursive: true });
    }
    // As a hook makes it where the umask is 0277.
    rmSync(state, { recursive: true });
    chmodSync(dirname(state), 0o500);
    expect(await found()).toMatchObject([
      { where: dirname(state), fix: expect.stringContaining(`chmod u+rwX ${dirname(state)}`) },
    ]);
    // The mode of a folder that isn't theirs can't be changed by them.
    chmodSync(dirname(state), 0o555);
    chownSync(dirname(state), 0, 0);
    expect(await found()).toEqual([]);
  });

  it("leaves state that their user can't remove, and the uninstall says so", async () => {
    const world = homeWith(SAY);
    expect(await install(world)).toMatchObject({ code: 0 });
    const sessions = join(world.home, '.local/state/mcphooks/sessions');
    mkdirSync(join(sessions, '0123456789abcdef'), { recursive: true });
    giveToUser(world);
    chownSync(sessions, 0, 0);
    const ran = await asUser(world, 'uninstall', 'memo');
    expect(ran).toMatchObject({ code: 1, stdout: expect.stringContaining('memo removed') });
    expect(ran.stderr).toContain(`sudo rm -r ${sessions}`);
  });

  it('installs where it is no other user: by sudo in its own home, or in a container', async () => {
    for (const [owner, sudo] of [
      [0, '1234'],
      [1234, undefined],
    ] as const) {
      const world = homeWith(SAY);
      chownSync(world.home, owner, owner);
      if (sudo !== undefined) world.env.SUDO_UID = sudo;
      expect(await install(world)).toMatchObject({ code: 0 });
    }
  });
});

it.each([
  ['HOME', 'a\nb', 'own.line-break'],
  ['XDG_STATE_HOME', 'a\nb', 'own.line-break'],
  ['XDG_STATE_HOME', '/proc/mcphooks', 'own.kernel'],
  ['XDG_DATA_HOME', '/sys/x', 'own.kernel'],
  // As Node reads a name that isn't UTF-8.
  ['XDG_STATE_HOME', 'h\uFFFD', 'own.not-utf8'],
  ['CLAUDE_CONFIG_DIR', 'h\uFFFD', 'own.not-utf8'],
])('folders of ours in which hooks could not work are refused: %s=%j', async (name, value, code) => {
  const world = homeWith(SAY);
  const before = world.files();
  if (name === 'HOME') {
    // The clients' folders stay where they are.
    world.env.CODEX_HOME = join(world.home, '.codex');
    world.env.CLAUDE_CONFIG_DIR = join(world.home, '.claude');
  }
  world.env[name] = value.startsWith('/') ? value : join(world.home, value);
  for (const more of [[], ['--dry-run']]) {
    const file = join(world.home, 'declared.json');
    const ran = await install(world, '--declarations', file, '--', 'node', 'none.mjs', ...more);
    expect([ran.code, codes(ran.stdout)]).toEqual([1, [code]]);
  }
  expect(world.files()).toEqual(before);
});

it.each(['CODEX_HOME', 'CLAUDE_CONFIG_DIR', WINDOWS ? 'USERPROFILE' : 'HOME'])(
  'a relative %s is refused, in a dry run, too',
  async (name) => {
    const world = homeWith(SAY);
    const file = join(world.home, 'declared.json');
    const before = world.files();
    world.env[name] = 'relative';
    for (const more of ['--yes', '--dry-run']) {
      const args = ['--declarations', file, '--client', 'claude-code,codex', '--no-check', '--json', more];
      const { code, stdout } = await world.run('install', 'memo', ...args);
      expect([code, codes(stdout)]).toEqual([1, expect.arrayContaining(['own.relative'])]);
      expect(stdout).toContain(`Set ${WINDOWS ? 'USERPROFILE' : 'HOME'}, and`);
    }
    expect(world.files()).toEqual(before);
  },
);

it.runIf(WINDOWS)('a client has one folder, however a variable spells it', async () => {
  const world = homeWith(SAY);
  world.write('home/.codex/config.toml', 'model = "gpt-5.5"\r\n');
  const before = world.files();
  const wanted = ['--client', 'codex,claude-code', '--no-check', '--yes'];
  const given = ['--declarations', join(world.home, 'declared.json'), ...wanted];
  world.env.CLAUDE_CONFIG_DIR = join(world.home, '.Claude');
  expect(await world.spawn('install', 'memo', ...given)).toMatchObject({ code: 0 });
  const as = (name: string): string => join(world.home, name).replaceAll('\\', '/');
  Object.assign(world.env, { CODEX_HOME: as('.CODEX'), CLAUDE_CONFIG_DIR: as('.CLAUDE') });
  expect((await world.spawn('install', 'memo', ...given)).stdout).toContain('No file changes.');
  expect((await world.spawn('list')).stdout).not.toContain('the file with its entries');
  expect(await world.spawn('uninstall', 'memo')).toMatchObject({ code: 0 });
  expect(world.files()).toEqual(before);
});

it.runIf(WINDOWS)('a folder has one name, whether a variable has its short one or another case', async () => {
  const world = homeWith(SAY);
  const home = join(world.home, 'A longer name');
  const codex = join(home, '.codex folder');
  world.write('home/A longer name/.codex folder/config.toml', 'model = "gpt-5.5"\r\n');
  mkdirSync(join(home, 'AppData', 'Local'), { recursive: true });
  const before = world.files();
  const wanted = ['--client', 'codex,claude-code', '--no-check', '--yes'];
  const given = ['--declarations', join(world.home, 'declared.json'), ...wanted];
  for (const name of ['DATA', 'STATE', 'CONFIG']) delete world.env[`XDG_${name}_HOME`];
  const named = (local: string, codex: string): void => {
    const LOCALAPPDATA = join(local, 'AppData', 'Local');
    Object.assign(world.env, { USERPROFILE: home, LOCALAPPDATA, CODEX_HOME: codex });
  };
  named(shortName(home), shortName(codex));
  expect(await world.spawn('install', 'memo', ...given)).toMatchObject({ code: 0 });
  for (const spelled of [(path: string) => path, (path: string) => path.toUpperCase()]) {
    named(spelled(home), spelled(codex));
    expect((await world.spawn('install', 'memo', ...given)).stdout).toContain('No file changes.');
  }
  expect(await world.spawn('uninstall', 'memo')).toMatchObject({ code: 0 });
  expect(world.files()).toEqual(before);
});

/** The name of a folder with at most eight letters for each step, where the disk has such names: `LONGNA~1`. */
function shortName(path: string): string {
  const line = `for %I in ("${path}") do @echo %~sI`;
  const options = { encoding: 'utf8', windowsVerbatimArguments: true } as const;
  return spawnSync('cmd.exe', ['/d', '/c', line], options).stdout.trim();
}

it.each([
  ['old scripts to remove', (data: string) => utimesSync(`${data}/hooks/memo/0123456789abcdef`, 1, 1)],
  ['a code cache to make', (data: string) => removeCaches(data)],
])('an install of what is there succeeds where nothing can be written, with %s', async (_, leave) => {
  const world = homeWith(SAY);
  world.write('home/.local/share/mcphooks/hooks/memo/0123456789abcdef/codex/Stop', '');
  expect(await install(world)).toMatchObject({ code: 0 });
  leave(join(world.home, '.local/share/mcphooks'));
  const own = () => Object.keys(world.files()).filter((path) => path.startsWith('home/.local/'));
  const before = own();
  const state = join(world.home, '.local/state/mcphooks');
  chmodSync(state, 0o555);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) giveToUser(world);
  const again = ['install', 'memo', '--client', 'claude-code', '--yes'] as const;
  expect(await (isRoot ? asUser(world, ...again) : world.run(...again))).toMatchObject({ code: 0 });
  expect(own()).toEqual(before);
  chmodSync(state, 0o755);
  expect(await (isRoot ? asUser(world, ...again) : world.run(...again))).toMatchObject({ code: 0 });
  expect(own()).not.toEqual(before);
});

function removeCaches(data: string): void {
  const names = readdirSync(data, { recursive: true, encoding: 'utf8' });
  for (const name of names) if (name.endsWith('.cache')) rmSync(join(data, name));
}

it.runIf(LONG)('a project is served where the state folder lies below /proc', async () => {
  const world = makeWorld();
  world.env.XDG_STATE_HOME = '/proc/mcphooks';
  world.write('project/hooks.json', JSON.stringify({ declarations: [SAY] }));
  const wanted = ['--declarations', 'hooks.json', '--client', 'claude-code', '--yes'];
  const ran = await world.run('install', 'memo', '--scope', 'project', ...wanted);
  expect(ran).toMatchObject({ code: 0 });
  const began = performance.now();
  const said = await world.run('fire', 'memo', 'pre_request', '--scope', 'project');
  expect(said.stdout).toContain('A word.');
  expect(performance.now() - began).toBeLessThan(8_000);
  expect(existsSync(join(world.project, '.mcphooks/lock'))).toBe(false);
});

it.runIf(process.getuid?.() === 0)(
  'a state folder that somebody else made where everybody can is refused with the variables that move it',
  async () => {
    const world = homeWith(SAY);
    const everybodys = join(world.home, '../everybodys');
    const folder = join(everybodys, 'mcphooks');
    mkdirSync(folder, { recursive: true });
    chmodSync(everybodys, 0o1777);
    chownSync(folder, 1234, 1234);
    world.env.XDG_STATE_HOME = everybodys;
    const { code, stdout } = await install(world);
    const [{ message }] = JSON.parse(stdout).faults;
    expect([code, codes(stdout)]).toEqual([1, ['own.of-another']]);
    expect(message.split(folder)).toHaveLength(2);
    expect(message).toContain('XDG_STATE_HOME');
    expect(message).not.toContain('TMPDIR');
  },
);

it.runIf(process.getuid?.() === 0)(
  'a journal that somebody else left in the temporary folder, for who has no home, is not followed',
  async () => {
    const world = makeWorld();
    const temporary = join(world.home, '../tmp');
    mkdirSync(temporary);
    chmodSync(temporary, 0o1777);
    world.write('project/hooks.json', JSON.stringify({ declarations: [SAY] }));
    const wanted = ['--declarations', 'hooks.json', '--client', 'claude-code', '--yes'];
    expect(await world.run('install', 'memo', '--scope', 'project', ...wanted)).toMatchObject({ code: 0 });
    world.env.HOME = '/dev/null';
    const before = process.env.TMPDIR;
    process.env.TMPDIR = temporary;
    try {
      const settings = join(world.project, '.claude/settings.json');
      const text = world.read('project/.claude/settings.json');
      const beside = join(world.project, '.claude/.mcphooks-0123456789ab-0');
      const op = { path: settings, target: settings, fresh: `${beside}.new`, old: `${beside}.old` };
      const journal = {
        format: 1,
        made: [],
        emptied: [],
        ops: [{ ...op, before: sha256(text), after: null }],
      };
      const base = join(temporary, `mcphooks-${process.getuid?.()}`);
      const folder = join(base, 'projects', sha256(realpathSync(world.project)).slice(0, 16));
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'journal.commit.json'), JSON.stringify(journal));
      spawnSync('chown', ['-R', '65534', base]);
      spawnSync('chmod', ['-R', 'go-w', base]);
      for (const args of [
        ['diff', '--scope', 'project', '--offline'],
        ['install', 'memo', '--scope', 'project', ...wanted],
      ]) {
        const { code, stderr } = await world.run(...args);
        expect([args[0], code, stderr]).toEqual([
          args[0],
          1,
          expect.stringContaining('belongs to another user'),
        ]);
        expect(stderr).toContain('TMPDIR');
        expect(world.read('project/.claude/settings.json')).toBe(text);
      }
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  },
);
