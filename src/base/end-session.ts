import { spawnSync } from 'node:child_process';
import { HERE } from './platform.ts';
import { windowsProgram } from './program.ts';
import { quietly } from './quietly.ts';

/** Milliseconds that taskkill may take. */
const WAIT_MS = 5_000;

/** Ends a program that was started with `HERE.session`, and all that it started. */
export function endSession(pid: number): void {
  if (HERE.windows) {
    const words = ['/PID', String(pid), '/T', '/F'];
    spawnSync(windowsProgram('taskkill'), words, {
      stdio: 'ignore',
      windowsHide: true,
      timeout: WAIT_MS,
    });
    return;
  }
  quietly(() => process.kill(-pid, 'SIGKILL'));
}
