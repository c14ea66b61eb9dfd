import { linkSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readText } from '../base/read-file.ts';
import { quietly } from './files.ts';
import {
  allKept,
  dropKept,
  endKept,
  hintFile,
  isRunning,
  type KeptServer,
  keptFile,
  MOST_KEPT,
  readKept,
} from './warm-place.ts';

/** Names of hints, which fires send: nothing else becomes a path. */
const HINT = /^[0-9a-f]{16}$/;

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

/** Leaves a hint (`hintOf`) that leads fires to a kept server. */
export function leaveHint(folder: string, hint: string, id: string): void {
  if (HINT.test(hint)) quietly(() => writeFileSync(hintFile(folder, hint), id, { mode: 0o600 }));
}

/** Removes hints, unless they lead to another kept server by now. */
export function dropHints(folder: string, hints: Iterable<string>, id: string): void {
  for (const hint of hints)
    quietly(() => {
      const file = hintFile(folder, hint);
      if (HINT.test(hint) && readText(file) === id) rmSync(file);
    });
}

/** Ends the oldest keepers where there are too many, and removes what dead ones left. */
export function giveWay(folder: string, own: KeptServer): void {
  quietly(() => {
    const all = allKept(folder);
    for (const dead of all.filter((one) => !isRunning(one))) {
      dropKept(folder, dead);
      if (dirname(dead.address) === folder) quietly(() => rmSync(dead.address, { force: true }));
    }
    for (const name of readdirSync(folder)) {
      const [, hint] = /^(\w+)\.hint$/.exec(name) ?? [];
      quietly(
        () =>
          hint &&
          readKept(keptFile(folder, readText(hintFile(folder, hint)))) === undefined &&
          rmSync(hintFile(folder, hint)),
      );
    }
    const others = all
      .filter((one) => isRunning(one) && one.secret !== own.secret)
      .sort((a, b) => (a.since < b.since ? -1 : 1));
    for (const old of others.slice(0, Math.max(0, others.length + 1 - MOST_KEPT)))
      endKept(folder, old, 'SIGTERM');
  });
}
