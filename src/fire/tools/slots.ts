import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../base/make-folder.ts';
import { isGone } from '../../base/process.ts';
import { readText } from '../../base/read-file.ts';
import { removeQuietly, statOf } from '../files.ts';
import type { GivenUp } from '../mcp/rpc.ts';
import { hashOf } from '../own-folders.ts';

/** Most calls to one server at a time, from all fires together. */
const AT_ONCE = 2;
const POLL_MS = 25;

/**
 * Waits for a free slot, and returns the function that frees the slot again. When the state folder can't be written,
 * calls are unlimited.
 */
export async function slot(
  state: string,
  server: string,
  staleMs: number,
  signal: Pick<GivenUp, 'aborted'>,
): Promise<() => void> {
  const folder = join(state, 'calls');
  try {
    makeFolder(folder);
  } catch {
    return () => {};
  }
  for (;;) {
    for (let i = 0; i < AT_ONCE; i++) {
      const file = join(folder, `${hashOf(server)}.${i}`);
      try {
        writeFileSync(file, `${process.pid}`, { flag: 'wx', mode: 0o600 });
        return () => removeQuietly(file);
      } catch (error) {
        const isTaken = (error as NodeJS.ErrnoException).code === 'EEXIST';
        // On a full disk an empty file would be left, which is a taken slot.
        if (!isTaken || isLeft(file, staleMs)) removeQuietly(file);
        if (!isTaken) return () => {};
      }
    }
    if (signal.aborted) throw new Error('no place among the calls to this server');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/**
 * True when a crashed fire left the slot: its process is gone, or the slot is older than any call can be, or from as
 * far in the future, as when the clock was set back. The clock of a shared folder may be some seconds ahead.
 */
export function isLeft(file: string, staleMs: number): boolean {
  const found = statOf(file);
  if (!found) return false;
  const age = Date.now() - found.mtimeMs;
  if (Math.abs(age) > staleMs) return true;
  try {
    const pid = Number(readText(file));
    return pid > 0 && isGone(pid);
  } catch {
    return false;
  }
}
