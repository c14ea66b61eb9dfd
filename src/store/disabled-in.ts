import type { RecordDocument } from './types.ts';

/** Returns the roots of the projects in which a server was disabled. */
export const disabledIn = ({ disabledIn: all = {} }: RecordDocument, slug: string): readonly string[] =>
  (Object.hasOwn(all, slug) && all[slug]) || [];

/** Returns the record with projects added in which a server was disabled. */
export const withDisabledIn = (
  record: RecordDocument,
  slug: string,
  roots: readonly string[],
): RecordDocument => withRoots(record, slug, [...new Set([...disabledIn(record, slug), ...roots])]);

/** Returns the record without a project in which a server was disabled; `root` undefined: without all of them. */
export const withoutDisabledIn = (record: RecordDocument, slug: string, root?: string): RecordDocument =>
  withRoots(
    record,
    slug,
    disabledIn(record, slug).filter((one) => root !== undefined && one !== root),
  );

function withRoots(record: RecordDocument, slug: string, roots: string[]): RecordDocument {
  if (roots.length === disabledIn(record, slug).length) return record;
  const { disabledIn: all = {}, ...rest } = record;
  const { [slug]: _, ...others } = all;
  const next = roots.length > 0 ? { ...others, [slug]: roots } : others;
  const left = rest as unknown as RecordDocument;
  return Object.keys(next).length > 0 ? { ...left, disabledIn: next } : left;
}
