import { planFolders } from '../apply/files.ts';
import { emptyRecord } from '../apply/record.ts';
import type { FileChange, RecordDocument } from '../apply/types.ts';
import { canonicalJson } from '../declarations/canonical.ts';
import type { PlanInput } from './plan.ts';

/** The changes, and with them the record that goes last, when there is anything to write. */
export function withRecord(
  changes: FileChange[],
  record: RecordDocument,
  input: Pick<PlanInput, 'reading' | 'site' | 'now' | 'made'>,
): { changes: FileChange[]; emptied: string[]; record: RecordDocument } {
  const { folders, emptied } = planFolders(changes, [
    ...new Set([...input.reading.record.folders, ...(input.made ?? [])]),
  ]);
  const after = { ...record, folders };
  if (changes.length === 0 && isSame(after, input.reading.record))
    return { changes, emptied: [], record: after };
  // The last uninstall leaves no record either.
  const { store, paths } = input.site;
  const last = store
    .changes(input.reading, after, new Date(input.now))
    .map((change) =>
      change.path === store.file && isBlank(after, paths.state) ? { ...change, after: null } : change,
    )
    .filter(({ before, after }) => (before && after ? !Buffer.from(after).equals(before) : before !== after));
  const all = [...changes, ...last];
  for (const { path } of all) input.site.check(path);
  return { changes: all, emptied, record: after };
}

/** Keys that stand in the same order, as nearly always, spare the sorting of a whole record. */
function isSame(a: RecordDocument, b: RecordDocument): boolean {
  return JSON.stringify(a) === JSON.stringify(b) || canonicalJson(a) === canonicalJson(b);
}

/** The folder of the record itself, and those above it, go when the record is gone. */
function isBlank(record: RecordDocument, state: string): boolean {
  const folders = record.folders.filter((folder) => !isAround(folder, state));
  return record.servers.length === 0 && isSame({ ...record, folders }, emptyRecord());
}

export function isAround(folder: string, path: string): boolean {
  return `${path}/`.startsWith(`${folder}/`);
}
