import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../base/make-folder.ts';
import { Fault, unlessFault } from '../messages/fault.ts';
import { digest, digestOf, findTarget, type Target, targetFinder } from './files.ts';
import { deepestFirst } from './folders.ts';
import { type FileOps, namingFile, realFs, removeFile, syncFolder, tolerate, writeNew } from './fs.ts';
import {
  type Journal,
  journalFile,
  type Op,
  type Phase,
  readJournal,
  removeDraft,
  removeJournal,
  writeJournal,
} from './journal.ts';
import { type FileChange, isPrivateMode } from './types.ts';

interface Run {
  fs: FileOps;
  state: string;
  phase: Phase;
  journal: Journal;
}

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
  /** Own folders and files to remove with their contents, once nothing can fail any more. */
  cleared?: readonly string[];
  /** Check of an interrupted run's journal, for `recover`. */
  findForeign?: FindForeign;
  fs?: FileOps;
}

/** Returns a path in a journal that no change of mcphooks has in this phase; undefined: there is none. */
type FindForeign = (journal: Journal, phase: Phase) => string | undefined;

/**
 * Writes, replaces and removes the files of one command together or not at all, in the given order. The caller holds
 * the lock. Own files get their mode, all others keep theirs. When this function throws, no content was changed, except
 * with `apply.unfinished`: the next `recover` finishes that transaction.
 * @returns the reports of `recover` about an interrupted run before this one
 * @throws Fault `apply.stale` (plan again), `apply.read-only`, `apply.dangling`, `apply.same-file`, `apply.failed`,
 * `apply.unfinished`; as `namingFile` and `recover`
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
  if (edits.length === 0) {
    clear(fs, cleared);
    return reports;
  }
  for (const edit of edits) namingFile(edit.op.path, () => refuseReadOnly(fs, edit), 'apply.stale');

  const made = new Set(edits.flatMap(({ target }) => target.missing));
  const journal: Journal = {
    format: 1,
    ops: edits.map((e) => e.op),
    made: [...made],
    emptied: [...emptied],
    ...(cleared.length > 0 && { cleared: [...cleared] }),
  };
  const run: Run = { fs, state, phase: 'preparing', journal };
  try {
    writeJournal(fs, state, journal);
    for (const edit of edits) namingFile(edit.op.path, () => prepare(fs, edit), 'apply.stale');
    syncFolders(run);
    verify(fs, edits);
    enter(run, 'commit');
    namingFile(state, () => syncFolder(fs, state));
    forward(run, (file) => {
      throw new Fault('apply.stale', {}, { file });
    });
    enter(run, 'done');
  } catch (error) {
    giveUp(run);
    throw error;
  }
  try {
    cleanUp(run, journal.emptied);
  } catch (error) {
    // All files are written; the next `recover` cleans up.
    if (!(error instanceof Fault)) throw error;
  }
  return reports;
}

/**
 * Finishes an interrupted run: forward when the run had begun to replace files, else back. A file that somebody has
 * changed since is left alone and reported (`apply.left-alone`). The caller holds the lock and plans afterwards. A
 * journal that no run can have written, or in which `findForeign` finds a path, is refused.
 * @throws Fault `apply.unfinished` (neither direction works yet), `apply.journal-newer`, `apply.journal-damaged`,
 * `apply.journal-foreign`
 */
export function recover(state: string, fs: FileOps = realFs, findForeign?: FindForeign): Fault[] {
  const left = readJournal(fs, state);
  if (!left) {
    removeDraft(fs, state);
    return [];
  }
  const run: Run = { fs, state, ...left };
  refuseForeign(run, findForeign);
  const reports: Fault[] = [];
  if (run.phase === 'commit') {
    try {
      forward(run, (file) => reports.push(new Fault('apply.left-alone', {}, { file })));
      enter(run, 'done');
    } catch (error) {
      const undone = giveUp(run);
      if (!(error instanceof Fault)) throw error;
      return [new Fault('apply.taken-back', { code: String(error.args.code) }, error.where), ...undone];
    }
  }
  if (run.phase === 'undo') return rollBack(run);
  cleanUp(run, run.phase === 'preparing' ? run.journal.made : run.journal.emptied);
  return reports;
}

/** Throws `apply.journal-foreign` for a journal that no run of mcphooks would have planned. */
function refuseForeign({ fs, state, phase, journal }: Run, findForeign: FindForeign | undefined): void {
  const path = journal.ops.find((op) => !isPlanned(op, fs))?.path ?? findForeign?.(journal, phase);
  if (path !== undefined)
    throw new Fault('apply.journal-foreign', { path }, { file: journalFile(state, phase) });
}

