/** Longest waits while reading a server, in milliseconds. */
export interface Waits {
  /** For a server to end by itself after its stdin was closed. */
  end: number;
  /** Between SIGTERM and SIGKILL. */
  kill: number;
  /** For the answer to the request that ends a session over HTTP. */
  farewell: number;
  /** At least, for server/discover after an answered initialize. */
  discover: number;
}

export const WAITS: Waits = { end: 700, kill: 500, farewell: 1000, discover: 3000 };
