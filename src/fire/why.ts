import { basename } from 'node:path';
import { quietly } from '../base/quietly.ts';
import { append } from './files.ts';

/** Reason why a hook had no text, or a shorter one, although nothing went wrong; errors are an `Incident`. */
export type Silence = LoggedSilence | UnloggedSilence;

/** Reason why a hook had no text although it matched: the log has a line for it. */
export type LoggedSilence =
  | 'session.unknown'
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
  | 'client.drops'
  | 'tool.empty'
  | 'answer.nothing'
  | 'answer.no-json'
  | 'answer.blank'
  | 'said';

/** Reason why a hook did not match, or had nothing to give: only `mcphooks fire` shows it. */
export type UnloggedSilence =
  | 'environment'
  | 'client.other'
  | 'install.other'
  | 'prompt.sub-agent'
  | 'prompt.continuation'
  | 'prompt.none'
  | 'prompt.again'
  | 'turn.no-end'
  | 'matcher.tool'
  | 'matcher.server'
  | 'matcher.input'
  | 'session.had-it'
  | 'session.no-turn'
  | 'kept.nothing'
  | 'answer.cut'
  | 'noted.start'
  | 'noted.turn'
  | 'noted.call';

/** Reason why a hook printed less than declared. `mcphooks doctor` has the sentence for each. */
export type Incident =
  | 'data.unreadable'
  | 'payload.unreadable'
  | 'text.sanitised'
  | 'text.cut'
  | 'text.dropped'
  | 'value.cut'
  | 'budget.session'
  | 'definition.changed'
  | 'definition.missing'
  | 'definition.unset'
  | 'definition.elsewhere'
  | 'url.refused'
  | 'tool.failed'
  | 'tool.slow'
  | 'tool.installing'
  | 'tool.resting'
  | 'tool.paused'
  | 'fire.failed';

export interface Why {
  code: Silence | Incident;
  /** Number of the declaration; absent when the reason applies to all hooks of the shim. */
  n?: number;
  /** Argument of the code: the tool's name, a variable, seconds. */
  detail?: string;
}

export type TellWhy = (why: Why) => void;

/**
 * Environment variable with the file to which a fire writes, line by line, why hooks gave no text, for `mcphooks
 * fire`.
 */
export const WHY_VARIABLE = 'MCPHOOKS_WHY';
/** Environment variable, set with `WHY_VARIABLE`, with the folder in which the server is started. */
export const SERVER_FOLDER_VARIABLE = 'MCPHOOKS_SERVER_FOLDER';
/** Required name of the file in `WHY_VARIABLE`, so that a stray variable changes nothing. */
export const WHY_FILE = 'mcphooks-why';

/** Returns the file in `WHY_VARIABLE`; undefined in a fire that `mcphooks fire` didn't start. */
export function whyFile(env: NodeJS.ProcessEnv): string | undefined {
  const file = env[WHY_VARIABLE];
  return file && basename(file) === WHY_FILE ? file : undefined;
}

/**
 * Returns a function that reports reasons to `mcphooks fire`; in any other fire the function does nothing. The file
 * must exist.
 */
export function teller(env: NodeJS.ProcessEnv): TellWhy {
  const file = whyFile(env);
  if (!file) return () => {};
  return (why) => quietly(() => append(file, `${JSON.stringify(why)}\n`));
}
