import { join } from 'node:path';
import { makeFolder } from '../../base/make-folder.ts';
import { quietly } from '../../base/quietly.ts';
import { claimFile, isAbandoned } from '../claim-file.ts';
import { removeQuietly } from '../files.ts';
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
  quietly(() => makeFolder(folder));
  for (;;) {
    for (let i = 0; i < AT_ONCE; i++) {
      const file = join(folder, `${hashOf(server)}.${i}`);
      const claimed = claimFile(file);
      if (claimed === 'claimed') return () => removeQuietly(file);
      if (claimed === 'unwritable') return () => {};
      if (isAbandoned(file, staleMs)) removeQuietly(file);
    }
    if (signal.aborted) throw new Error('no place among the calls to this server');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
