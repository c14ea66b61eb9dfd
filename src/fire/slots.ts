import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { statOf } from './files.ts';
import { hashOf } from './session.ts';

/** Most calls to one server at once, of all fires together. */
const AT_ONCE = 2;
const POLL_MS = 25;

/** Waits for a place; the result gives it back. A state folder that can't be written to limits nothing. */
export async function slot(
  state: string,
  server: string,
  staleMs: number,
  signal: AbortSignal,
): Promise<() => void> {
  const folder = join(state, 'calls');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return () => {};
  }
  for (;;) {
    for (let i = 0; i < AT_ONCE; i++) {
      const file = join(folder, `${hashOf(server)}.${i}`);
      try {
        const age = Date.now() - (statOf(file)?.mtimeMs ?? Date.now());
        // Left behind by a fire that crashed: no call lasts that long.
        if (age > staleMs) rmSync(file, { force: true });
        writeFileSync(file, `${process.pid}`, { flag: 'wx', mode: 0o600 });
        return () => rmSync(file, { force: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return () => {};
      }
    }
    if (signal.aborted) throw new Error('no place among the calls to this server');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
