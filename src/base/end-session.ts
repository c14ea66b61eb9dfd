import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { HERE } from './platform.ts';

/** Milliseconds that taskkill may take. */
const WAIT_MS = 5_000;

/** Ends a program that was started with `HERE.session`, and all that it started. */
export function endSession(pid: number): void {
  if (HERE.windows) {
    const folder = process.env.SystemRoot ?? 'C:\\Windows';
    const words = ['/PID', String(pid), '/T', '/F'];
    spawnSync(join(folder, 'System32', 'taskkill.exe'), words, {
      stdio: 'ignore',
      windowsHide: true,
      timeout: WAIT_MS,
    });
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {}
}
