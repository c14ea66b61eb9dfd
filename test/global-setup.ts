import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Before the tests: builds what they start, when the sources have changed, and keeps them from waiting for a disk. They all
 * make files with one umask, since they compare modes, and a folder that a group can write to is refused.
 */
export function setup(): () => void {
  process.umask(0o022);
  const build = join(import.meta.dirname, '../build.mjs');
  execFileSync(process.execPath, [build, '--if-changed'], { stdio: 'inherit' });
  // Node reads these at each start, which takes longer than all else of it; no test speaks TLS.
  delete process.env.NODE_EXTRA_CA_CERTS;
  const folder = process.env.TMPDIR === undefined ? folderInMemory() : undefined;
  if (folder !== undefined) process.env.TMPDIR = folder;
  return () => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  };
}

const MEMORY = '/dev/shm';
/** Bytes that have to be free there. */
const NEEDED = 1e9;

/** Where the system has a place in memory that is large enough and from which programs may be started (Linux). */
function folderInMemory(): string | undefined {
  let folder: string | undefined;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < NEEDED) return undefined;
    // As short as it can be: paths stand in lines whose length is tested.
    folder = mkdtempSync(join(MEMORY, 't-'));
    // Others may pass through, as through /tmp: tests start hooks as another user.
    chmodSync(folder, 0o755);
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    execFileSync(program);
    return folder;
  } catch {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
}
