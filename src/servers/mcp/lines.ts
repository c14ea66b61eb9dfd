import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { jsonOrUndefined } from '../../base/json-value.ts';
import { exchange, MAX_ANSWER_BYTES, type OpenChannel } from './channel.ts';
import { type Diagnostics, MAX_NOISE } from './diagnostics.ts';
import { MOST_UNREAD_BYTES } from './unread.ts';

/** A started program whose stdin, stdout and stderr are pipes. */
export type PipedProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Exchanges JSON messages with a started program, one per line; other lines are noise. Noise and the program's stderr
 * go to `diagnostics`. `onAnswer` is called for each answer. The caller closes the channel and handles the program's exit.
 */
export function exchangeLines(
  child: PipedProcess,
  diagnostics: Diagnostics,
  onAnswer: () => void = () => {},
): OpenChannel {
  const transport: Parameters<typeof exchange>[0] = {
    send: async (message: object) => {
      const isReply = !('method' in message);
      if (isReply && child.stdin.writableLength > MOST_UNREAD_BYTES) return;
      child.stdin.write(`${JSON.stringify(message)}\n`);
    },
  };
  let size = 0;
  let begun = Buffer.alloc(0);
  /** A server may forget the end of the line: what it has sent is then no message, and nothing else tells why. */
  const fault: Diagnostics['fault'] = (code, args) => {
    diagnostics.addNoise(begun.toString('utf8'));
    return diagnostics.fault(code, args);
  };
  const channel = exchange(transport, { ...diagnostics, fault });
  const receive = transport.onmessage;
  child.stdin.on('error', () => {});
  child.stdout.on('data', (chunk: Buffer) => {
    size = chunk.includes(10) ? chunk.length : size + chunk.length;
    const end = chunk.lastIndexOf(10);
    begun = Buffer.concat(end < 0 ? [begun, chunk] : [chunk.subarray(end + 1)]).subarray(0, MAX_NOISE);
    const text = begun.toString('utf8');
    if (!/^\s*[[{]/.test(text)) diagnostics.addNoise(text);
    if (size <= MAX_ANSWER_BYTES) return;
    child.stdout.destroy();
    channel.fail(diagnostics.fault('server.too-big', { max: MAX_ANSWER_BYTES / 1e6 }));
  });
  onLine(child.stdout, (line) => {
    const message = messageOf(line);
    // Programs that log to stdout often do so as JSON.
    if (!message || !('jsonrpc' in message)) diagnostics.addNoise(line);
    if (!message) return;
    if ('id' in message && !('method' in message)) onAnswer();
    receive?.(message as never);
  });
  child.stderr.on('data', (chunk: Buffer) => diagnostics.addStderr(chunk));
  return channel;
}

/**
 * Calls `take` for each line. Only a line feed ends one: in JSON, other line separators may stand within a text, and
 * `node:readline` ends lines at some of them, which ones depends on Node's version.
 */
function onLine(from: Readable, take: (line: string) => void): void {
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  from.on('data', (chunk: Buffer) => {
    // Node may read many chunks before it looks at a timer: a flood of lines would outlast any deadline.
    from.pause();
    setImmediate(() => from.resume());
    for (const [i, text] of decoder.write(chunk).split('\n').entries()) {
      if (i > 0) {
        take(parts.join(''));
        parts = [];
      }
      parts.push(text);
    }
  });
  from.on('end', () => {
    const rest = parts.join('') + decoder.end();
    if (rest !== '') take(rest);
  });
}

/** Closes the pipes to a program, whose remaining child processes may hold the other ends. */
export function letGo(child: PipedProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
}

function messageOf(line: string): object | undefined {
  const message = jsonOrUndefined(line);
  return typeof message === 'object' && message !== null ? message : undefined;
}
