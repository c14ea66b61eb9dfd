import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../base/make-folder.ts';
import { Fault, orFault } from '../messages/fault.ts';
import { digest, digestOf, staysEmpty, type Target, targetFinder } from './files.ts';
import { type FileOps, namingFile, realFs, succeeds, syncFolder, writeNew } from './fs.ts';
import { type Journal, type Op, writeJournal } from './journal.ts';
import {
  cleanUpRun,
  enterPhase,
  giveUp,
  goForward,
  type JournalledRun,
  syncJournalFolders,
} from './journalled-run.ts';
import { type FindForeign, recover } from './recover.ts';
import { type FileChange, isPrivateMode } from './types.ts';

interface Edit {
  change: FileChange;
  target: Target;
  op: Op;
}

interface ApplyOptions {
  /** Absolute folder of the journal; created when missing. */
  state: string;
  /** mcphooks' folders to remove afterwards when they are empty (`planFolders`). */
  emptied?: readonly string[];
  /** Own folders and files that go with their contents once all changes are written, also where a kill comes before. */
  cleared?: readonly string[];
  /** Check of an interrupted run's journal, for `recover`. */
  findForeign?: FindForeign;
  fs?: FileOps;
}

/**
 * Writes, replaces and removes the files of one command together or not at all, in the given order. The caller holds
 * the lock. Own files get their mode, all others keep theirs. When this function throws, no content was changed, except
 * with `apply.unfinished`: the next `recover` finishes that transaction. Returns the reports of `recover` about an
 * interrupted run before this one. Faults: `apply.stale` (plan again), `apply.read-only`, `apply.dangling`,
 * `apply.same-file`, `apply.failed`, `apply.unfinished`; as `namingFile` and `recover`.
 */
export function applyChanges(changes: readonly FileChange[], options: ApplyOptions): Fault[] {
  const { state, emptied = [], cleared = [], findForeign, fs = realFs } = options;
  namingFile(state, () => makeFolder(state));
  const reports = recover(state, fs, findForeign);
  const tag = randomBytes(6).toString('hex');
  const targetOf = targetFinder(fs);
  const all = changes.map((change, i) => plan(change, targetOf(change.path), `.mcphooks-${tag}-${i}`));
  refuseTwins(all);
  const edits = all.filter(({ op }) => op.before !== op.after);
  for (const { op, change } of all)
    if (op.before === op.after && isPrivateMode(change.mode))
      namingFile(op.path, () => fs.chmodSync(op.target, change.mode));
  if (edits.length === 0) return reports;
  for (const edit of edits) {
    namingFile(edit.op.path, () => refuseReadOnly(fs, edit), 'apply.stale');
    namingFile(edit.op.path, () => refuseEmptied(fs, edit), 'apply.stale');
  }

  const made = new Set(edits.flatMap(({ target }) => target.missing));
  const journal: Journal = {
    format: 1,
    ops: edits.map((e) => e.op),
    made: [...made],
    emptied: [...emptied],
    ...(cleared.length > 0 && { cleared: [...cleared] }),
  };
  const run: JournalledRun = { fs, state, phase: 'preparing', journal };
  try {
    writeJournal(fs, state, journal);
    for (const edit of edits) namingFile(edit.op.path, () => prepare(fs, edit), 'apply.stale');
    syncJournalFolders(run);
    verify(fs, edits);
    enterPhase(run, 'commit');
    namingFile(state, () => syncFolder(fs, state));
    goForward(run, (file) => {
      throw new Fault('apply.stale', {}, { file });
    });
    enterPhase(run, 'done');
  } catch (error) {
    giveUp(run);
    throw error;
  }
  // All files are written; the next `recover` cleans up what stays.
  orFault(() => cleanUpRun(run, journal.emptied));
  return reports;
}

function plan(change: FileChange, target: Target, name: string): Edit {
  const beside = (suffix: string): string => join(dirname(target.real), name + suffix);
  const op: Op = {
    path: change.path,
    target: target.real,
    fresh: beside('.new'),
    old: beside('.old'),
    before: digest(change.before),
    after: digest(change.after),
  };
  return { change, target, op };
}

/** Throws `apply.read-only`. The mode bits are checked as well, since root may write every file. */
function refuseReadOnly(fs: FileOps, { op, target }: Edit): void {
  if (!target.stat) return;
  const writable = succeeds(() => fs.accessSync(op.target, constants.W_OK), ['EACCES', 'EPERM']);
  if (!writable || (target.stat.mode & 0o200) === 0)
    throw new Fault('apply.read-only', {}, { file: op.path });
}

/**
 * Throws `apply.stale` for another program's file that was empty when it was read, and isn't any more: what the program
 * writes would be lost with the file that was replaced.
 */
function refuseEmptied(fs: FileOps, { change, op }: Edit): void {
  if (change.before?.length !== 0 || isPrivateMode(change.mode)) return;
  if (!staysEmpty(op.target, fs)) throw new Fault('apply.stale', {}, { file: op.path });
}

/** Throws `apply.same-file` for two paths to one file: the second change would undo the first. */
function refuseTwins(edits: readonly Edit[]): void {
  const seen = new Map<string, string>();
  for (const { op, target } of edits) {
    const id = target.stat ? `${target.stat.dev}:${target.stat.ino}` : op.target;
    const other = seen.get(id);
    if (other !== undefined) throw new Fault('apply.same-file', { other }, { file: op.path });
    seen.set(id, op.path);
  }
}

function verify(fs: FileOps, edits: readonly Edit[]): void {
  for (const { op } of edits) {
    if (namingFile(op.path, () => digestOf(fs, op.target)) !== op.before)
      throw new Fault('apply.stale', {}, { file: op.path });
  }
}

function prepare(fs: FileOps, { change, target, op }: Edit): void {
  const folderMode = isPrivateMode(change.mode) ? 0o700 : 0o777;
  for (const folder of target.missing) makeMissing(fs, folder, folderMode);
  if (!change.after) return;
  const like =
    target.stat && isPrivateMode(change.mode) ? { ...target.stat, mode: change.mode } : target.stat;
  writeNew(fs, op.fresh, change.after, change.mode, like);
  if (change.before) writeNew(fs, op.old, change.before, change.mode, target.stat);
}

/** A folder that can't be made although its parent is there, as in /proc, was not removed by anyone. */
function makeMissing(fs: FileOps, folder: string, mode: number): void {
  if (succeeds(() => fs.mkdirSync(folder, mode), ['EEXIST', 'ENOENT'])) return;
  if (!succeeds(() => fs.statSync(dirname(folder)), ['ENOENT'])) return;
  if (!fs.statSync(folder, { throwIfNoEntry: false }))
    throw new Fault('apply.failed', { code: 'ENOENT', folder: 1 }, { file: folder });
}
