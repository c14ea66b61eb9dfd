import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { endSession } from '../../base/end-session.ts';
import { absolutePath } from '../../base/paths.ts';
import { HERE } from '../../base/platform.ts';
import { isGone } from '../../base/process.ts';

interface Process {
  pid: number;
  parent: number;
  /** Session id, or process group id where the system doesn't show sessions. */
  session: number;
  /** Start time, which with the pid distinguishes a process from a later one with the same pid. */
  started: string;
  marked: boolean;
}

const LINUX = process.platform === 'linux';

/**
 * Returns all running processes that may belong to a server, on Linux. `mark`: searched for in environments. `since`:
 * start time of the server; older processes are left out, and so are `others`.
 */
function fromProc(mark: string, since: string, others: ReadonlySet<string>): Process[] {
  return pids().flatMap((pid) => {
    const found = others.has(pid) ? undefined : procStat(pid);
    if (!found || Number(found.started) < Number(since)) return [];
    return [{ pid: Number(pid), ...found, marked: contents(`/proc/${pid}/environ`).includes(mark) }];
  });
}

const pids = (): string[] => readdirSync('/proc').filter((name) => /^\d+$/.test(name));

/**
 * Returns the pids of all processes that run now. Call it before a server starts: none of these is the server's, so
 * their files, some hundred, needn't be read. The system uses a pid again only after all others.
 */
export const processesNow = (): ReadonlySet<string> => new Set(LINUX ? pids() : []);

/** Returns a process's parent, session and start time; undefined when the process is gone. */
function procStat(pid: string | number): Pick<Process, 'parent' | 'session' | 'started'> | undefined {
  const stat = contents(`/proc/${pid}/stat`);
  // The second field, the name in brackets, may contain spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, session, started] = [fields[0], fields[1], fields[3], fields[19]];
  if (parent === undefined || started === undefined || state === 'Z') return undefined;
  return { parent: Number(parent), session: Number(session), started };
}

/** Returns all running processes of another system, which doesn't show their environments. */
function fromPs(): Process[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='], {
    encoding: 'utf8',
    env: absolutePath(process.env) as NodeJS.ProcessEnv,
  });
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [, pid, parent, group, state, started] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (started === undefined || state?.startsWith('Z')) return [];
    return [{ pid: Number(pid), parent: Number(parent), session: Number(group), started, marked: false }];
  });
}

/** Buffer for all reads: `readFileSync` would take a new one of this size for each file of unknown length. */
const CHUNK = Buffer.allocUnsafeSlow(2 ** 16);

function contents(file: string): string {
  let fd: number | undefined;
  try {
    fd = openSync(file, 'r');
    let text = '';
    for (let read = -1; read !== 0; text += CHUNK.toString('latin1', 0, read)) read = readSync(fd, CHUNK);
    return text;
  } catch {
    return '';
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** A server's process and all its descendants, including those that outlived their parent. */
export interface ProcessTree {
  /** Ends all processes: waits `own` ms for them to end by themselves, sends SIGTERM, and after `kill` ms SIGKILL. */
  end: (own: number, kill: number) => Promise<void>;
}

/** Milliseconds for the system to remove processes after SIGKILL. */
const REAPED = 500;

/**
 * Tracks the process tree of `root`, the leader of a session. `mark`: a text that only the tree's environments contain.
 * `others`: the processes that ran before it was started.
 */
export function trackProcessTree(root: number, mark: string, others: ReadonlySet<string>): ProcessTree {
  return HERE.windows ? trackOnWindows(root) : trackByListing(root, mark, others);
}

/** Tracks a process by its id alone; Windows knows what it started. */
function trackOnWindows(root: number): ProcessTree {
  const gone = async (ms: number): Promise<boolean> => {
    for (const until = Date.now() + ms; !isGone(root); await sleep(25)) if (Date.now() >= until) return false;
    return true;
  };
  return {
    async end(own) {
      if (await gone(own)) return;
      endSession(root);
      await gone(REAPED);
    },
  };
}

function trackByListing(root: number, mark: string, others: ReadonlySet<string>): ProcessTree {
  const begun = LINUX ? procStat(root) : fromPs().find(({ pid }) => pid === root);
  const isRoot = (p: Pick<Process, 'started'> | undefined): boolean =>
    !!begun && p?.started === begun.started;
  const known = new Map(begun ? [[root, begun.started]] : []);
  const living = (): number[] => {
    const all = LINUX ? fromProc(mark, begun?.started ?? '0', others) : fromPs();
    const byPid = new Map(all.map((p) => [p.pid, p]));
    // The system doesn't reuse the leader's pid while its session has members.
    const session = (byPid.get(root)?.started ?? begun?.started) === begun?.started ? root : undefined;
    const isOne = (p: Process): boolean =>
      p.marked || p.session === session || known.get(p.pid) === p.started;
    const tree = new Set(all.filter(isOne).map((p) => p.pid));
    for (let size = -1; size !== tree.size; ) {
      size = tree.size;
      for (const p of all) if (tree.has(p.parent)) tree.add(p.pid);
    }
    tree.delete(process.pid);
    for (const pid of tree) known.set(pid, byPid.get(pid)?.started ?? '');
    return [...tree];
  };
  const gone = async (ms: number): Promise<boolean> => {
    const until = Date.now() + ms;
    // While the server itself runs, the other processes needn't be listed. Most servers end within some ms.
    for (let wait = 3; isRoot(procStat(root)) || living().length > 0; wait = Math.min(2 * wait, 25)) {
      if (Date.now() >= until) return false;
      await sleep(wait);
    }
    return true;
  };
  const signal = (name: NodeJS.Signals): void => {
    for (const pid of living()) {
      try {
        process.kill(pid, name);
      } catch {}
    }
  };
  return {
    async end(own, kill) {
      // The server's children are found by their parent, so list them while the server still runs.
      living();
      if (await gone(own)) return;
      signal('SIGTERM');
      if (await gone(kill)) return;
      signal('SIGKILL');
      await gone(REAPED);
    },
  };
}
