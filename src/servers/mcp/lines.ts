import type { ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Fault } from '../../messages/fault.ts';
import { type Channel, type Diagnostics, exchange } from './channel.ts';

export type Spoken = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Talks to a started program by JSON messages, one a line; other lines are left out. What the program prints on stderr
 * goes to `mouth`. `onAnswer` is told of each message. Closing and ends are the caller's.
 */
export function exchangeLines(
  child: Spoken,
  mouth: Diagnostics,
  onAnswer: () => void = () => {},
): Omit<Channel, 'close'> & { fail: (fault: Fault) => void } {
  const transport: Parameters<typeof exchange>[0] = {
    send: async (message: object) => void child.stdin.write(`${JSON.stringify(message)}\n`),
  };
  const channel = exchange(transport, mouth);
  const receive = transport.onmessage;
  let size = 0;
  child.stdin.on('error', () => {});
  child.stdout.on('data', (chunk: Buffer) => {
    size = chunk.includes(10) ? chunk.length : size + chunk.length;
    if (size <= mouth.maxBytes) return;
    child.stdout.destroy();
    channel.fail(mouth.fault('server.too-big', { max: mouth.maxBytes / 1e6 }));
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = messageOf(line);
    if (!message) return;
    onAnswer();
    receive?.(message as never);
  });
  child.stderr.on('data', (chunk: Buffer) => mouth.heard(chunk));
  return channel;
}

/** Closes the pipes to a program: what the program left behind may hold their other ends. */
export function letGo(child: Spoken): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
}

function messageOf(line: string): object | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === 'object' && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}
