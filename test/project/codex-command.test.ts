import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { codex } from '../../src/clients/codex/index.ts';
import { shimOf } from '../../src/shims/entry-owner.ts';
import { LONG, sample } from '../effort.ts';
import { homeEnv, slashed } from '../platform.ts';

const SHIM = '.mcphooks/hooks/memo/0123456789abcdef/codex/Stop';
const COMMAND = codex.hooks.inProject(SHIM).command;
const bases: string[] = [];
afterEach(() => {
  for (const base of bases.splice(0)) rmSync(base, { recursive: true, force: true });
});

/** What runs hooks: bash where it was observed, the account's login shell as it may be. */
const SHELLS = ['bash', 'dash', 'sh', 'zsh', 'fish', 'busybox'].filter(
  (shell) => spawnSync('sh', ['-c', `command -v ${shell}`]).status === 0,
);

/** A folder in which each path is made; a file says its own path when it runs. */
function folderWith(...paths: string[]): string {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "mcp hooks' $x-")));
  bases.push(base);
  for (const path of paths) {
    const at = join(base, path);
    mkdirSync(path.endsWith('/') ? at : dirname(at), { recursive: true });
    if (!path.endsWith('/')) writeFileSync(at, `echo ${path}\n`);
  }
  return base;
}

const checkout = (root: string): string[] => [`${root}/mcphooks.lock.json`, `${root}/${SHIM}`];

let turn = 0;

/** What the command runs in a folder, in every shell alike; in a short run each time in another third of them. */
function runs(cwd: string, env: Record<string, string> = {}): string {
  const shells = sample(SHELLS, Math.min(3, SHELLS.length), turn++);
  const said = shells.map((shell) => {
    const words = shell === 'busybox' ? ['busybox', 'sh', '-c', COMMAND] : [shell, '-c', COMMAND];
    const [command = '', ...args] = words;
    const ran = spawnSync(command, args, {
      cwd,
      // bash reads ~/.bashrc where its stdin is a socket, as here.
      env: { PATH: process.env.PATH ?? '', ...homeEnv(bases[0] ?? ''), PWD: cwd, ...env },
      encoding: 'utf8',
    });
    expect([shell, ran.status, ran.stderr]).toEqual([shell, 0, '']);
    return ran.stdout.trim();
  });
  expect(new Set(said).size, JSON.stringify([shells, said])).toBe(1);
  return said[0] ?? '';
}

