/** A throw-away home and git project in which clients and mcphooks run with a cleared environment. */
import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PATH = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;

// A client can write its log after its world was removed, and a scenario that throws leaves its world behind.
const made = [];
process.on('exit', () => {
  for (const dir of made) removed(dir, 1);
});

/**
 * Removes a folder in which a client that ends may still write: what it writes between listing and removal is no fault
 * of a scenario, and goes at exit. `rmSync` lists a folder once, however often it retries.
 */
function removed(dir, tries) {
  try {
    rmSync(dir, { recursive: true, force: true });
  } catch (error) {
    if (error.code !== 'ENOTEMPTY') throw error;
    if (tries <= 1) return;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    removed(dir, tries - 1);
  }
}

/**
 * `files`: path under home/ or project/ -> text, or a value that becomes JSON; `project`: the project folder's name.
 * The name of the folder around both holds a blank on purpose.
 */
export function makeWorld(files = {}, project = 'project') {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'mcphooks clients-')));
  made.push(dir);
  const world = {
    dir,
    home: join(dir, 'home'),
    project: join(dir, project),
    remove: () => removed(dir, 20),
  };
  for (const folder of [world.home, world.project, join(dir, 'tmp')]) mkdirSync(folder, { recursive: true });
  world.env = {
    PATH,
    HOME: world.home,
    TMPDIR: join(dir, 'tmp'),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    ...Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap((who) => [
        [`GIT_${who}_NAME`, 'x'],
        [`GIT_${who}_EMAIL`, 'x@example.invalid'],
      ]),
    ),
  };
  put(world, files);
  execFileSync('git', ['init', '-q', '-b', 'main', world.project], { env: world.env });
  return world;
}

export function put(world, files) {
  for (const [path, value] of Object.entries(files)) {
    const text =
      typeof value === 'string' || Buffer.isBuffer(value) ? value : `${JSON.stringify(value, null, 2)}\n`;
    const file = path.startsWith('project/')
      ? join(world.project, path.slice('project/'.length))
      : join(world.dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: String(text).startsWith('#!') ? 0o755 : 0o644 });
  }
}

/** Command lines of processes that name the world's folder, once they had 5 s to end (Linux; elsewhere none are seen). */
export async function leftovers(world, tries = 50) {
  const commands = existsSync('/proc/self/cmdline')
    ? readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    : [];
  const found = commands.flatMap((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return command.includes(world.dir) ? [command] : [];
    } catch {
      return []; // ended meanwhile
    }
  });
  if (found.length === 0 || tries === 0) return found;
  await sleep(100);
  return leftovers(world, tries - 1);
}

/** Runs a program to its end; at `timeoutMs` its whole process group is killed and code is null. */
export function run([program, ...args], { cwd, env, input = '', timeoutMs = 90_000 }) {
  return new Promise((done) => {
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    const out = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'])
      child[name].setEncoding('utf8').on('data', (text) => (out[name] += text));
    const timer = setTimeout(() => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {} // ended meanwhile
    }, timeoutMs);
    child.on('error', (error) => done({ code: null, stdout: '', stderr: error.message }));
    child.on('close', (code) => {
      clearTimeout(timer);
      done({ code, ...out });
    });
    child.stdin.on('error', () => {}).end(input);
  });
}
