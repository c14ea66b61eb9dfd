import { isAround } from '../base/paths.ts';
import { slugFor } from '../base/slug.ts';
import type { Approvals, RecordDocument } from './types.ts';

/** Returns the record with approvals added; an earlier approval keeps its date. */
export function withApprovals(record: RecordDocument, added: Approvals): RecordDocument {
  const before = record.approvals ?? {};
  const fresh = Object.entries(added).filter(([path, all]) =>
    Object.keys(all).some((hash) => !Object.hasOwn(before[path] ?? {}, hash)),
  );
  if (fresh.length === 0) return record;
  const both = fresh.map(([path, all]) => [path, { ...all, ...before[path] }]);
  return { ...record, approvals: { ...before, ...Object.fromEntries(both) } };
}

/**
 * Returns the record without a server's approvals, in one repository or (undefined) in all, but not in those of
 * `except`.
 */
export function withoutApprovals(
  record: RecordDocument,
  slug: string,
  repository: string | undefined,
  except: readonly string[],
): RecordDocument {
  const { approvals = {}, ...rest } = record;
  const isOf = (path: string, server: string): boolean =>
    (repository === undefined || isAround(repository, path)) &&
    !except.some((other) => isAround(other, path)) &&
    slugFor(server) === slug;
  const left = Object.entries(approvals).flatMap(([path, all]) => {
    const kept = Object.entries(all).filter(([, { server }]) => !isOf(path, server));
    return kept.length > 0 ? [[path, Object.fromEntries(kept)] as const] : [];
  });
  const gone = Object.entries(approvals).some(([path, all]) =>
    Object.values(all).some(({ server }) => isOf(path, server)),
  );
  if (!gone) return record;
  return left.length > 0
    ? { ...record, approvals: Object.fromEntries(left) }
    : (rest as unknown as RecordDocument);
}
