import { type Files, readOnce } from '../../base/files.ts';
import { filesIn } from '../../plan/scopes/within.ts';
import type { RecordReading } from '../../store/record.ts';
import type { Context } from '../context.ts';
import { disk } from '../disk.ts';
import { openRecord } from '../open-record.ts';
import { recoverInterrupted } from '../write/recover.ts';
import { machineInputs, type ScopeInputs } from './machine-inputs.ts';
import { projectInputs } from './project-inputs.ts';

/** Values that all servers of one command share. */
export interface ScopeSnapshot {
  reading: RecordReading;
  inputs: ScopeInputs;
  files: Files;
}

/**
 * Reads the record and the clients' servers. Finishes an interrupted run first, which may write files. Faults as
 * `recoverInterrupted` and `openRecord`.
 */
export async function openScope(context: Context): Promise<ScopeSnapshot> {
  await recoverInterrupted(context);
  return snapshotOf(openRecord(context), context);
}

/** Builds the snapshot for a record that was read before; writes nothing. */
export function snapshotOf(reading: RecordReading, context: Context): ScopeSnapshot {
  const inputs = context.scope.shared ? projectInputs(context) : machineInputs(context, reading);
  return { reading, inputs, files: filesIn(context.scope, disk) };
}

/** Returns a snapshot for several servers. They share files, so it reads each file once. */
export const forSeveral = (snapshot: ScopeSnapshot): ScopeSnapshot => ({
  ...snapshot,
  files: readOnce(snapshot.files),
});
