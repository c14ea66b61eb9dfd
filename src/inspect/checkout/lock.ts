import { Fault } from '../../messages/fault.ts';
import { versionFault } from '../../plan/lock-version.ts';
import type { ScopeState } from '../scopes.ts';

/**
 * Returns a Fault for a lock file by another version, since this one can't verify its scripts, or for a lock file with
 * values that mcphooks doesn't write.
 */
export function lockFaults({ scope, reading }: Pick<ScopeState, 'scope' | 'reading'>): Fault[] {
  const { bytes, damaged, record, asWritten } = reading;
  if (bytes === null || damaged) return [];
  const { file } = scope.store;
  const other = versionFault(record, record.servers, file, 2);
  if (other) return [other];
  return asWritten ? [] : [new Fault('lock.altered', {}, { file }, 2)];
}
