import { spawn } from 'node:child_process';
import {
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
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach } from 'vitest';

export const CLI = fileURLToPath(new URL('../../dist/mcphooks.cjs', import.meta.url));

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A throwaway home and project, in which the built program runs with a cleared environment and no terminal. */
export interface World {
  home: string;
  project: string;
  env: Record<string, string>;
  write: (path: string, text: string) => string;
  read: (path: string) => string;
  /** Every file of home and project, by path relative to the base. */
  files: () => Record<string, string>;
  run: (...args: string[]) => Promise<Ended>;
}

let bases: string[] = [];

export function makeWorld(): World {
  const base = mkdtempSync(join(realpathSync(tmpdir()), 'mcphooks-cli-'));
  bases.push(base);
  const home = join(base, 'home');
  const project = join(base, 'project');
  mkdirSync(home);
  mkdirSync(project);
  const env = { PATH: process.env.PATH ?? '', HOME: home };
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
          .filter((e) => !e.isDirectory())
          .map((e) => join(e.parentPath, e.name))
          .sort()
          .map((path) => [path.slice(base.length + 1), readFileSync(path, 'latin1')]),
      ),
    run: (...args) =>
      new Promise((done) => {
        const child = spawn(process.execPath, [CLI, ...args], {
          cwd: project,
          env,
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let stdout = '';
        let stderr = '';
        child.stdout.setEncoding('utf8').on('data', (d) => (stdout += d));
        child.stderr.setEncoding('utf8').on('data', (d) => (stderr += d));
        child.on('close', (code) => done({ code, stdout, stderr }));
      }),
  };
}

export function cleanWorlds(): void {
  beforeEach(() => {
    bases = [];
  });
  afterEach(() => {
    for (const base of bases) rmSync(base, { recursive: true, force: true });
  });
}

const SERVER = fileURLToPath(new URL('../fixtures/servers/declares.mjs', import.meta.url));

/** An entry of an MCP configuration for a server that declares what stands in `file`, read at each start. */
export function serverEntry(file: string, ...args: string[]): { command: string; args: string[] } {
  return { command: process.execPath, args: [SERVER, file, ...args] };
}
