import { readFileSync } from 'node:fs';

/** True when no process has this id any more, or none can have it. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EPERM';
  }
}

/**
 * Linux only: returns whether a process is a zombie, and its start time in ticks since boot, which distinguishes it
 * from a later process with the same id; see proc_pid_stat(5). Undefined when there is no such process, or the system
 * doesn't show it.
 */
export function processState(pid: number): { dead: boolean; started: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // Field 2, the name in brackets, may contain anything; field 3 follows it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { dead: /^[ZX]$/.test(fields[0] ?? ''), started: `${boot}:${fields[19]}` };
  } catch {
    return undefined;
  }
}
