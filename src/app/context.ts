import type { Env, OwnPaths } from '../base/paths.ts';
import type { Style } from '../base/text-style.ts';
import type { Scope } from '../plan/scopes/scope.ts';
import type { Questions } from './ask.ts';

/** The world as a command sees it: nothing below reads `process` for these. */
export interface Context {
  env: Env;
  cwd: string;
  /** Of this machine and user. */
  paths: OwnPaths;
  /** Where what the command installs, compares or removes stands. */
  scope: Scope;
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
  interactive: () => boolean;
  /** How a person is asked, where `interactive` says that one can be. */
  ask: Questions;
  /** Shows a line at the terminal in place of the one before; without a text the line goes away. */
  progress: (line?: string) => void;
}

/** What of it doesn't depend on the command. */
export type World = Omit<Context, 'scope'>;

/** Where no person is. */
export const NOBODY: Pick<World, 'interactive' | 'ask' | 'progress'> = {
  interactive: () => false,
  ask: {
    confirm: async () => false,
    decide: async () => 'no',
    choose: async () => undefined,
  },
  progress: () => {},
};
