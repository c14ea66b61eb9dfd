import { appendFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeFolder } from '../../base/make-folder.ts';
import { quietly } from '../../base/quietly.ts';
import { readNames, readText } from '../../base/read-file.ts';
import { claimFile } from '../claim-file.ts';
import { removeQuietly, statOf } from '../files.ts';
import { hashOf } from '../own-folders.ts';
import type { Marker } from './markers.ts';

/** Session ids that are used as folder names unchanged, by the shell too (templates/shim.sh). */
const PLAIN_ID = /^[A-Za-z0-9_-]{1,100}$/;
/** Markers of texts that were given. */
const GIVEN = /^(?:started|cooldown)\.[0-9a-f]+$/;
const FORGET_MS = 7 * 24 * 3600 * 1000;
/** Old sessions deleted at each new one. On a busy disk one takes a millisecond or two. */
const MOST_FORGOTTEN = 100;

/**
 * The stored state of one session: small files in one folder, shared by parallel fires.
 *
 * The life of a mark that a text sets (marks.ts):
 * - `claim` sets it before the text is made, at most until the fire's deadline, so that only one of parallel fires gives
 *   the text. Then the block carries it (`Block.marks`).
 * - `hold` sets it for its whole time: once the text was given, with the text's id; at once, when a hook has no text to
 *   print now.
 * - `clear` removes it when a declared text had no room. When a tool gave no text, `clear` removes the mark of the hook's
 *   rest, and the mark of the session's start is held.
 * - The mark of a tool's answer without room runs out with the deadline.
 * - `takeBack` undoes a mark when the program of a joint script left the text out.
 */
export interface Session {
  id: string;
  /** Units of text printed so far. */
  spent(): number;
  /** `tag`: of the fire whose texts they are. */
  spend(units: number, tag: string): void;
  /** Content of a marker; undefined when the marker isn't set. */
  read(marker: Marker): string | undefined;
  set(marker: Marker, content?: string): void;
  clear(marker: Marker): void;
  /** True when a marker set by `claim` or `hold` hasn't expired. */
  holds(marker: Marker): boolean;
  /**
   * Sets a marker that isn't set, for `ms`. Of parallel callers only one gets true. Returns undefined when the state
   * folder can't be written.
   */
  claim(marker: Marker, ms: number): boolean | undefined;
  /** Sets a marker for `ms` from now, or for good (null). `by`: the text that sets it (`textId`), for `takeBack`. */
  hold(marker: Marker, ms: number | null, by?: string): void;
  /** `count` adds one to a marker; `counted` returns the count since `clear`, and the time of the last one in ms. */
  count(marker: Marker): void;
  counted(marker: Marker): { times: number; last: number };
  /** Removes the markers of texts that hooks gave since the last turn's end or the session's start. */
  undoTurn(): void;
}

