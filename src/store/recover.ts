import { basename, dirname } from 'node:path';
import { Fault, unlessFault } from '../messages/fault.ts';
import { targetFinder } from './files.ts';
import { type FileOps, realFs } from './fs.ts';
import { type Journal, journalFile, type Op, type Phase, readJournal, removeDraft } from './journal.ts';
import { cleanUpRun, enterPhase, giveUp, goForward, type JournalledRun, rollBack } from './journalled-run.ts';

/** Returns a path in a journal that no change of mcphooks has in this phase; undefined: there is none. */
export type FindForeign = (journal: Journal, phase: Phase) => string | undefined;

/**
 * Finishes an interrupted run: forward when the run had begun to replace files, else back. A file that somebody has
 * changed since is left alone and reported (`apply.left-alone`). The caller holds the lock and plans afterwards. A
 * journal that no run can have written, or in which `findForeign` finds a path, is refused. Faults: `apply.unfinished`
 * (neither direction works yet), `apply.journal-newer`, `apply.journal-damaged`, `apply.journal-foreign`.
 */
export function recover(state: string, fs: FileOps = realFs, findForeign?: FindForeign): Fault[] {
  const left = readJournal(fs, state);
  if (!left) {
    removeDraft(fs, state);
    return [];
  }
  const run: JournalledRun = { fs, state, ...left };
  refuseForeign(run, findForeign);
  const reports: Fault[] = [];
  if (run.phase === 'commit') {
    try {
      goForward(run, (file) => reports.push(new Fault('apply.left-alone', {}, { file })));
      enterPhase(run, 'done');
    } catch (error) {
      const undone = giveUp(run);
      if (!(error instanceof Fault)) throw error;
      return [new Fault('apply.taken-back', { code: String(error.args.code) }, error.where), ...undone];
    }
  }
  if (run.phase === 'undo') return rollBack(run);
  cleanUpRun(run, run.phase === 'preparing' ? run.journal.made : run.journal.emptied);
  return reports;
}

/** Throws `apply.journal-foreign` for a journal that no run of mcphooks would have planned. */
function refuseForeign(
  { fs, state, phase, journal }: JournalledRun,
  findForeign: FindForeign | undefined,
): void {
  const path = journal.ops.find((op) => !isPlanned(op, fs))?.path ?? findForeign?.(journal, phase);
  if (path !== undefined)
    throw new Fault('apply.journal-foreign', { path }, { file: journalFile(state, phase) });
}

/** True when the path still leads to the target, and both temporary files are beside the target. */
function isPlanned({ path, target, fresh, old }: Op, fs: FileOps): boolean {
  const beside = (name: string, end: string): boolean =>
    dirname(name) === dirname(target) && OURS.test(basename(name)) && name.endsWith(end);
  if (!beside(fresh, '.new') || !beside(old, '.old')) return false;
  return unlessFault(() => targetFinder(fs)(path).real === target, false);
}

const OURS = /^\.mcphooks-[0-9a-f]{12}-\d+\.(new|old)$/;
