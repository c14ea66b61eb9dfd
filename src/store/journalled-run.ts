import { dirname } from 'node:path';
import { Fault } from '../messages/fault.ts';
import { digestOf } from './files.ts';
import { deepestFirst } from './folders.ts';
import { type FileOps, MISSING, namingFile, removeFile, succeeds, syncFolder, tolerate } from './fs.ts';
import { type Journal, journalFile, type Op, type Phase, removeJournal } from './journal.ts';

/** A transaction with its journal, for the run that wrote the journal or a recovery. `state`: the journal's folder. */
export interface JournalledRun {
  fs: FileOps;
  state: string;
  phase: Phase;
  journal: Journal;
}

/** Renames the journal: its name tells the phase. */
export function enterPhase(run: JournalledRun, phase: Phase): void {
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
export function goForward(run: JournalledRun, changed: (file: string) => void): void {
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
  syncJournalFolders(run);
}

/**
 * Puts every target back into its old state. A target in neither state is left alone; the result has a Fault for each.
 */
export function rollBack(run: JournalledRun): Fault[] {
  const { fs, journal } = run;
  const changed: Fault[] = [];
  const restore = (op: Op): boolean => {
    const now = digestOf(fs, op.target);
    if (now === op.before) return true;
    if (now !== op.after) return false;
    const undo = () => (op.before === null ? fs.unlinkSync(op.target) : fs.renameSync(op.old, op.target));
    // Without old bytes this run can't have removed the file.
    return succeeds(undo, ['ENOENT']);
  };
  for (const op of journal.ops.toReversed()) {
    if (!namingFile(op.path, () => restore(op)))
      changed.push(new Fault('apply.left-alone', {}, { file: op.path }));
  }
  syncJournalFolders(run);
  cleanUpRun(run, journal.made);
  return changed;
}

/** Restores the old state after a failure in any phase. */
export function giveUp(run: JournalledRun): Fault[] {
  try {
    if (run.phase === 'commit') enterPhase(run, 'undo');
    if (run.phase === 'undo') return rollBack(run);
    cleanUpRun(run, run.journal.made);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    // Temporary files that stay behind in `preparing` are harmless; the next `recover` removes them.
    if (run.phase !== 'preparing')
      throw new Fault('apply.unfinished', { code: String(error.args.code) }, error.where);
  }
  return [];
}

export function syncJournalFolders({ fs, journal }: JournalledRun): void {
  const folders = new Set(
    [...journal.made, ...journal.ops.map((op) => op.target)].map((path) => dirname(path)),
  );
  for (const folder of folders) namingFile(folder, () => tolerate(() => syncFolder(fs, folder), MISSING));
}

/** Removes temporary files, `folders` that are empty, and last the journal. */
export function cleanUpRun(run: JournalledRun, folders: readonly string[]): void {
  const { fs, journal, state } = run;
  for (const op of journal.ops) {
    for (const path of [op.fresh, op.old]) namingFile(op.path, () => removeFile(fs, path));
  }
  // No hook needs these any more, so one that can't be removed is no failure.
  for (const path of run.phase === 'done' ? (journal.cleared ?? []) : [])
    tolerate(() => fs.rmSync(path, { recursive: true, force: true }));
  for (const folder of deepestFirst(folders)) tolerate(() => fs.rmdirSync(folder));
  namingFile(journalFile(state, run.phase), () => removeJournal(fs, state, run.phase));
}
