import { join } from 'node:path';
import { namesIn } from '../base/files.ts';
import { Fault } from '../messages/fault.ts';
import { faultText } from '../messages/faults.ts';
import { waitingText } from '../messages/notes.ts';
import { journalDraft, journalFile, PHASES } from '../store/journal.ts';
import { lockFile, withLock } from '../store/process-lock.ts';
import { readStore } from '../store/read-record.ts';
import type { RecordReading } from '../store/record.ts';
import { recover } from '../store/transaction.ts';
import type { Context } from './context.ts';
import { disk } from './disk.ts';
import { findForeign } from './foreign-journal.ts';
import { assertLockFolder } from './own-folders.ts';

/**
 * Finishes an interrupted run before anything is read, and waits for a running one. Without either, nothing is locked
 * or written. In a dry run, prints once on stderr that a run was interrupted.
 * @throws Fault as `recover` and `withLock`
 */
export async function recoverInterrupted(context: Context): Promise<void> {
  const folder = context.scope.lockFolder;
  const journals = PHASES.map((phase) => journalFile('', phase));
  const leftovers = [...journals, journalDraft(''), lockFile('')];
  const found = namesIn(folder, disk);
  if (context.dryRun) {
    const journal = journals.find((name) => found.includes(name));
    if (journal !== undefined)
      reportOnce(new Fault('apply.interrupted', {}, { file: join(folder, journal) }), context);
    return;
  }
  if (!leftovers.some((name) => found.includes(name))) return;
  assertLockFolder(context.scope);
  await withLock(folder, () => recoverAloud(context), { onWait: waitAloud(context) });
}

/** Calls `recover` under the caller's lock and prints its reports on stderr. */
export function recoverAloud(context: Context): void {
  const { scope } = context;
  for (const report of recover(scope.lockFolder, undefined, findForeign(context)))
    context.err(faultText(report));
}

/** Returns what prints on stderr that a command waits for another process' lock. */
export function waitAloud(context: Context): (file: string, holder: { pid: number } | undefined) => void {
  return (file, holder) => context.err(waitingText(file, holder?.pid));
}

const reported = new WeakMap<Context, Set<string>>();

/** Prints a fault on stderr, at its first time in a command. */
function reportOnce(fault: Fault, context: Context): void {
  const known = reported.get(context) ?? new Set();
  if (!known.has(fault.code)) context.err(faultText(fault));
  reported.set(context, known.add(fault.code));
}

/** Reads the record; prints once on stderr when the record can't be used. Faults as `readStore`. */
export function openRecord(context: Context): RecordReading {
  const reading = readStore(context.scope.store);
  if (reading.damaged) reportOnce(reading.damaged, context);
  return reading;
}
