import { constants, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../base/make-folder.ts';
import type { Env } from '../base/paths.ts';
import { quietly } from '../base/quietly.ts';
import { readText } from '../base/read-file.ts';
import type { HookEvent } from '../declarations/types.ts';
import { append, statOf } from './files.ts';
import { hookPaths, LOG_FILE, partsOf } from './own-folders.ts';
import { sanitise } from './text/sanitise.ts';
import { type Incident, type LoggedSilence, whyFile } from './why.ts';

/**
 * One line of the log, as JSON. With `chars`: a text was given. With `silence`: a hook that matched had none. With
 * `incident`: something went wrong. templates/log.sh writes the lines of texts that the shell prints, and of silences
 * that it decides.
 */
export interface LogLine {
  /** ISO 8601, in UTC; the shell's without milliseconds. The first field, by which glued lines are told apart. */
  at: string;
  server?: string;
  client?: string;
  native?: string;
  /** Number of the declaration; absent or 0 when the line is about all of the fire. */
  n?: number;
  event?: HookEvent | undefined;
  /** Code points of the text, naming lines included. */
  chars?: number;
  /** Estimate: a quarter of the text's bytes. */
  tokens?: number;
  /** The random tag in the text's naming lines. */
  tag?: string;
  /** ISO 8601: when a text was kept that is given later. */
  meant?: string | undefined;
  silence?: LoggedSilence;
  incident?: Incident;
  /** At most 200 characters, sanitised; never tool data or a secret. */
  detail?: string;
  /** Milliseconds since node was started. */
  ms?: number;
  session?: string | undefined;
  /** Absolute path of the project, or of the folder in which the client was started (shell). */
  project?: string;
  /** Set when `mcphooks fire` ran the hook. */
  try?: true;
  /** Set when the text contains what looks like a secret: the shell, which can't mask it, doesn't log the text. */
  hidden?: true;
  /** The text without naming lines, when the user's configuration file says `"texts": true`. */
  text?: string;
}

/** Bytes above which the log becomes an earlier part; templates/shim.sh and log.sh have the same number. */
const LARGEST = 1_000_000;
/** Most bytes of all earlier parts. */
const EARLIER = 3_500_000;

/** Most bytes of a line, so that the system writes it whole beside other writers. */
const LONGEST_LINE = 4096;

/** Most UTF-16 units of a session's id, which comes from the client as it is. */
const LONGEST_ID = 200;

/** What the configuration file says about the log. The shell reads the file in the same way (templates/log.sh). */
export function logging(env: Env): { on: boolean; texts: boolean } {
  let config = '';
  quietly(() => {
    const file = join(hookPaths(env).config, 'config.json');
    if (statOf(file)) config = readText(file);
  });
  return { on: !/"log"\s*:\s*false/.test(config), texts: /"texts"\s*:\s*true/.test(config) };
}

/** Appends one line. A hook doesn't fail because the log can't be written. */
export function log(state: string, line: Omit<LogLine, 'at'>): void {
  const { env } = process;
  if (!logging(env).on) return;
  const detail = line.detail && { detail: sanitise(line.detail).text.slice(0, 200) };
  const session = line.session && { session: line.session.slice(0, LONGEST_ID) };
  const about = { ms: Math.round(process.uptime() * 1000), ...(whyFile(env) && { try: true }) };
  const file = join(state, LOG_FILE);
  const write = ({ text, ...short }: Omit<LogLine, 'at'>): void => {
    const whole = {
      at: new Date().toISOString(),
      ...short,
      ...detail,
      ...session,
      ...about,
      ...(text && { text }),
    };
    const bytes = Buffer.from(`${JSON.stringify(whole)}\n`);
    if (text && bytes.length > LONGEST_LINE) write(short);
    else if (append(file, bytes, constants.O_CREAT) > LARGEST) rotate(file);
  };
  quietly(() => {
    makeFolder(state);
    write(line);
  });
}

/** Makes the log an earlier part, under a name of its own: of several processes at once none takes another's lines. */
function rotate(file: string): void {
  const state = dirname(file);
  // The names order the parts, also after the clock was set back.
  const newest = partsOf(readdirSync(state)).at(-1) ?? '';
  const [, y, ...rest] = /\.(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z/.exec(newest) ?? [];
  const [month, day, h, m, s, ms] = rest.map(Number);
  const least = y ? Date.UTC(Number(y), (month ?? 1) - 1, day, h, m, s, ms) + 1 : 0;
  const at = new Date(Math.max(Date.now(), least)).toISOString().replace(/\W/g, '');
  renameSync(file, `${file}.${at}-${process.pid}`);
  let left = EARLIER;
  for (const part of partsOf(readdirSync(state)).reverse()) {
    left -= statOf(join(state, part))?.size ?? 0;
    if (left < 0) rmSync(join(state, part), { force: true });
  }
}
