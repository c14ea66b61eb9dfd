import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { jsonOrUndefined } from '../base/json-value.ts';
import { makeFolder } from '../base/make-folder.ts';
import { isAround } from '../base/paths.ts';
import {
  isElsewhere,
  isRunning,
  ownProcessTable,
  type ProcessTable,
  recordedProcess,
} from '../base/process.ts';
import { readWithStat } from '../base/read-file.ts';
import { Fault } from '../messages/fault.ts';
import { deepestFirst } from './folders.ts';
import { errno, MISSING, namingFile, tolerate } from './fs.ts';

/** Contents of a lock file: the process that holds the lock. */
interface Holder extends ProcessTable {
  pid: number;
  /**
   * Start time of the process in the system's count; distinguishes the process from a later process with an equal pid.
   */
  started?: string;
  /** Time at which the process took the lock, ISO 8601. */
  since: string;
  nonce: string;
  /**
   * Folders that were created for the lock. When the process is killed, the next one that takes the lock removes them
   * once they are empty.
   */
  made: string[];
}

interface LockOptions {
  /** Milliseconds until waiting ends with a Fault. Default 30,000. */
  waitMs?: number;
  /** Called once, after a second of waiting. `holder` is undefined when the lock file can't be read. */
  onWait?: (file: string, holder: Holder | undefined) => void;
}

const NOTICE_MS = 1_000;
/** Age at which another host's lock is stale: its process can't be checked, but touches the file far more often. */
const ELSEWHERE_STALE_MS = 10 * 60_000;
const FUTURE_MS = 60 * 60_000;
const TOUCH_MS = 30_000;
/** Age at which an empty lock file is stale: its creator fills the file in less time. */
const EMPTY_STALE_MS = 2_000;

export const lockFile = (state: string): string => join(state, 'lock');

/** A lock that is held. */
interface HeldLock {
  /** Folders that were created for the lock, by this process or by one that was killed. */
  made: readonly string[];
  /** Adds folders to remove with those of `made`. When this process is killed, the next holder of the lock removes them. */
  alsoRemove(folders: readonly string[]): void;
}

/**
 * Runs `action` while no other mcphooks process holds the lock of this state folder, which is created when missing. The
 * folders that were created for that are removed when they are empty afterwards. Faults: `apply.locked` when another
 * process still holds the lock after `waitMs`; `apply.denied` and other faults of `namingFile`.
 */
export async function withLock<T>(
  state: string,
  action: (lock: HeldLock) => T | Promise<T>,
  { waitMs = 30_000, onWait }: LockOptions = {},
): Promise<T> {
  const file = lockFile(state);
  const me = self();
  try {
    await acquire(file, me, waitMs, onWait);
    const touch = setInterval(() => tolerate(() => fs.utimesSync(file, new Date(), new Date())), TOUCH_MS);
    touch.unref();
    try {
      return await action({ made: me.made, alsoRemove: (folders) => addMade(file, me, folders) });
    } finally {
      clearInterval(touch);
      release(file, me);
    }
  } finally {
    for (const folder of deepestFirst(me.made)) tolerate(() => fs.rmdirSync(folder));
  }
}

/** Takes the lock, and waits while another process holds it. */
async function acquire(
  file: string,
  me: Holder,
  waitMs: number,
  onWait: LockOptions['onWait'],
): Promise<void> {
  const state = dirname(file);
  // The folder is created at every try, because another process removes it after uninstalling the last server.
  const tryOnce = (): boolean => {
    namingFile(state, () => makeFolder(state, me.made));
    return namingFile(file, () => take(file, me));
  };
  const began = Date.now();
  let told = false;
  while (!tryOnce()) {
    const waited = Date.now() - began;
    const held = read(file);
    const holder = held?.holder;
    // The holder can't remove a folder in which this process takes the lock in the next moment.
    if (held) inheritMade(file, held, me);
    if (waited >= waitMs) throw lockedFault(file, holder, waited);
    if (waited >= NOTICE_MS && !told) {
      told = true;
      onWait?.(file, holder);
    }
    await new Promise((done) => setTimeout(done, 20 + Math.random() * 40));
  }
}

