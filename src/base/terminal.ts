import { fstatSync, statSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';

/** stdout or stderr, by its file descriptor. */
export type Output = 1 | 2;

/** Those that were opened as a stream, which then keeps what is written in order. */
const opened = new Set<Output>();

/** The stream of an output. Opening one loads `net` and more, a tenth of a short command's time. */
export function streamOf(output: Output): NodeJS.WriteStream {
  const stream = output === 1 ? process.stdout : process.stderr;
  if (!opened.has(output)) stream.on('error', endUnheard);
  opened.add(output);
  return stream;
}

/** Writes a text, past the stream as long as that takes it at once. */
export function write(output: Output, text: string): void {
  let left = Buffer.from(text);
  try {
    while (left.length > 0 && !opened.has(output)) left = left.subarray(writeSync(output, left));
  } catch (error) {
    // Nobody reads on. A full pipe that doesn't wait is a matter of the stream.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
  }
  if (left.length > 0) streamOf(output).write(left);
}

/** Nobody reads on. */
function endUnheard(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** A person may sit there. */
export function isTerminal(output: Output): boolean {
  try {
    const stat = fstatSync(output);
    // /dev/null is such a device too.
    if (!stat.isCharacterDevice() || stat.rdev === statSync(devNull).rdev) return false;
  } catch {}
  return Boolean(streamOf(output).isTTY);
}
