import { VERSION } from '../../base/version.ts';
import { Fault } from '../../messages/fault.ts';
import type { ScopeState } from '../scopes.ts';

/** A lock file of another version, whose scripts only that version can tell from others; or one with more in it than is written. */
export function lockFaults({ scope, reading }: Pick<ScopeState, 'scope' | 'reading'>): Fault[] {
  const { bytes, damaged, version, asWritten } = reading;
  if (bytes === null || damaged) return [];
  const where = { file: scope.store.file };
  if (version !== VERSION)
    return [new Fault('lock.other-version', { version: version ?? '', ours: VERSION }, where, 2)];
  return asWritten ? [] : [new Fault('lock.altered', {}, where, 2)];
}
