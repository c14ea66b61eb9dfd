import { type Env, type OwnPaths, ownPaths } from './paths.ts';
import type { Site } from './plan/site.ts';
import { fitted, type Style, styleFor } from './style.ts';

/** The world as a command sees it: nothing below reads `process` for these. */
export interface Context {
  env: Env;
  cwd: string;
  /** Of this machine and user. */
  paths: OwnPaths;
  /** Where what the command installs, compares or removes stands. */
  site: Site;
  /** ISO 8601, now. */
  now: () => string;
  /** What was asked for: the plan, the list, the JSON document. */
  out: (text: string) => void;
  /** Everything else. */
  err: (text: string) => void;
  style: Style;
  errStyle: Style;
  /** Width of the terminal that `out` goes to; undefined: none, so nothing is broken into lines. */
  columns?: number;
  /** A person can be asked. */
  interactive: boolean;
}

/** What of it the process itself says. */
export type World = Omit<Context, 'site'>;

export function processContext(): World {
  const { env, stdout, stderr } = process;
  return {
    env,
    cwd: process.cwd(),
    paths: ownPaths(env),
    now: () => new Date().toISOString(),
    out: (text) => stdout.write(`${text}\n`),
    err: (text) => stderr.write(`${fitted(text, stderr.isTTY ? stderr.columns : undefined)}\n`),
    style: styleFor(stdout, env),
    errStyle: styleFor(stderr, env),
    ...(stdout.isTTY && { columns: stdout.columns }),
    // Looked up when it matters: opening stdin loads streams.
    get interactive() {
      return Boolean(process.stdin.isTTY && stderr.isTTY);
    },
  };
}
