import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { quietly } from './files.ts';
import type { Incident } from './log.ts';

/** Why a hook gave no text at an event though nothing went wrong; what goes wrong is an `Incident`. */
export type Silence =
  | 'environment'
  | 'client.other'
  | 'prompt.sub-agent'
  | 'prompt.continuation'
  | 'prompt.none'
  | 'prompt.again'
  | 'matcher.tool'
  | 'matcher.server'
  | 'matcher.input'
  | 'session.unknown'
  | 'session.had-it'
  | 'session.no-turn'
  | 'cooldown'
  | 'cooldown.session'
  | 'when.outcome'
  | 'when.outcome-unknown'
  | 'when.source'
  | 'when.files'
  | 'when.command'
  | 'when.path'
  | 'when.called'
  | 'kept'
  | 'kept.nothing'
  | 'client.drops'
  | 'tool.empty'
  | 'answer.nothing'
  | 'noted.start'
  | 'noted.turn'
  | 'noted.call';

export interface Why {
  code: Silence | Incident;
  /** Number of the declaration; absent: it holds for all hooks of the shim. */
  n?: number;
  /** What the code speaks of: the tool's name, a variable, seconds. */
  detail?: string;
}

export type TellWhy = (why: Why) => void;

/** Names the file in which `mcphooks fire` wants to read, line by line, why a hook stayed silent. */
export const WHY_VARIABLE = 'MCPHOOKS_WHY';
/** Beside it: the folder in which the server is started. */
export const SERVER_FOLDER_VARIABLE = 'MCPHOOKS_SERVER_FOLDER';
/** The only name that such a file has, so that a stray variable can't lead to another. */
export const WHY_FILE = 'mcphooks-why';

// A link could lead to any file, and opening a pipe that nobody reads would wait.
const PLAIN = constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Tells `mcphooks fire`, and in any other fire no one. The file has to be there. */
export function teller(env: NodeJS.ProcessEnv): TellWhy {
  const file = env[WHY_VARIABLE];
  if (!file || basename(file) !== WHY_FILE) return () => {};
  return (why) =>
    quietly(() => {
      const to = openSync(file, PLAIN);
      writeSync(to, `${JSON.stringify(why)}\n`);
      closeSync(to);
    });
}
