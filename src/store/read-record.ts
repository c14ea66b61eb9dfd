import { statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { HERE } from '../base/platform.ts';
import { quietly } from '../base/quietly.ts';
import { realPath } from '../base/real-path.ts';
import { Fault } from '../messages/fault.ts';
import { readFileState } from './files.ts';
import type { RecordReading, RecordStore } from './record.ts';
import type { RecordDocument } from './types.ts';

/** The default data folder of a home, and where its record is then. */
const HOME_OF = HERE.windows
  ? { data: /^(.*?\\AppData\\Local\\mcphooks)\\/s, record: (data: string) => `${data}-state\\record.json` }
  : {
      data: /^(.*?\/\.local)\/share\/mcphooks\//s,
      record: (local: string) => `${local}/state/mcphooks/record.json`,
    };

/**
 * Reads the record of a store. Faults: as its `parse`; `project.linked`; `record.copied`; `apply.denied` and other faults
 * of `at`.
 */
export function readStore({ file, unlinkedIn: root, parse }: RecordStore): RecordReading {
  const to = root === undefined ? file : realPath(file);
  if (root !== undefined && to !== join(realPath(root), relative(root, file)))
    throw new Fault('project.linked', { to }, { file }, 2);
  const reading = parse(readFileState(file));
  if (root === undefined) assertNotCopied(reading.record, file);
  return reading;
}

/** Throws a Fault for the record of a copied home: what it lists belongs to the home that it was copied from. */
function assertNotCopied({ servers }: RecordDocument, file: string): void {
  for (const { own } of servers.flatMap(({ clients }) => Object.values(clients))) {
    const [, home] = HOME_OF.data.exec(Object.keys(own)[0] ?? '') ?? [];
    const theirs = home && HOME_OF.record(home);
    if (theirs && theirs !== file && isAnother(theirs, file))
      throw new Fault('record.copied', { from: dirname(theirs) }, { file });
  }
}

/**
 * True when a file is there and isn't `file` by another name: a link, or a folder that is mounted twice. In a home that
 * can't be entered, nothing could be changed either.
 */
function isAnother(path: string, file: string): boolean {
  const [there, here] = [path, file].map((one) => quietly(() => statSync(one, { bigint: true })));
  return there !== undefined && (there.dev !== here?.dev || there.ino !== here.ino);
}
