/** Blocks this thread for so many milliseconds. */
export const pause = (ms: number): unknown =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
