import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** True where a test can mount a small disk, to fill it. */
export const canMount = ((): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'mcphooks-mount-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]);
  if (status === 0) execFileSync('umount', [folder]);
  rmSync(folder, { recursive: true });
  if (status !== 0) console.warn('SKIPPED: what happens on a full disk, as nothing can be mounted here');
  return status === 0;
})();
