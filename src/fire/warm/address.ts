import { join } from 'node:path';

/** Longest path of a socket, in bytes; systems take 103 (macOS) or 107. */
const LONGEST_ADDRESS = 100;

/** Characters of a socket's name: eight of an id, a dot, and the longest process id of Linux, 4194304, to the base 36. */
const NAME_LENGTH = 8 + 1 + 5;

/** Most bytes of the path of a folder for sockets. */
export const LONGEST_FOLDER = LONGEST_ADDRESS - 1 - NAME_LENGTH;

export const warmFolder = (state: string): string => join(state, 'warm');

/** Returns the address at which a keeper listens; undefined when its path would be too long for a socket. */
export function addressOf(folder: string, id: string, pid: number): string | undefined {
  if (process.platform === 'win32') return `\\\\.\\pipe\\mcphooks-${id}-${pid}`;
  // The limit doesn't depend on the process id, so that a plan can tell whether a keeper will be possible.
  if (Buffer.byteLength(folder) > LONGEST_FOLDER) return undefined;
  return join(folder, `${id.slice(0, 8)}.${pid.toString(36)}`);
}
