import type { ChildProcessByStdio } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { endSession } from '../../base/end-session.ts';
import { isObject, jsonOrUndefined } from '../../base/json-value.ts';
import { HERE } from '../../base/platform.ts';
import type { StdioLaunch } from '../../servers/launch/launch.ts';
import { MOST_UNREAD_BYTES } from '../../servers/mcp/unread.ts';
import {
  RUNNER_KEEPER,
  type RunnerKeeperJob,
  startRunnerKeeper,
} from '../../servers/process/runner-keeper.ts';
import { LAST_OUTPUT_MS } from '../../servers/process/start.ts';
import { startWatched } from '../../servers/process/start-watched.ts';
import { LARGEST_ANSWER, type Listener, type RpcMessage, type RpcTransport } from './rpc.ts';

/** Starts a server in a session of its own. The server and all its child processes end when this process is gone. */
export function overStdio(start: StdioLaunch, listener: Listener): RpcTransport {
  const child = startWatched(start, ['pipe', 'pipe', 'ignore']);
  return transportTo(child as ChildProcessByStdio<Writable, Readable, null>, listener);
}

/**
 * Starts a server through a keeper (`<runtime>/keep.cjs`), which outlives this process until the server's first answer,
 * so that a package runner has time to install.
 */
export function overRunnerKeeper(runtime: string, job: RunnerKeeperJob, listener: Listener): RpcTransport {
  return transportTo(startRunnerKeeper(join(runtime, RUNNER_KEEPER), job), listener, true);
}

function transportTo(
  child: ChildProcessByStdio<Writable, Readable, Readable | null>,
  listener: Listener,
  keeps = false,
): RpcTransport {
  child.on('error', (error) => listener.closed(error.message));
  const ended = (code: number | null, signal: string | null): void =>
    listener.closed(`the server ended (${code ?? signal})`);
  child.on('close', ended);
  // A child process of the server can keep the output open, so that 'close' never fires.
  child.on('exit', (...how) => setTimeout(ended, LAST_OUTPUT_MS, ...how).unref());
  child.stdin.on('error', () => {});
  readLines(child.stdout, listener);
  return {
    send: async (message) => {
      if (!child.stdin.writable) throw new Error('the server takes no input');
      const isReply = message.method === undefined;
      if (isReply && child.stdin.writableLength > MOST_UNREAD_BYTES) return;
      child.stdin.write(`${JSON.stringify(message)}\n`);
    },
    versioned: () => {},
    end: async () => {
      child.stdin.end();
      child.unref();
      child.stdout.destroy();
      child.stderr?.destroy();
      // There is no watcher on Windows. A keeper ends its server itself.
      if (HERE.windows && !keeps && child.pid && child.exitCode === null) endSession(child.pid);
    },
  };
}

/** Reads one JSON message per line; other lines are noise. */
function readLines(from: Readable, listener: Listener): void {
  let parts: string[] = [];
  let size = 0;
  from.setEncoding('utf8');
  from.on('data', (chunk: string) => {
    // Node may read many chunks before it looks at a timer: a flood of lines would outlast the deadline of the hook.
    from.pause();
    setImmediate(() => from.resume());
    const lines = chunk.split('\n');
    for (const [i, line] of lines.entries()) {
      if (i > 0) {
        receive(parts.join(''), listener);
        parts = [];
        size = 0;
      }
      parts.push(line);
      size += line.length;
      // On Windows, a line of any length can come in one chunk.
      if (size > LARGEST_ANSWER) {
        from.destroy();
        return listener.closed(`an answer of more than ${LARGEST_ANSWER} bytes`);
      }
    }
  });
}

function receive(line: string, listener: Listener): void {
  if (line.trim() === '') return;
  // A failed parse takes long.
  const message = /^\s*\{/.test(line) ? jsonOrUndefined(line) : undefined;
  if (!isObject(message) || !('jsonrpc' in message)) listener.noise?.();
  if (isObject(message)) listener.message(message as unknown as RpcMessage);
}
