import { writeFileSync } from 'node:fs';
import { isGone } from '../base/process.ts';
import { quietly } from '../base/quietly.ts';
import { readText } from '../base/read-file.ts';
import { removeQuietly, statOf } from './files.ts';

/** Creates a file that says what this process does, so that no other process does the same. */
export function claimFile(file: string, content = `${process.pid}`): 'claimed' | 'taken' | 'unwritable' {
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
    return 'claimed';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return 'taken';
    // On a full disk an empty file would be left, which is a claim.
    removeQuietly(file);
    return 'unwritable';
  }
}

/**
 * True when a claim no longer counts: its process is gone, or the claim is more than `staleMs` old, or as far in the
 * future, as when the clock was set back. The clock of a shared folder may be some seconds ahead, which counts as now.
 */
export function isAbandoned(file: string, staleMs: number): boolean {
  const found = statOf(file);
  if (!found) return false;
  const age = Date.now() - found.mtimeMs;
  if (Math.abs(age) > staleMs) return true;
  const pid = Number(quietly(() => readText(file)));
  return pid > 0 && isGone(pid);
}
