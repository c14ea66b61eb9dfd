import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

interface Process {
  pid: number;
  parent: number;
  /** With the pid, tells a process from a later one of the same number. */
  started: string;
  marked: boolean;
}

/** Everything that runs now. `mark` is looked for in environments, where the system shows them (Linux). */
function running(mark: string): Process[] {
  return process.platform === 'linux' ? fromProc(mark) : fromPs();
}

function fromProc(mark: string): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = contents(`/proc/${name}/stat`);
      // The second field, the name in brackets, may hold spaces and brackets itself.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const [state, parent, started] = [fields[0], fields[1], fields[19]];
      if (parent === undefined || started === undefined || state === 'Z') return [];
      const marked = contents(`/proc/${name}/environ`).includes(mark);
      return [{ pid: Number(name), parent: Number(parent), started, marked }];
    });
}

function fromPs(): Process[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,lstart='], { encoding: 'utf8' });
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [, pid, parent, state, started] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (started === undefined || state?.startsWith('Z')) return [];
    return [{ pid: Number(pid), parent: Number(parent), started, marked: false }];
  });
}

function contents(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

/** A server's process and all that it started, also what outlived its parent. */
export interface Family {
  /** Ends all of them: waits `patience` ms for those that end by themselves, then SIGTERM, then SIGKILL. */
  end: (patience: number) => Promise<void>;
}

/** Ms between SIGTERM and SIGKILL. */
const GRACE = 500;

/** Follows the family of `root`. `mark` is a text that only their environments hold. */
export function follow(root: number, mark: string): Family {
  const known = new Map<number, string>();
  const living = (): number[] => {
    const all = running(mark);
    const byPid = new Map(all.map((p) => [p.pid, p]));
    if (known.size === 0 && byPid.has(root)) known.set(root, byPid.get(root)?.started ?? '');
    const family = new Set(all.filter((p) => p.marked || known.get(p.pid) === p.started).map((p) => p.pid));
    for (let size = -1; size !== family.size; ) {
      size = family.size;
      for (const p of all) if (family.has(p.parent)) family.add(p.pid);
    }
    family.delete(process.pid);
    for (const pid of family) known.set(pid, byPid.get(pid)?.started ?? '');
    return [...family];
  };
  const gone = async (ms: number): Promise<boolean> => {
    const until = Date.now() + ms;
    while (living().length > 0) {
      if (Date.now() >= until) return false;
      await sleep(25);
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
  living();
  return {
    async end(patience) {
      if (await gone(patience)) return;
      signal('SIGTERM');
      if (await gone(GRACE)) return;
      signal('SIGKILL');
      await gone(GRACE);
    },
  };
}
