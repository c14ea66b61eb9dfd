import { fstatSync, statSync, writeSync } from 'node:fs';
import { HERE } from './platform.ts';

/** File descriptor of stdout or stderr. */
type Output = 1 | 2;

/** Errors of a write when the reader is gone. Windows has two of them, and libuv translates one to EOF. */
const READER_GONE = ['EPIPE', 'EOF'];

/** Outputs that were opened as a stream, which must then write everything, to keep the order. */
const opened = new Set<Output>();

/** Returns the stream of an output. Opening one loads `net` and more, a tenth of a short command's time. */
export function streamOf(output: Output): NodeJS.WriteStream {
  const stream = output === 1 ? process.stdout : process.stderr;
  if (!opened.has(output)) stream.on('error', ignoreClosedPipe);
  opened.add(output);
  return stream;
}

/** Writes a text, directly while that is possible without waiting, otherwise through the stream. */
export function write(output: Output, text: string): void {
  let rest = Buffer.from(text);
  try {
    while (rest.length > 0 && !opened.has(output)) rest = rest.subarray(writeSync(output, rest));
  } catch (error) {
    // With the reader gone, the rest is dropped. A full non-blocking pipe is left to the stream.
    if (isReaderGone(error)) return;
  }
  if (rest.length > 0) streamOf(output).write(rest);
}

const isReaderGone = (error: unknown): boolean =>
  READER_GONE.includes((error as NodeJS.ErrnoException).code ?? '');

function ignoreClosedPipe(error: Error): void {
  if (!isReaderGone(error)) throw error;
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
