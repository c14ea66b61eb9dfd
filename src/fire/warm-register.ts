import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { quietly } from './files.ts';
import {
  allKept,
  dropKept,
  endKept,
  isRunning,
  type KeptServer,
  keptFile,
  MOST_KEPT,
  readKept,
} from './warm-place.ts';

/** Writes the keeper's file; false when another keeper of the same server is running. */
export function register(folder: string, kept: KeptServer): boolean {
  const file = keptFile(folder, kept.id);
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, JSON.stringify(kept), { flag: 'wx', mode: 0o600 });
    for (let i = 0; i < 3; i++) {
      try {
        // Fails when the file exists, unlike a rename.
        linkSync(draft, file);
        return true;
      } catch {
        const other = readKept(file);
        if (other && isRunning(other)) return false;
        rmSync(file, { force: true });
      }
    }
    return false;
  } catch {
    return false;
  } finally {
    quietly(() => rmSync(draft, { force: true }));
  }
}

/** Ends the oldest keepers where there are too many, and removes what dead ones left. */
export function giveWay(folder: string, own: KeptServer): void {
  quietly(() => {
    const all = allKept(folder);
    for (const dead of all.filter((one) => !isRunning(one))) {
      dropKept(folder, dead);
      if (dirname(dead.address) === folder) quietly(() => rmSync(dead.address, { force: true }));
    }
    const others = all
      .filter((one) => isRunning(one) && one.secret !== own.secret)
      .sort((a, b) => (a.since < b.since ? -1 : 1));
    for (const old of others.slice(0, Math.max(0, others.length + 1 - MOST_KEPT)))
      endKept(folder, old, 'SIGTERM');
  });
}
