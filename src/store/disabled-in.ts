import type { RecordDocument } from './types.ts';

/** Returns the roots of the projects in which a server was disabled. */
export const disabledIn = ({ disabledIn: all = {} }: RecordDocument, slug: string): readonly string[] =>
  (Object.hasOwn(all, slug) && all[slug]) || [];

/** Returns the record with projects added in which a server was disabled. */
export const withDisabledIn = (
  record: RecordDocument,
  slug: string,
  roots: readonly string[],
): RecordDocument => disabledOnlyIn(record, slug, [...new Set([...disabledIn(record, slug), ...roots])]);

/** Returns the record with exactly these projects in which a server was disabled. */
export function disabledOnlyIn(
  record: RecordDocument,
  slug: string,
  roots: readonly string[],
): RecordDocument {
  const before = disabledIn(record, slug);
  if (roots.length === before.length && roots.every((root) => before.includes(root))) return record;
  const { disabledIn: all = {}, ...rest } = record;
  const { [slug]: _, ...others } = all;
  const next = roots.length > 0 ? { ...others, [slug]: [...roots] } : others;
  const left = rest as unknown as RecordDocument;
  return Object.keys(next).length > 0 ? { ...left, disabledIn: next } : left;
}