/** True when the path still leads to the target, and both temporary files are beside the target. */
function isPlanned({ path, target, fresh, old }: Op, fs: FileOps): boolean {
  const beside = (name: string, end: string): boolean =>
    dirname(name) === dirname(target) && OURS.test(basename(name)) && name.endsWith(end);
  if (!beside(fresh, '.new') || !beside(old, '.old')) return false;
  return unlessFault(() => findTarget(path, fs).real === target, false);
}

const OURS = /^\.mcphooks-[0-9a-f]{12}-\d+\.(new|old)$/;

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
  const denied = ['EACCES', 'EPERM', 'EROFS'];
  const writable = tolerate(() => fs.accessSync(op.target, constants.W_OK) ?? true, denied);
  if (!writable || (target.stat.mode & 0o200) === 0)
    throw new Fault('apply.read-only', {}, { file: op.path });
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
  const tried = tolerate(() => fs.mkdirSync(folder, mode) ?? true, ['EEXIST', 'ENOENT']);
  if (tried || !tolerate(() => fs.statSync(dirname(folder)), ['ENOENT'])) return;
  if (!fs.statSync(folder, { throwIfNoEntry: false }))
    throw new Fault('apply.failed', { code: 'ENOENT', folder: 1 }, { file: folder });
}

function enter(run: Run, phase: Phase): void {
  const { fs, state } = run;
  const to = journalFile(state, phase);
  namingFile(to, () => {
    fs.renameSync(journalFile(state, run.phase), to);
    run.phase = phase;
  });
}

/**
 * Puts every target into its new state. A target in neither the old nor the new state is left alone and passed to
 * `changed`.
 */
function forward(run: Run, changed: (file: string) => void): void {
  const { fs, journal } = run;
  for (const op of journal.ops) {
    namingFile(op.path, () => {
      const now = digestOf(fs, op.target);
      if (now === op.after) return;
      if (now !== op.before) changed(op.path);
      else if (op.after === null) fs.renameSync(op.target, op.old);
      else fs.renameSync(op.fresh, op.target);
    });
  }
  syncFolders(run);
}

/**
 * Puts every target back into its old state. A target in neither state is left alone; the result has a Fault for each.
 */
function rollBack(run: Run): Fault[] {
  const { fs, journal } = run;
  const changed: Fault[] = [];
  const restore = (op: Op): boolean => {
    const now = digestOf(fs, op.target);
    if (now === op.before) return true;
    if (now !== op.after) return false;
    const undo = () => (op.before === null ? fs.unlinkSync(op.target) : fs.renameSync(op.old, op.target));
    // Without old bytes this run can't have removed the file.
    return tolerate(() => undo() ?? true, ['ENOENT']) ?? false;
  };
  for (const op of journal.ops.toReversed()) {
    if (!namingFile(op.path, () => restore(op)))
      changed.push(new Fault('apply.left-alone', {}, { file: op.path }));
  }
  syncFolders(run);
  cleanUp(run, journal.made);
  return changed;
}

/** Restores the old state after a failure in any phase. */
function giveUp(run: Run): Fault[] {
  try {
    if (run.phase === 'commit') enter(run, 'undo');
    if (run.phase === 'undo') return rollBack(run);
    cleanUp(run, run.journal.made);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    // Temporary files that stay behind in `preparing` are harmless; the next `recover` removes them.
    if (run.phase !== 'preparing')
      throw new Fault('apply.unfinished', { code: String(error.args.code) }, error.where);
  }
  return [];
}

function syncFolders({ fs, journal }: Run): void {
  const folders = new Set(
    [...journal.made, ...journal.ops.map((op) => op.target)].map((path) => dirname(path)),
  );
  for (const folder of folders)
    namingFile(folder, () => tolerate(() => syncFolder(fs, folder), ['ENOENT', 'ENOTDIR']));
}

function cleanUp(run: Run, folders: readonly string[]): void {
  const { fs, journal, state } = run;
  for (const op of journal.ops) {
    for (const path of [op.fresh, op.old]) namingFile(op.path, () => removeFile(fs, path));
  }
  if (run.phase === 'done') clear(fs, journal.cleared ?? []);
  for (const folder of deepestFirst(folders)) tolerate(() => fs.rmdirSync(folder));
  namingFile(journalFile(state, run.phase), () => removeJournal(fs, state, run.phase));
}

/** No hook needs these folders any more, so one that can't be removed is no failure. */
function clear(fs: FileOps, folders: readonly string[]): void {
  for (const folder of folders) tolerate(() => fs.rmSync(folder, { recursive: true, force: true }));
}