/** Opens a session's state below `folder`, and writes nothing yet. No method throws: what can't be written is not set. */
export function openSession(folder: string, id: string): Session {
  const sessionFolder = join(folder, PLAIN_ID.test(id) ? id : `h${hashOf(id)}`);
  const file = (marker: string): string => join(sessionFolder, marker);
  const ready = (): void => {
    if (statOf(sessionFolder)) return;
    makeFolder(sessionFolder);
    forgetOld(folder);
  };
  const read = (marker: string): string | undefined => quietly(() => readText(file(marker)));
  const create = (marker: string, ms: number): boolean | undefined => {
    quietly(ready);
    const claimed = claimFile(file(marker), firstLine(ms));
    return claimed === 'unwritable' ? undefined : claimed === 'claimed';
  };
  const append = (marker: string, text: string): void =>
    quietly(() => {
      ready();
      appendFileSync(file(marker), text, { mode: 0o600 });
    });
  const set = (marker: string, content = ''): void => {
    try {
      ready();
      writeFileSync(file(marker), content, { mode: 0o600 });
    } catch {
      removeQuietly(file(marker));
    }
  };
  const holds = (marker: string): boolean => {
    const first = read(marker)?.split('\n')[0];
    if (first === undefined) return false;
    const [end, set] = first.split(' ').map(Number);
    const now = Date.now();
    return first === '' || (now < (end ?? 0) && !(now < (set ?? 0) * 1000));
  };
  const counted = (marker: Marker): { times: number; last: number } => {
    const found = statOf(file(marker));
    return { times: found?.size ?? 0, last: found?.mtimeMs ?? 0 };
  };
  return {
    id,
    read,
    spent: () =>
      (read(SPENT) ?? '').split('\n').reduce((sum, line) => sum + (Number.parseInt(line, 10) || 0), 0),
    spend: (units, tag) => append(SPENT, `${units} ${tag}\n`),
    set,
    clear: (marker) => removeQuietly(file(marker)),
    holds,
    claim: (marker, ms) => {
      const created = create(marker, ms);
      if (created !== false) return created;
      if (holds(marker)) return false;
      // Several fires may find an expired marker; only the fire that moves it away sets the marker again.
      const away = `${marker}.${process.pid}`;
      try {
        renameSync(file(marker), file(away));
        if (holds(away)) {
          // Another fire has set it since.
          renameSync(file(away), file(marker));
          return false;
        }
        rmSync(file(away), { force: true });
      } catch {
        return false;
      }
      return create(marker, ms);
    },
    hold: (marker, ms, by = '') => set(marker, firstLine(ms) + by),
    count: (marker) => append(marker, '.'),
    counted,
    undoTurn: () => {
      const since = Math.max(counted('ended').last, counted('armed').last);
      for (const name of readNames(sessionFolder))
        if (GIVEN.test(name) && (statOf(file(name))?.mtimeMs ?? 0) > since) removeQuietly(file(name));
    },
  };
}

/** The marker with the units printed, a line for each fire. */
const SPENT: Marker = 'spent';

/**
 * Returns the first line of a marker set now for `ms`: its end in ms since 1970, and the time in seconds, before which it
 * doesn't count: then the clock was set back. Empty for a marker for good (null).
 */
function firstLine(ms: number | null): string {
  const now = Date.now();
  return ms === null ? '\n' : `${now + ms} ${Math.floor(now / 1000)}\n`;
}

/** Returns by what a marker knows the text that set it: the tag of the fire, and a hash of the text. */
export const textId = (tag: string, whole: string): string => `${tag} ${hashOf(whole.toWellFormed())}`;

/** What follows the id of a tool's answer. */
export const FROM_TOOL = ' tool';

/**
 * Undoes what a text of `units` left in its session, which is one of a folder: the markers that keep its hook silent,
 * and its part of the budget. For a tool's answer the markers stay at most `toolMs`, since each call takes time.
 */
export function takeBack(folder: string, id: string, units: number, toolMs: number): void {
  const [tag] = id.split(' ');
  const undo = (file: string): void => {
    const lines = readText(file).trimEnd().split('\n');
    if (basename(file) === SPENT) {
      const taken = `${-units} ${id}`;
      if (lines.some((line) => line.endsWith(` ${tag}`)) && !lines.includes(taken))
        appendFileSync(file, `${taken}\n`);
      return;
    }
    const [first = '', by] = lines;
    if (by === id) rmSync(file);
    const isLong = first === '' || Number.parseInt(first, 10) > Date.now() + toolMs;
    if (by === id + FROM_TOOL && isLong) writeFileSync(file, firstLine(toolMs));
  };
  // What isn't ours, or goes meanwhile, must not keep the rest.
  for (const session of readdirSync(folder))
    quietly(() => {
      for (const name of readdirSync(join(folder, session))) quietly(() => undo(join(folder, session, name)));
    });
}

/** Deletes the state of sessions not used for a week, some at a time: a text is waiting. */
function forgetOld(folder: string): void {
  const since = Date.now() - FORGET_MS;
  const isRecent = (path: string): boolean => (statOf(path)?.mtimeMs ?? 0) > since;
  let left = MOST_FORGOTTEN;
  // Another fire may remove it at the same time, and what is no folder is none of a session.
  for (const name of readdirSync(folder))
    quietly(() => {
      const session = join(folder, name);
      if (left === 0 || isRecent(session)) return;
      if (readdirSync(session).some((file) => isRecent(join(session, file)))) return;
      rmSync(session, { recursive: true, force: true });
      left--;
    });
}