function lockedFault(file: string, holder: Holder | undefined, waitedMs: number): Fault {
  const { pid = '?', host = '?', since = '?' } = holder ?? {};
  return new Fault('apply.locked', { pid, host, since, seconds: Math.round(waitedMs / 1000) }, { file });
}

const self = (): Holder => ({
  ...recordedProcess(process.pid),
  ...ownProcessTable(),
  since: new Date().toISOString(),
  nonce: randomUUID(),
  made: [],
});

/**
 * Takes the lock; returns false when another process holds it. A stale lock is removed only by the holder of the lock
 * `<file>.next`, and only if the lock file hasn't changed since it was judged stale, so that two processes that judge
 * at once can't both succeed. The lock `<file>.next` follows these rules, too.
 */
function take(file: string, me: Holder): boolean {
  const next = `${file}.next`;
  if (create(file, me)) {
    // A process that was killed while it removed a stale lock has left this one.
    if (fs.existsSync(next) && take(next, me)) release(next, me);
    return true;
  }
  const judged = read(file);
  if (!judged || !isStale(judged)) return false;
  // Before `<file>.next` is created, which names them, too: from here on a kill leaves one file that does.
  inheritMade(file, judged, me);
  if (!take(next, me)) return false;
  try {
    const now = read(file);
    if (now?.text === judged.text && now.ino === judged.ino) fs.unlinkSync(file);
  } finally {
    release(next, me);
  }
  return create(file, me);
}

/** Adds the folders that another holder created: only folders around the lock, whatever the file says. */
function inheritMade(file: string, { holder }: LockReading, me: Holder): void {
  const made: unknown = holder?.made;
  const isOuter = (one: unknown): boolean =>
    typeof one === 'string' && isAbsolute(one) && isAround(one, dirname(file));
  if (Array.isArray(made)) me.made = [...new Set([...me.made, ...made.filter(isOuter)])];
}

function create(file: string, me: Holder): boolean {
  const text = JSON.stringify(me);
  try {
    fs.writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes(errno(error) ?? '')) return false;
    // A full or failing disk, or a limit on the size of files, leaves it empty or cut off. One that could not be
    // opened is another process's, which may be about to fill it.
    const isOpened = (error as NodeJS.ErrnoException).syscall !== 'open';
    if (isOpened && text.startsWith(read(file)?.text ?? '')) tolerate(() => fs.unlinkSync(file));
    throw error;
  }
  // A process that slept between creating and filling the file may have lost the lock: others saw an empty, stale file.
  return isMine(file, me);
}

/** Adds folders to those that the lock file names. */
function addMade(file: string, me: Holder, folders: readonly string[]): void {
  const made = [...new Set([...me.made, ...folders])];
  if (made.length === me.made.length || !isMine(file, me)) return;
  me.made = made;
  // Replaced, because a full disk would leave the file empty, and an empty lock counts as stale.
  const next = `${file}.next`;
  tolerate(() => create(next, me) && fs.renameSync(next, file));
  release(next, me);
}

const isMine = (file: string, me: Holder): boolean => read(file)?.holder?.nonce === me.nonce;

function release(file: string, me: Holder): void {
  tolerate(() => isMine(file, me) && fs.unlinkSync(file));
}

interface LockReading {
  text: string;
  ino: number;
  ageMs: number;
  holder: Holder | undefined;
}

function read(file: string): LockReading | undefined {
  const found = tolerate(() => readWithStat(file), MISSING);
  if (!found) return undefined;
  const text = found.bytes.toString();
  return { text, ino: found.stat.ino, ageMs: Date.now() - found.stat.mtimeMs, holder: parse(text) };
}

function parse(text: string): Holder | undefined {
  const holder = (jsonOrUndefined(text) ?? {}) as Partial<Holder>;
  const { pid = 0, host } = holder;
  return Number.isInteger(pid) && pid > 0 && typeof host === 'string' ? (holder as Holder) : undefined;
}

function isStale({ holder, ageMs }: LockReading): boolean {
  // Only a clock that was set back dates a file far into the future; clocks of two hosts differ by less.
  const age = ageMs < -FUTURE_MS ? -ageMs : ageMs;
  if (!holder) return age > EMPTY_STALE_MS;
  return isElsewhere(holder) ? age > ELSEWHERE_STALE_MS : !isRunning(holder);
}