describe("Codex's command in a project", () => {
  it('runs the script of the top level, from any folder in it', () => {
    const base = folderWith('repo/.git/', ...checkout('repo'), "repo/a/b's c/");
    for (const at of ['repo', 'repo/a', "repo/a/b's c"]) expect(runs(join(base, at))).toBe(`repo/${SHIM}`);
    symlinkSync(join(base, 'repo/a'), join(base, 'link'));
    expect(runs(join(base, 'link'))).toBe(`repo/${SHIM}`);
  });

  it.runIf(LONG)("runs a worktree's own script", () => {
    const base = folderWith('repo/x', ...checkout('repo'), 'tree/');
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=D', '-c', 'user.email=d@example.org', ...args], {
        cwd: join(base, 'repo'),
        env: { PATH: process.env.PATH ?? '', ...homeEnv(base), GIT_CONFIG_NOSYSTEM: '1' },
      });
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'all');
    git('worktree', 'add', '-q', join(base, 'repo/trees/one'));
    writeFileSync(join(base, 'repo/trees/one', SHIM), 'echo of the worktree\n');
    mkdirSync(join(base, 'repo/trees/one/sub'));
    for (const at of ['repo/trees/one', 'repo/trees/one/sub'])
      expect(runs(join(base, at))).toBe('of the worktree');
  });

  it.runIf(LONG)('never runs a nearer one', () => {
    const planted = ['repo/vendor/x', 'repo/vendor'].flatMap(checkout);
    const base = folderWith('repo/.git/', ...checkout('repo'), ...planted);
    for (const at of ['repo/vendor', 'repo/vendor/x']) expect(runs(join(base, at))).toBe(`repo/${SHIM}`);
    rmSync(join(base, 'repo', SHIM));
    for (const at of ['repo', 'repo/vendor', 'repo/vendor/x']) expect(runs(join(base, at))).toBe('');
  });

  it('never runs a higher one', () => {
    const base = folderWith('repo/.git/', 'repo/sub/', ...checkout('.'), 'plain/sub/');
    for (const at of ['repo', 'repo/sub', 'plain', 'plain/sub']) expect(runs(join(base, at))).toBe('');
    expect(runs(base)).toBe(`./${SHIM}`);
    // Anybody can make a repository where everybody can make folders.
    mkdirSync(join(base, '.git'));
    chmodSync(base, 0o1777);
    expect(runs(join(base, 'plain/sub'))).toBe('');
  });

  it('runs nothing without a lock file', () => {
    const base = folderWith('repo/.git/', `repo/${SHIM}`, 'repo/sub/');
    for (const at of ['repo', 'repo/sub']) expect(runs(join(base, at))).toBe('');
  });

  it('without git runs the script of the very folder', () => {
    const base = folderWith(...checkout('plain'), 'plain/sub/');
    expect(runs(join(base, 'plain'))).toBe(`plain/${SHIM}`);
    expect(runs(join(base, 'plain/sub'))).toBe('');
  });

  it('is led astray by no environment', () => {
    const base = folderWith(
      'repo/.git/',
      ...checkout('repo'),
      'repo/sub/',
      'evil/.git/',
      ...checkout('evil'),
    );
    symlinkSync(join(base, 'repo/sub'), join(base, 'evil/sub'));
    const env = { PWD: join(base, 'evil'), CDPATH: join(base, 'evil'), d: join(base, 'evil') };
    expect(runs(join(base, 'repo/sub'), env)).toBe(`repo/${SHIM}`);
    expect(runs(join(base, 'repo/sub'), { PWD: join(base, 'evil/sub') })).toBe(`repo/${SHIM}`);
  });

  it.runIf(LONG)('starts the runtime of the same top level on Windows, by node alone', () => {
    const base = folderWith(
      'repo/.git/',
      ...checkout('repo'),
      "repo/a/b's c/",
      ...checkout('repo/a'),
      ...checkout('.'),
    );
    const line = codex.hooks.inProject(SHIM).commandWindows ?? '';
    expect(line).not.toMatch(/[$"]/);
    const words = /^try \{ & node '-e' '([^']*)' '([^']*)' \} catch \{\}; exit 0$/.exec(line)?.slice(1) ?? [];
    const started = (at: string) => {
      const ran = spawnSync(process.execPath, ['-e', ...words], { cwd: join(base, at), encoding: 'utf8' });
      expect([at, ran.status, ran.stderr]).toEqual([at, 0, '']);
      return slashed(ran.stdout);
    };
    for (const at of ['repo', "repo/a/b's c", '.']) expect(started(at)).toBe('');
    for (const at of ['repo', 'repo/a', '.']) {
      mkdirSync(join(base, at, '.mcphooks/runtime'), { recursive: true });
      writeFileSync(
        join(base, at, '.mcphooks/runtime/fire.cjs'),
        'process.stdout.write(process.argv.slice(1).join())',
      );
    }
    const repo = slashed(`${base}/repo/.mcphooks/runtime/fire.cjs,${base}/repo/${SHIM}`);
    for (const at of ['repo', 'repo/a', "repo/a/b's c"]) expect(started(at)).toBe(repo);
    expect(started('.')).toBe(slashed(`${base}/.mcphooks/runtime/fire.cjs,${base}/${SHIM}`));
    rmSync(join(base, 'repo/mcphooks.lock.json'));
    expect(started('repo/a')).toBe('');
  });

  it('is known as ours, as is the one that 0.1.0 wrote', () => {
    const old = `sh -c 'd=$PWD; until [ -e "$d/$0" ] || [ ! "$d" ]; do d=\${d%/*}; done; exec sh "$d/$0"' ${SHIM} 2>/dev/null || exit 0`;
    expect(shimOf(COMMAND)).toEqual({ slug: 'memo', client: 'codex', key: 'Stop', shared: true });
    expect(shimOf(old)).toEqual({ slug: 'memo', client: 'codex', key: 'Stop', shared: true, outdated: true });
  });
});
