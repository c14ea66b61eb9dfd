import { join, relative } from 'node:path';
import { realPath } from '../base/real-path.ts';
import { Fault } from '../messages/fault.ts';
import { readFileState } from './files.ts';
import type { RecordReading, RecordStore } from './record.ts';

/** What a store remembers. Faults: as its `parse`; `project.linked`; `apply.denied` and the like. */
export function readStore({ file, unlinkedIn: root, parse }: RecordStore): RecordReading {
  const to = root === undefined ? file : realPath(file);
  if (root !== undefined && to !== join(realPath(root), relative(root, file)))
    throw new Fault('project.linked', { to }, { file }, 2);
  return parse(readFileState(file));
}
