import type { Fault } from '../messages/fault.ts';
import { faultText } from '../messages/faults.ts';
import { keyIn } from '../plan/scopes/scope.ts';
import { readStore } from '../store/read-record.ts';
import { findServer, type RecordReading } from '../store/record.ts';
import type { ServerRecord } from '../store/types.ts';
import type { Context } from './context.ts';

/** Prints a fault on stderr, at its first time in a command. */
export function reportOnce(fault: Fault, { err, reported }: Context): void {
  const text = faultText(fault);
  if (!reported.has(text)) err(text);
  reported.add(text);
}

/** Calls `readStore`; prints once on stderr when the record can't be used. Faults as `readStore`. */
export function openRecord(context: Context, known?: RecordReading): RecordReading {
  const reading = readStore(context.scope.store, known);
  if (reading.damaged) reportOnce(reading.damaged, context);
  return reading;
}

/** Returns a server's record at the command's scope. Prints and faults as `openRecord`. */
export const recordedServer = (slug: string, context: Context): ServerRecord | undefined =>
  findServer(openRecord(context).record, keyIn(context.scope, slug));
