import { isTerminal, streamOf, write } from './output.ts';
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
  const { env } = process;
  const [out, err] = [isTerminal(1), isTerminal(2)];
  return {
    env,
    cwd: process.cwd(),
    paths: ownPaths(env),
    now: () => new Date().toISOString(),
    out: (text) => write(1, `${text}\n`),
    err: (text) => write(2, `${fitted(text, err ? streamOf(2).columns : undefined)}\n`),
    style: styleFor(out, env),
    errStyle: styleFor(err, env),
    ...(out && { columns: streamOf(1).columns }),
    // Looked up when it matters: opening stdin loads streams.
    get interactive() {
      return Boolean(err && process.stdin.isTTY);
    },
  };
}
