import { dirname, join } from 'node:path';
import { hasNoLinks, slashed } from '../base/paths.ts';
import { realPath } from '../base/real-path.ts';
import { Fault } from '../messages/fault.ts';
import { readFileState } from './files.ts';
import type { RecordReading, RecordStore } from './record.ts';
import { inodeOf, respelled, withMovedFolders } from './respelled.ts';
import type { RecordDocument } from './types.ts';

/** Where a home has its own files and its record by default, as `ownPaths`. */
const LAYOUTS = [
  { own: '/.local/share/mcphooks/', record: '/.local/state/mcphooks/record.json' },
  { own: '/AppData/Local/mcphooks/', record: '/AppData/Local/mcphooks-state/record.json' },
];

/**
 * Reads the record of a store; returns `known`, an earlier reading of it, while the file holds the same bytes. Faults: as
 * its `parse`; `project.linked`; `record.copied`; `apply.denied` and other faults of `at`.
 */
export function readStore(
  { file, unlinkedIn: root, today, parse }: RecordStore,
  known?: RecordReading,
): RecordReading {
  if (root !== undefined && !hasNoLinks(root, file, realPath))
    throw new Fault('project.linked', { to: realPath(file) }, { file }, 2);
  const bytes = readFileState(file);
  if (known?.bytes && bytes && Buffer.compare(known.bytes, bytes) === 0) return known;
  const reading = parse(bytes);
  const record = today ? withMovedFolders(respelled(reading.record, today), dirname(file)) : reading.record;
  assertNotCopied(record, file);
  return record === reading.record ? reading : { ...reading, record };
}

/**
 * Throws a Fault for the record of a copied home: what it lists belongs to the home that it was copied from. A record
 * elsewhere, as XDG_STATE_HOME says, may list files of any home.
 */
function assertNotCopied({ servers }: RecordDocument, file: string): void {
  const layout = LAYOUTS.find(({ record }) => slashed(file).endsWith(record));
  if (!layout) return;
  const firstOwn = servers.flatMap(({ clients }) =>
    Object.values(clients).flatMap(({ own }) => Object.keys(own).slice(0, 1)),
  );
  const records = firstOwn.flatMap((path) => {
    const [home = '', inOwn] = slashed(path).split(layout.own);
    return inOwn === undefined ? [] : [join(home, layout.record)];
  });
  for (const theirs of new Set(records))
    if (isAnother(theirs, file)) throw new Fault('record.copied', { from: dirname(theirs) }, { file });
}

/**
 * True when a file is there and isn't `file` by another name: a link, or a folder that is mounted twice. In a home that
 * can't be entered, nothing could be changed either.
 */
function isAnother(path: string, file: string): boolean {
  const there = inodeOf(path);
  return there !== undefined && there !== inodeOf(file);
}
