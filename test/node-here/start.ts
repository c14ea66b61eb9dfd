import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll } from 'vitest';
import { pathWith } from '../platform.ts';

/*
 * A process of node takes ten times as long as all else that a hook script does. Where a test's subject is what a hook
 * prints, the script starts a stand-in in its place: a shell that lets a thread of the tests' process run the program.
 * The thread takes the arguments, the environment, the folder, stdin and stdout from /proc, and runs the built program
 * with these.
 */

/** Fires that ran here, and those for which a real node was started after all. */
const counts = new Int32Array(new SharedArrayBuffer(8));

let made: { folder: string; asks: string } | undefined;

function thread(): { folder: string; asks: string } {
  if (made) return made;
  const folder = mkdtempSync(join(tmpdir(), 'n-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const asks = join(folder, 'asks');
  execFileSync('mkfifo', [asks]);
  const runtime = join(import.meta.dirname, '../../dist/runtime');
  const workerData = { asks, runtime, counts };
  new Worker(join(import.meta.dirname, 'thread.mjs'), { workerData, execArgv: [] }).unref();
  made = { folder, asks };
  return made;
}

let files = 0;

/**
 * For a file of tests: the path of a program that hook scripts may start in place of node. It starts a real node for the
 * first fire (with MCPHOOKS_TEST=all, for each client's first), and for all that isn't a fire of the built program. A
 * fire that calls a server runs in a real node unless `servers` is true; one whose server is kept running, unless it is
 * 'kept'. On other systems than Linux: node itself.
 */
export function nodeHere({ servers = false }: { servers?: boolean | 'kept' } = {}): string {
  if (process.platform !== 'linux') return process.execPath;
  const { folder, asks } = thread();
  const own = join(folder, `${files++}${servers === 'kept' ? 'ks' : servers ? 's' : ''}`);
  mkdirSync(own);
  const file = join(own, 'node');
  // fd 4: a pipe of its own, on which it gets the answer; a shell that makes a file of it starts a real node. fd 5
  // and 6: stdin and stdout, of which `read` and `echo` have others.
  const text = `#!/bin/sh
exec 5<&0 6>&1 3<<E
E
exec 4<>/proc/self/fd/3 3<&-
how=
[ ! -p /proc/self/fd/4 ] || { echo $$ >'${asks}'; IFS= read -r how <&4; }
[ "$how" = done ] || exec '${process.execPath}' "$@" 4<&- 5<&- 6>&-
`;
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  afterAll(() => rmSync(own, { recursive: true, force: true }));
  return file;
}

/**
 * In a file of tests: hook scripts that are installed by the source in this process start such a program, and so do those
 * that take the first node on the PATH of a world.
 */
export function installsNodeHere(how: { servers?: boolean } = {}): void {
  const real = process.execPath;
  const path = process.env.PATH;
  const here = nodeHere(how);
  beforeAll(() => {
    if (here === real) return;
    process.execPath = here;
    process.env.PATH = pathWith(dirname(here));
  });
  afterAll(() => {
    process.execPath = real;
    process.env.PATH = path;
  });
}

/** How many fires ran here, and for how many a real node was started after all. */
export const ranHere = (): { here: number; node: number } => ({
  here: Atomics.load(counts, 0),
  node: Atomics.load(counts, 1),
});
