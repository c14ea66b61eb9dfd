import { VERSION } from '../../base/version.ts';
import { Fault } from '../../messages/fault.ts';
import type { ScopeState } from '../scopes.ts';

/**
 * Returns a Fault for a lock file by another version, since only that version can verify its scripts, or for a lock
 * file with values that mcphooks doesn't write.
 */
export function lockFaults({ scope, reading }: Pick<ScopeState, 'scope' | 'reading'>): Fault[] {
  const { bytes, damaged, version, asWritten } = reading;
  if (bytes === null || damaged) return [];
  const where = { file: scope.store.file };
  if (version !== VERSION)
    return [new Fault('lock.other-version', { version: version ?? '', ours: VERSION }, where, 2)];
  return asWritten ? [] : [new Fault('lock.altered', {}, where, 2)];
}
