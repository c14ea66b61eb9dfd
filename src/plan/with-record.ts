import { dirname, join, relative } from 'node:path';
import { namesIn } from '../base/files.ts';
import { entryPath, foldersAbove, slashed } from '../base/paths.ts';
import { canonicalJson } from '../declarations/canonical-json.ts';
import { planFolders } from '../store/folders.ts';
import { emptyRecord } from '../store/record.ts';
import type { FileChange, RecordDocument } from '../store/types.ts';
import type { PlanInput } from './input.ts';
import { ownership, ownsFolder } from './scopes/owned.ts';

/**
 * Returns the changes followed by the change of the record, when there is anything to write. `before`: changes applied
 * earlier, which may also leave folders empty. `renew`: a lock file with values that mcphooks doesn't write is written
 * again, too.
 */
export function withRecord(
  changes: FileChange[],
  record: RecordDocument,
  input: Pick<PlanInput, 'reading' | 'scope' | 'now' | 'made' | 'files'>,
  { before = [], renew = false }: { before?: readonly FileChange[]; renew?: boolean } = {},
): { changes: FileChange[]; emptied: string[]; record: RecordDocument } {
  const { scope, files } = input;
  const { real } = files;
  const { record: known } = input.reading;
  const renewed = renew && input.reading.asWritten === false;
  const isIdle = changes.length === 0 && !renewed;
  // A folder that somebody removed is forgotten with the next change.
  const asKnown = { ...record, folders: known.folders };
  if (isIdle && before.length === 0 && !recordsNothing(record) && isSameRecord(asKnown, known))
    return { changes, emptied: [], record: asKnown };
  const going = scope.shared ? [...before, ...changes].filter(({ after }) => after === null) : [];
  // A lock file may have lost the file that a folder was made for, and git keeps no empty folders.
  const around = going.flatMap(({ path }) =>
    foldersAbove(slashed(relative(scope.root ?? '', path))).map((folder) => join(scope.root ?? '', folder)),
  );
  const remembered = [...new Set([...known.folders, ...(input.made ?? []), ...around])];
  const owned = scope.shared ? remembered : remembered.filter((f) => ownsFolder(f, scope, real));
  const { folders, emptied } = planFolders([...before, ...changes], owned, files);
  // Folders of other scopes stay remembered.
  const others = remembered.filter((folder) => !owned.includes(folder) && files.list(folder) !== 'gone');
  const after = { ...record, folders: [...folders, ...others] };
  if (isIdle && isSameRecord(after, known)) return { changes, emptied: [], record: after };
  // An empty record stays while the folders that it lists hold scripts, or the file that disables a project's server:
  // whoever removes these removes the folders, too.
  const later = new Map(changes.map((change) => [change.path, change.after]));
  const holdsOwn = (folder: string): boolean =>
    folder !== scope.paths.state &&
    [...namesIn(folder, files).map((name) => entryPath(folder, name)), ...later.keys()].some(
      (path) =>
        dirname(path) === folder && later.get(path) !== null && ownership(path, scope, real) === 'own',
    );
  // The last uninstall removes the record, too.
  const { store } = scope;
  const last = store
    .changes(input.reading, after, new Date(input.now))
    .map((change) =>
      change.path === store.file && recordsNothing(after) && !after.folders.some(holdsOwn)
        ? { ...change, after: null }
        : change,
    )
    .filter(({ before, after }) => (before && after ? !Buffer.from(after).equals(before) : before !== after));
  const all = [...changes, ...last];
  for (const { path } of all) scope.check(path, real);
  return { changes: all, emptied, record: after };
}

/** Compares server by server: a plan leaves nearly all of them as they are. */
function isSameRecord(
  { servers, ...rest }: RecordDocument,
  { servers: others, ...otherRest }: RecordDocument,
): boolean {
  return (
    servers.length === others.length &&
    servers.every((server, i) => isSame(server, others[i])) &&
    isSame(rest, otherRest)
  );
}

/** Compares the JSON texts first: keys are nearly always in equal order, which saves sorting them. */
const isSame = (a: unknown, b: unknown): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b) || canonicalJson(a) === canonicalJson(b);

/**
 * True when the record is empty, not counting folders, since those that stay hold what is others', nor approvals by an
 * earlier version, which nothing reads.
 */
const recordsNothing = ({ mcphooks: _, ...record }: RecordDocument): boolean =>
  record.servers.length === 0 && isSameRecord({ ...record, starts: {}, folders: [] }, emptyRecord());
