/** Milliseconds before a stream of events is asked for again, where the server gives none; and the limits of what it gives. */
export const RETRY_MS = 1000;
const SHORTEST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 60_000;

/** Returns the milliseconds to wait where a server gives these. */
export const retryWithin = (ms: number): number =>
  Math.min(Math.max(ms, SHORTEST_RETRY_MS), LONGEST_RETRY_MS);
