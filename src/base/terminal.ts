import { fstatSync, statSync, writeSync } from 'node:fs';
import { HERE } from './platform.ts';

/** File descriptor of stdout or stderr. */
type Output = 1 | 2;

/** Errors of a write when the reader is gone. Windows has two of them, and libuv translates one to EOF. */
const READER_GONE = ['EPIPE', 'EOF'];

/** Error codes of outputs that couldn't be written, such as ENOSPC. */
const failed = new Map<Output, string>();

/** Outputs whose reader is gone. */
const unread = new Set<Output>();

/** True when nothing more arrives at an output. */
export const isClosed = (output: Output): boolean => unread.has(output) || failed.has(output);

/** Returns why something of an output got lost, as an error code; a reader that is gone is no reason. */
export const lostOf = (output: Output): string | undefined => failed.get(output);

/** Outputs that were opened as a stream, which must then write everything, to keep the order. */
const opened = new Set<Output>();

/** Returns the stream of an output. Opening one loads `net` and more, a tenth of a short command's time. */
export function streamOf(output: Output): NodeJS.WriteStream {
  const stream = output === 1 ? process.stdout : process.stderr;
  if (!opened.has(output)) stream.on('error', (error) => lose(output, error));
  opened.add(output);
  return stream;
}

/** Writes a text, directly while that is possible without waiting, otherwise through the stream. */
export function write(output: Output, text: string): void {
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0 && !opened.has(output)) rest = rest.subarray(writeSync(output, rest));
  } catch (error) {
    // A full non-blocking pipe is left to the stream. Otherwise the rest is dropped.
    if (codeOf(error) !== 'EAGAIN') {
      lose(output, error);
      return;
    }
  }
  if (rest.length > 0) streamOf(output).write(rest);
}

/** Waits until the outputs that were opened as a stream are written, or are lost. */
export async function written(): Promise<void> {
  for (const output of opened) await new Promise((done) => streamOf(output).write('', done));
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

function lose(output: Output, error: unknown): void {
  if (READER_GONE.includes(codeOf(error))) unread.add(output);
  else failed.set(output, codeOf(error));
}

/** As `devNull` of node:os, which nothing else needs at a start. */
const DEV_NULL = HERE.windows ? '\\\\.\\nul' : '/dev/null';

/** True when an output is a terminal, where a person may read. */
export function isTerminal(output: Output): boolean {
  try {
    const stat = fstatSync(output);
    // /dev/null is a character device too.
    if (!stat.isCharacterDevice() || stat.rdev === statSync(DEV_NULL).rdev) return false;
  } catch {}
  return Boolean(streamOf(output).isTTY);
}
