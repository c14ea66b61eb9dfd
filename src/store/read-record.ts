import { join, relative } from 'node:path';
import { realPath } from '../base/real-path.ts';
import { Fault } from '../messages/fault.ts';
import { readFileState } from './files.ts';
import type { RecordReading, RecordStore } from './record.ts';

/** Reads the record of a store. Faults: as its `parse`; `project.linked`; `apply.denied` and other faults of `at`. */
export function readStore({ file, unlinkedIn: root, parse }: RecordStore): RecordReading {
  const to = root === undefined ? file : realPath(file);
  if (root !== undefined && to !== join(realPath(root), relative(root, file)))
    throw new Fault('project.linked', { to }, { file }, 2);
  return parse(readFileState(file));
}
