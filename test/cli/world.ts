import { spawn } from 'node:child_process';
import {
  cpSync,
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
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach } from 'vitest';
import type { Questions } from '../../src/app/ask.ts';
import { NOBODY } from '../../src/app/context.ts';
import { ownPaths } from '../../src/base/paths.ts';
import { fitted, styleFor } from '../../src/base/text-style.ts';
import { main } from '../../src/cli/main.ts';
import { homeEnv, slashed, WINDOWS } from '../platform.ts';

export const CLI = fileURLToPath(new URL('../../dist/mcphooks.cjs', import.meta.url));

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A throwaway home and project, in which commands run with a cleared environment and no terminal. */
export interface World {
  home: string;
  project: string;
  env: Record<string, string>;
  write: (path: string, text: string | Buffer) => string;
  read: (path: string) => string;
  /** Every file of home and project but sockets, by path relative to the base. */
  files: () => Record<string, string>;
  /** Runs a command of the source in this process, in the world's project and environment and without a terminal. */
  run: (...args: string[]) => Promise<Ended>;
  /** Runs the built program as a process of its own, in the same surroundings. */
  spawn: (...args: string[]) => Promise<Ended>;
  /**
   * The same as `run`, in another folder (relative to the base), with a person who says this to every question (`ask`:
   * but to these), as at a terminal of so many columns, or with this on stdin.
   */
  runAs: (
    how: {
      folder?: string;
      says?: boolean;
      columns?: number;
      ask?: Partial<Questions>;
      stdin?: string | Buffer;
    },
    ...args: string[]
  ) => Promise<Ended>;
}

let bases: string[] = [];

export function makeWorld(): World {
  const base = mkdtempSync(join(realpathSync(tmpdir()), 'mcphooks-cli-'));
  mkdirSync(join(base, 'home'));
  mkdirSync(join(base, 'project'));
  return worldAt(base);
}

function worldAt(base: string): World {
  bases.push(base);
  const home = join(base, 'home');
  const project = join(base, 'project');
  const env = { PATH: process.env.PATH ?? '', ...homeEnv(home) };
  const at = (path: string): string => join(base, path);
  return {
    home,
    project,
    env,
    write: (path, text) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), text);
      return at(path);
    },
    read: (path) => readFileSync(at(path), 'utf8'),
    files: () =>
      Object.fromEntries(
        readdirSync(base, { recursive: true, withFileTypes: true })
          .filter((e) => !e.isDirectory() && !e.isSocket())
          .map((e) => join(e.parentPath, e.name))
          .sort()
          .map((path) => [slashed(path.slice(base.length + 1)), readFileSync(path, 'latin1')]),
      ),
    run: (...args) => runHere(args, env, project),
    runAs: ({ folder, ...how }, ...args) =>
      runHere(args, env, folder === undefined ? project : at(folder), how),
    spawn: (...args) => ended([process.execPath, CLI, ...args], project, env),
  };
}

/** Runs a program without input to its end. */
export const ended = (words: readonly string[], cwd: string, env: Record<string, string>): Promise<Ended> =>
  new Promise((done) => {
    const [program = '', ...args] = words;
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (d) => (stdout += d));
    child.stderr.setEncoding('utf8').on('data', (d) => (stderr += d));
    child.on('close', (code) => done({ code, stdout, stderr }));
  });

/**
 * The same as `make`, but with the same arguments the files are made once: later tests of a file get a copy of them, in
 * the same place, since an install names its own paths.
 */
export function madeOnce<A extends unknown[]>(
  make: (...args: A) => World | Promise<World>,
): (...args: A) => Promise<World> {
  const all = new Map<string, { base: string; env: Record<string, string>; kept: string }>();
  afterAll(() => {
    for (const { kept } of all.values()) rmSync(kept, { recursive: true, force: true });
  });
  const copy = (from: string, to: string): void =>
    cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  return async (...args) => {
    const key = JSON.stringify(args);
    const known = all.get(key);
    // One test may want two of them.
    if (known === undefined || existsSync(known.base)) {
      const world = await make(...args);
      const base = dirname(world.home);
      if (known === undefined) {
        copy(base, `${base}-kept`);
        all.set(key, { base, env: { ...world.env }, kept: `${base}-kept` });
      }
      return world;
    }
    copy(known.kept, known.base);
    const world = worldAt(known.base);
    Object.assign(world.env, known.env);
    return world;
  };
}

async function runHere(
  words: readonly string[],
  env: Record<string, string>,
  cwd: string,
  { says, columns, ask, stdin }: Omit<Parameters<World['runAs']>[0], 'folder'> = {},
): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  const style = styleFor(columns !== undefined, env);
  // As the system hands them over: what is no character has no place in an argument.
  const arrived = words.map((word) => word.replace(/\p{Cs}/gu, '\ufffd'));
  const code = await main(arrived, {
    env: { ...env },
    cwd,
    paths: ownPaths(env),
    now: () => new Date().toISOString(),
    out: (text) => {
      stdout += `${text}\n`;
    },
    err: (text) => {
      stderr += `${fitted(text, columns)}\n`;
    },
    style,
    errStyle: style,
    ...(columns !== undefined && { columns }),
    ...NOBODY,
    ...(stdin !== undefined && {
      stdin: async function* () {
        yield Buffer.from(stdin);
      },
    }),
    ...(says !== undefined && {
      interactive: () => true,
      ask: { ...NOBODY.ask, confirm: async () => says, decide: async () => (says ? 'yes' : 'no'), ...ask },
    }),
  });
  return { code, stdout, stderr };
}

/** Removes a folder; under Wine not that of a program that stays, where taskkill doesn't end process trees. */
async function remove(folder: string): Promise<void> {
  for (let tries = 10; ; tries--) {
    try {
      return rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (!WINDOWS) throw error;
      if (tries === 0 && process.env.MCPHOOKS_WINE === '1') return;
      if (tries === 0) throw error;
    }
    await sleep(200);
  }
}

export function cleanWorlds(): void {
  beforeEach(() => {
    bases = [];
  });
  afterEach(async () => {
    for (const base of bases) await remove(base);
  });
}

const SERVER = fileURLToPath(new URL('../fixtures/servers/declares', import.meta.url));

/** An entry of an MCP configuration for a server that declares what stands in `file`, read at each start. */
export function serverEntry(file: string, ...args: string[]): { command: string; args: string[] } {
  if (WINDOWS) return nodeServerEntry(file, ...args);
  return { command: '/bin/sh', args: [`${SERVER}.sh`, file, ...args] };
}

/** The same as a program of node, which starts more slowly. */
export function nodeServerEntry(file: string, ...args: string[]): { command: string; args: string[] } {
  return { command: process.execPath, args: [`${SERVER}.mjs`, file, ...args] };
}
