import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { sep } from 'node:path';
import { quietly } from './quietly.ts';

/** A process, as a file names it. */
interface RecordedProcess {
  pid: number;
  /** Start time, see `processState`; missing where the system doesn't show it. */
  started?: string;
}

/** Where the ids of recorded processes count. */
export interface ProcessTable {
  host: string;
  /** Where the system has several process tables (Linux): which one. */
  namespace?: string;
}

/** True when no process has this id any more, or none can have it. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EPERM';
  }
}

/** Returns a process as it is recorded: with its start, by which `isRunning` knows it later, where the system shows that. */
export function recordedProcess(pid: number): RecordedProcess {
  const started = processState(pid)?.started;
  return { pid, ...(started && { started }) };
}

/**
 * True while a recorded process runs: neither a zombie, nor, where the system shows it, a later process with the same
 * id. Only for a process of this process table, see `isElsewhere`.
 */
export function isRunning({ pid, started }: RecordedProcess): boolean {
  if (isGone(pid)) return false;
  const state = processState(pid);
  return state === undefined || (!state.dead && (started === undefined || state.started === started));
}

/** Returns the table of this process, which is recorded beside an id for `isElsewhere`. */
export function ownProcessTable(): ProcessTable {
  const namespace = ownNamespace();
  return { host: hostname(), ...(namespace && { namespace }) };
}

/**
 * True for a process table of which this process sees nothing: `isGone` and `isRunning` would be wrong about its
 * processes. What is missing in a record counts as ours.
 */
export function isElsewhere({ host, namespace }: Partial<ProcessTable>): boolean {
  if (host !== undefined && host !== hostname()) return true;
  return namespace !== undefined && namespace !== ownNamespace();
}

/** On Windows, `/proc` is a folder of the current drive that anyone may have made. */
const hasProc = sep === '/';

/** A sandbox that shares the home folder and the host's name may have a process table of its own. */
const ownNamespace = (): string | undefined =>
  hasProc ? quietly(() => readlinkSync('/proc/self/ns/pid')) : undefined;

/**
 * Linux only: returns whether a process is a zombie, and its start time in ticks since boot, which distinguishes it
 * from a later process with the same id; see proc_pid_stat(5). Undefined when there is no such process, or the system
 * doesn't show it.
 */
function processState(pid: number): { dead: boolean; started: string } | undefined {
  if (!hasProc) return undefined;
  return quietly(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // Field 2, the name in brackets, may contain anything; field 3 follows it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { dead: /^[ZX]$/.test(fields[0] ?? ''), started: `${boot}:${fields[19]}` };
  });
}
