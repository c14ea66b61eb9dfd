/** How long reading a server waits for what may never come, in milliseconds. */
export interface Waits {
  /** For a server to end by itself after its stdin was closed. */
  end: number;
  /** Between SIGTERM and SIGKILL. */
  kill: number;
  /** For the answer to the request that ends a session over HTTP. */
  farewell: number;
  /** At least so long for server/discover, where initialize was answered. */
  discover: number;
}

export const WAITS: Waits = { end: 700, kill: 500, farewell: 1000, discover: 3000 };
