import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWhole } from '../../base/create-whole.ts';
import { isRunning } from '../../base/process.ts';
import { quietly } from '../../base/quietly.ts';
import { readText } from '../../base/read-file.ts';
import { statOf } from '../files.ts';
import {
  dropAddress,
  hintFile,
  type KeeperFile,
  keeperFilePath,
  keeperFiles,
  MOST_KEPT,
  readKeeperFile,
  removeKeeperFile,
} from './keeper-file.ts';

/** Most hints of one kept server: a variable that differs in each fire makes one a fire. */
const MOST_HINTS = 16;

/** Names of hints, which fires send: nothing else becomes a path. */
const HINT = /^[0-9a-f]{16}$/;

/** Writes the keeper's file; false when another keeper of the same server is running. */
export function register(folder: string, kept: KeeperFile): boolean {
  const file = keeperFilePath(folder, kept.id);
  for (let i = 0; i < 3; i++) {
    try {
      createWhole(file, JSON.stringify(kept));
      return true;
    } catch {
      const other = readKeeperFile(folder, kept.id);
      if (other && isRunning(other)) return false;
      quietly(() => rmSync(file, { force: true }));
    }
  }
  return false;
}

/** Leaves a hint (`hintOf`) that leads fires to a kept server, and removes the oldest of too many. */
export function leaveHint(folder: string, hints: Set<string>, hint: string, id: string): void {
  if (hints.has(hint) || !HINT.test(hint)) return;
  quietly(() => writeFileSync(hintFile(folder, hint), id, { mode: 0o600 }));
  hints.add(hint);
  const oldest = [...hints].slice(0, -MOST_HINTS);
  dropHints(folder, oldest, id);
  for (const one of oldest) hints.delete(one);
}

/** Removes hints, unless they lead to another kept server by now. */
export function dropHints(folder: string, hints: Iterable<string>, id: string): void {
  for (const hint of hints)
    quietly(() => {
      const file = hintFile(folder, hint);
      if (HINT.test(hint) && readText(file) === id) rmSync(file);
    });
}

/**
 * Removes the files of the keepers unused longest where there are too many, and what dead ones left. Without its file a
 * keeper takes no more calls, and ends once those under way are answered: a signal would end it at once.
 */
export function giveWay(folder: string, keeper: KeeperFile): void {
  quietly(() => {
    const all = keeperFiles(folder);
    for (const dead of all.filter((one) => !isRunning(one))) {
      removeKeeperFile(folder, dead);
      dropAddress(folder, dead);
    }
    for (const name of readdirSync(folder).filter((one) => /^\w+\.hint$/.test(one))) {
      const file = join(folder, name);
      quietly(() => readKeeperFile(folder, readText(file)) ?? rmSync(file));
    }
    const others = all
      .filter((one) => isRunning(one) && one.secret !== keeper.secret)
      .map((one) => ({ one, usedAt: statOf(keeperFilePath(folder, one.id))?.mtimeMs ?? 0 }))
      .sort((a, b) => a.usedAt - b.usedAt);
    for (const { one } of others.slice(0, Math.max(0, others.length + 1 - MOST_KEPT)))
      removeKeeperFile(folder, one);
  });
}
