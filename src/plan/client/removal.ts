import type { Files } from '../../base/files.ts';
import type { FileChange } from '../../store/types.ts';

/** Returns the change that removes a file; none where there is no such file. */
export function removal(path: string, { read }: Pick<Files, 'read'>): FileChange[] {
  const before = read(path);
  return before === null ? [] : [{ path, before, after: null, mode: 0o600 }];
}
