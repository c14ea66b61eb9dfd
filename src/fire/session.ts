import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { quietly, statOf } from './files.ts';

/**
 * Short and safe as a file name, whatever went in: two lanes of FNV-1a. Nothing rests on it but that names differ,
 * and loading node:crypto would cost a tenth of a fire.
 */
export function hashOf(...parts: string[]): string {
  const text = JSON.stringify(parts);
  let [a, b] = [0x811c9dc5, 0x050c5d1f];
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ text.charCodeAt(text.length - 1 - i), 0x01000193) ^ (a >>> 15);
  }
  return [a, b].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
}

/** Folder of what is remembered of one server on one client: of all its sessions, and of text kept. */
export function sessionsFolder(state: string, client: string, server: string): string {
  return join(state, 'sessions', hashOf(client, server));
}

/** The part of a session id that the shell takes as a folder's name too (templates/shim.sh). */
const PLAIN_ID = /^[A-Za-z0-9_-]{1,100}$/;
const FORGET_MS = 7 * 24 * 3600 * 1000;

/** What is remembered of one session: small files in one folder, which parallel fires share. */
export interface Session {
  id: string;
  /** Units of text given so far. */
  spent(): number;
  spend(units: number): void;
  /** Content of a marker, undefined when it isn't set. */
  read(marker: string): string | undefined;
  set(marker: string, content?: string): void;
  clear(marker: string): void;
  /**
   * Sets a marker that isn't set, or was longer ago than `ms`; of parallel callers only one gets true. Undefined:
   * the state folder can't be written to.
   */
  claim(marker: string, ms?: number): boolean | undefined;
  /** Times that `count` was called since `clear`, and when it was last, in ms. */
  count(marker: string): void;
  counted(marker: string): { times: number; last: number };
}

export function openSession(folder: string, id: string): Session {
  const own = join(folder, PLAIN_ID.test(id) ? id : `h${hashOf(id)}`);
  const file = (marker: string): string => join(own, marker);
  const ready = (): void => {
    if (statOf(own)) return;
    mkdirSync(own, { recursive: true, mode: 0o700 });
    forgetOld(folder);
  };
  const read = (marker: string): string | undefined => {
    try {
      return readFileSync(file(marker), 'utf8');
    } catch {
      return undefined;
    }
  };
  const create = (marker: string): boolean | undefined => {
    try {
      ready();
      writeFileSync(file(marker), '', { flag: 'wx', mode: 0o600 });
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EEXIST' ? false : undefined;
    }
  };
  const append = (marker: string, text: string): void =>
    quietly(() => {
      ready();
      appendFileSync(file(marker), text, { mode: 0o600 });
    });
  return {
    id,
    read,
    spent: () =>
      (read('spent') ?? '').split('\n').reduce((sum, line) => sum + (Number.parseInt(line, 10) || 0), 0),
    spend: (units) =>
      append(
        'spent',
        `${units}
`,
      ),
    set: (marker, content = '') =>
      quietly(() => {
        ready();
        writeFileSync(file(marker), content, { mode: 0o600 });
      }),
    clear: (marker) => quietly(() => rmSync(file(marker), { force: true })),
    claim: (marker, ms = Number.POSITIVE_INFINITY) => {
      const created = create(marker);
      if (created !== false) return created;
      const set = statOf(file(marker))?.mtimeMs;
      if (set === undefined || Date.now() - set < ms) return false;
      // Of those who find it old, the one that moves it away sets it anew.
      const away = file(`${marker}.${process.pid}`);
      try {
        renameSync(file(marker), away);
        rmSync(away, { force: true });
      } catch {
        return false;
      }
      return create(marker);
    },
    count: (marker) => append(marker, '.'),
    counted: (marker) => {
      const found = statOf(file(marker));
      return { times: found?.size ?? 0, last: found?.mtimeMs ?? 0 };
    },
  };
}

/** Removes what is known of sessions that nothing was heard of for a week. */
function forgetOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const session = join(folder, name);
    const touched = Math.max(
      0,
      ...[session, ...readdirSync(session).map((f) => join(session, f))].map((f) => statOf(f)?.mtimeMs ?? 0),
    );
    if (Date.now() - touched > FORGET_MS) rmSync(session, { recursive: true, force: true });
  }
}
