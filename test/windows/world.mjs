// A user's profile on Windows, real or Wine's, and mcphooks in it. Nothing here is Wine's.
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What a program has that a person starts from the desktop. */
const OF_SYSTEM =
  /^(?:SystemRoot|SystemDrive|windir|ComSpec|PATH|PATHEXT|OS|NUMBER_OF_PROCESSORS|PROCESSOR_ARCHITECTURE|(?:Common)?Program\w*(?:\(x86\))?|ALLUSERSPROFILE|PUBLIC|COMPUTERNAME|WINE\w*|LC_\w+|LANG|NODE_V8_COVERAGE)$/i;

export class World {
  /** `name`: of the user. HOME names another folder, as Git and offices set it. */
  constructor(name) {
    this.base = mkdtempSync(join(realpathSync(tmpdir()), 'mcphooks-'));
    this.home = join(this.base, name);
    this.project = join(this.home, 'my prôj');
    for (const folder of [
      this.project,
      this.at('AppData/Local/Temp'),
      this.at('AppData/Roaming'),
      this.office,
    ])
      mkdirSync(folder, { recursive: true });
  }

  get office() {
    return join(this.base, 'office');
  }

  at(path) {
    return join(this.home, ...path.split('/'));
  }

  put(path, value) {
    const file = this.at(path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value, null, 2));
    return file;
  }

  read(path) {
    return readFileSync(this.at(path), 'utf8');
  }

  env(more = {}) {
    const { home } = this;
    const system = Object.entries(process.env).filter(([variable]) => OF_SYSTEM.test(variable));
    const local = this.at('AppData/Local');
    const all = {
      ...Object.fromEntries(system),
      USERPROFILE: home,
      HOME: this.office,
      HOMEDRIVE: home.slice(0, 2),
      HOMEPATH: home.slice(2),
      USERNAME: 'user',
      APPDATA: this.at('AppData/Roaming'),
      LOCALAPPDATA: local,
      TEMP: join(local, 'Temp'),
      TMP: join(local, 'Temp'),
      NO_COLOR: '1',
    };
    // Windows has one PATH, however it is spelt.
    if (more.PATH !== undefined)
      for (const variable of Object.keys(all)) if (/^path$/i.test(variable)) delete all[variable];
    return { ...all, ...more };
  }

  /** Runs mcphooks. On a busy machine Wine now and then starts a process that ends at once (`spawn UNKNOWN`). */
  async mcphooks(args, { cwd = this.project, env } = {}) {
    const start = () =>
      run(process.execPath, [join(ROOT, 'dist', 'mcphooks.cjs'), ...args], { cwd, env: this.env(env) });
    const ran = await start();
    const failed = ran.code !== 0 && /spawn UNKNOWN/.test(ran.stdout + ran.stderr);
    if (!failed || !process.env.MCPHOOKS_WINE) return ran;
    console.log(`Wine could not start a process of mcphooks ${args[0]}, which is run again`);
    return start();
  }

  /** All files of the profile, by path with `/`: their bytes; the temporary folder apart. */
  files() {
    const found = {};
    const look = (folder) => {
      for (const name of readdirSync(folder).toSorted()) {
        const path = join(folder, name);
        const shown = relative(this.home, path).replaceAll('\\', '/');
        if (shown === 'AppData/Local/Temp') continue;
        if (statSync(path).isDirectory()) look(path);
        else found[shown] = readFileSync(path, 'latin1');
      }
    };
    look(this.home);
    return found;
  }

  /** A folder in which a program still runs can't be removed. */
  remove() {
    try {
      rmSync(this.base, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    } catch (error) {
      console.log(`left behind: ${this.base} (${error.code})`);
    }
  }
}

/** Runs a program to its end. */
export function run(program, args, { cwd, env, input = '', timeoutMs = 90_000 }) {
  return new Promise((done) => {
    const began = Date.now();
    const child = spawn(program, args, { cwd, env, stdio: 'pipe', windowsHide: true });
    const parts = { stdout: [], stderr: [] };
    for (const name of ['stdout', 'stderr']) child[name].on('data', (chunk) => parts[name].push(chunk));
    const text = (name) => Buffer.concat(parts[name]).toString();
    const end = (code) =>
      done({ code, stdout: text('stdout'), stderr: text('stderr'), ms: Date.now() - began });
    child.on('error', (error) => done({ code: null, stdout: '', stderr: String(error), ms: 0 }));
    child.stdin.on('error', () => {});
    const patience = setTimeout(() => child.kill(), timeoutMs);
    child.on('close', (code) => {
      clearTimeout(patience);
      end(code);
    });
    child.stdin.end(input);
  });
}

/** Runs the hook of an entry as its client would, with a payload. The PowerShell line is read by its words. */
export function fireEntry(handler, payload, { cwd, env }) {
  const words = handler.args
    ? [handler.command, ...handler.args]
    : wordsOf(handler.commandWindows ?? handler.command);
  const [program, ...args] = words;
  return run(program === 'node' ? process.execPath : program, args, {
    cwd,
    env,
    input: JSON.stringify(payload),
  });
}

function wordsOf(line) {
  const [, inner] = /^try \{ & (.*) \} catch \{\}; exit 0$/s.exec(line) ?? [];
  if (inner !== undefined)
    return [...inner.matchAll(/'((?:[^']|'')*)'|(\S+)/g)].map(([, word, bare]) =>
      word === undefined ? bare : word.replace(/(['\u2018-\u201b])\1/g, '$1'),
    );
  return [...line.matchAll(/"([^"]*)"/g)].map(([, word]) => word);
}

/** Collects results; `end` prints the last line that the runner reads. */
export function checks() {
  let [passed, failed, skipped] = [0, 0, 0];
  const failures = [];
  return {
    async check(name, act) {
      try {
        await act();
        passed++;
        console.log(`ok ${name}`);
      } catch (error) {
        failed++;
        failures.push(name);
        console.log(`FAILED ${name}\n  ${String(error?.stack ?? error).replaceAll('\n', '\n  ')}`);
      }
    },
    skip(name, why) {
      skipped++;
      console.log(`SKIPPED ${name}: ${why}`);
    },
    end() {
      for (const name of failures) console.log(`FAILED ${name}`);
      console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
      process.exitCode = failed > 0 ? 1 : 0;
    },
  };
}

export { existsSync };
