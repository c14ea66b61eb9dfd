import type { Env, OwnPaths } from '../base/paths.ts';
import type { Style } from '../base/text-style.ts';
import type { Scope } from '../plan/scopes/scope.ts';
import type { Questions } from './ask.ts';

/** Environment of a command. Code reads these values from here; only helpers such as a pager get those of `process`. */
export interface Context {
  env: Env;
  cwd: string;
  /** Own folders of this machine and user. */
  paths: OwnPaths;
  /** Scope in which the command installs, compares or removes. */
  scope: Scope;
  /** The command writes nothing, not even what an interrupted run left to do. */
  dryRun?: true;
  /** Returns the current time, ISO 8601. */
  now: () => string;
  /** Prints the requested result: the plan, the list, the JSON document. */
  out: (text: string) => void;
  /** Prints everything else. */
  err: (text: string) => void;
  /** Faults that are printed once in a command, whatever number of scopes it reads: those that were printed. */
  reported: Set<string>;
  style: Style;
  errStyle: Style;
  /** Width of the terminal behind `out`; undefined: no terminal, so lines aren't wrapped. */
  columns?: number;
  /** Returns what is piped into the command; nothing at a terminal. */
  stdin: () => AsyncIterable<Uint8Array>;
  /** True when a person can be asked. */
  interactive: () => boolean;
  /** Questions to the person, when `interactive` is true. */
  ask: Questions;
  /** Shows a line at the terminal in place of the previous line; without a text, removes the line. */
  progress: (line?: string) => void;
}

/** The part of the context that doesn't depend on the command. */
export type World = Omit<Context, 'scope' | 'dryRun' | 'reported'>;

/** Questions, progress and input when nobody is at a terminal, and nothing is piped in. */
export const NOBODY: Pick<World, 'stdin' | 'interactive' | 'ask' | 'progress'> = {
  stdin: async function* () {},
  interactive: () => false,
  ask: {
    confirm: async () => false,
    decide: async () => 'no',
    pick: async () => undefined,
    choose: async () => undefined,
    page: async () => {},
  },
  progress: () => {},
};
