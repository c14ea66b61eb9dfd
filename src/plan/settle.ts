import { existsSync } from 'node:fs';
import { journalDraft, journalFile, PHASES } from '../apply/journal.ts';
import { lockFile, withLock } from '../apply/lock.ts';
import type { RecordReading } from '../apply/record.ts';
import { recover } from '../apply/transaction.ts';
import type { Context } from '../context.ts';
import { faultText, waitingText } from '../messages.ts';
import type { Site } from './site.ts';

/**
 * Ends what an interrupted run left half done, before anything is read, and waits for one that is at work. Nothing is
 * locked or written where there is no such run.
 * @throws Fault as `recover` and `withLock`
 */
export async function settle(context: Context): Promise<void> {
  const { state } = context.site.paths;
  const left = [...PHASES.map((phase) => journalFile(state, phase)), journalDraft(state), lockFile(state)];
  if (!left.some((file) => existsSync(file))) return;
  context.site.check(state);
  await withLock(state, () => recoverAloud(context), { onWait: waitAloud(context) });
}

/** `recover`, under the lock, with its reports on stderr. */
export function recoverAloud(context: Context): void {
  const { site } = context;
  for (const report of recover(site.paths.state, undefined, checkOf(site))) context.err(faultText(report));
}

/** A machine's own journal is trusted; one in a project came with it. */
export const checkOf = (site: Site): Site['check'] | undefined => (site.shared ? site.check : undefined);

export function waitAloud(context: Context): (file: string, holder: { pid: number } | undefined) => void {
  return (file, holder) => context.err(waitingText(file, holder?.pid));
}

const told = new WeakSet<Context>();

/** The record, and a word on stderr, once, when it can't be used. Faults as `readRecord`. */
export function openRecord(context: Context): RecordReading {
  const reading = context.site.store.read();
  if (reading.damaged && !told.has(context)) {
    told.add(context);
    context.err(faultText(reading.damaged));
  }
  return reading;
}
