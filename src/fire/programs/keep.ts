import type { ChildProcess } from 'node:child_process';
import { endSession } from '../../base/end-session.ts';
import { jsonOrUndefined } from '../../base/json-value.ts';
import { HERE } from '../../base/platform.ts';
import { MOST_UNREAD_BYTES } from '../../servers/mcp/unread.ts';
import {
  endInstall,
  type HeldInstall,
  LONGEST_INSTALL_MS,
  shareInstall,
  touchInstall,
} from '../../servers/packages/install-lock.ts';
import type { RunnerKeeperJob } from '../../servers/process/runner-keeper.ts';
import { LAST_OUTPUT_MS } from '../../servers/process/start.ts';
import { startWatched } from '../../servers/process/start-watched.ts';

/** Most characters kept of one line, so that a server with endless output doesn't fill the memory. */
const LONGEST_LINE = 4 * 1024 * 1024;

/** Milliseconds for a server to end by itself after its stdin ended; then the watcher ends the server. */
const GRACE_MS = 600;

/** Milliseconds between two reads of the asker while the server leaves much unread. */
const FULL_MS = 100;

/**
 * `node keep.cjs`: starts a server by a package runner, in a session of its own, and passes messages both ways. When
 * the process that asked for the server is gone, the keeper ends the server, but not before its first answer: until
 * then the runner may be installing, and a half-made cache would prevent every later start.
 */
function main(): void {
  let server: ChildProcess | undefined;
  let lock: HeldInstall | undefined;
  let answered = false;
  let askerGone = false;
  /** Set when the asker leaves output unread, and the server's waits. */
  let isBehind = false;
  let firstLine = '';
  const hasAnswer = answerFinder();

  /** Exits; the watcher ends whatever processes are left. There is none on Windows. */
  const end = (code = 0): never => {
    if (lock) endInstall(lock);
    if (HERE.windows && server?.pid && server.exitCode === null) endSession(server.pid);
    process.exit(code);
  };
  const endServer = (): void => {
    server?.stdin?.end();
    setTimeout(end, GRACE_MS);
  };
  const onAskerGone = (): void => {
    if (askerGone) return;
    askerGone = true;
    server?.stdout?.resume();
    if (!server) end();
    if (answered) endServer();
  };
  const listen = (chunk: string): void => {
    if (!askerGone && !process.stdout.write(chunk)) {
      isBehind = true;
      server?.stdout?.pause();
      process.stdout.once('drain', () => server?.stdout?.resume());
    }
    if (answered) return;
    answered = hasAnswer(chunk);
    if (!answered) return;
    if (lock) endInstall(lock);
    if (askerGone) endServer();
  };
  const pass = (chunk: string): void => {
    server?.stdin?.write(chunk);
    if ((server?.stdin?.writableLength ?? 0) < MOST_UNREAD_BYTES) return;
    // Never for long: only reading shows that the asker is gone.
    process.stdin.pause();
    setTimeout(() => process.stdin.resume(), FULL_MS);
  };
  const begin = (job: RunnerKeeperJob): ChildProcess => {
    lock = job.lock;
    const child = startLocked(job);
    child.stderr?.on('data', (chunk) => askerGone || process.stderr.write(chunk));
    child.stdin?.on('error', () => {});
    child.stdout?.setEncoding('utf8').on('data', listen);
    child.on('error', () => end(1));
    const ended = (code: number | null): void => {
      if (askerGone) end();
      process.stdout.end(() => end(code ?? 1));
    };
    const exited = (code: number | null): void => {
      if (!isBehind || askerGone) {
        ended(code);
        return;
      }
      isBehind = process.stdout.writableNeedDrain;
      setTimeout(exited, LAST_OUTPUT_MS, code);
    };
    // A child process of the server can keep the output open, so that 'close' never fires.
    child.on('exit', (code) => setTimeout(exited, LAST_OUTPUT_MS, code));
    child.on('close', ended);
    setTimeout(() => answered || endServer(), LONGEST_INSTALL_MS);
    return child;
  };

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
  process.stdout.on('error', onAskerGone);
  process.stderr.on('error', () => {});
  process.stdin.setEncoding('utf8');
  process.stdin.on('error', onAskerGone);
  process.stdin.on('end', onAskerGone);
  process.stdin.on('data', (chunk: string) => {
    if (server) return pass(chunk);
    firstLine += chunk;
    const at = firstLine.indexOf('\n');
    if (at < 0) return;
    server = begin(JSON.parse(firstLine.slice(0, at)));
    pass(firstLine.slice(at + 1));
  });
}

/** Starts the server, and names it in the lock of the install. */
function startLocked({ start, lock, stderr }: RunnerKeeperJob): ChildProcess {
  const child = startWatched(start, ['pipe', 'pipe', stderr ? 'pipe' : 'ignore']);
  if (lock) {
    shareInstall(lock, [process.pid, child.pid]);
    touchInstall(lock);
  }
  return child;
}

/** Returns a function that takes a server's output in pieces, and returns true once an answer is among its lines. */
function answerFinder(): (chunk: string) => boolean {
  let partialLine = '';
  return (chunk) => {
    const lines = (partialLine + chunk).split('\n');
    partialLine = (lines.pop() ?? '').slice(-LONGEST_LINE);
    return lines.some(isAnswer);
  };
}

/** True when a line from a server is the answer to a request. */
function isAnswer(line: string): boolean {
  const message = jsonOrUndefined(line) as { id?: unknown; method?: unknown } | null | undefined;
  return message?.id !== undefined && message.method === undefined;
}

main();
