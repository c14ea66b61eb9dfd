import { constants, readFileSync } from 'node:fs';

const flag = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** The bytes of a file, and none for a pipe to which nobody writes: it isn't waited for. Throws as `readFileSync`. */
export const readNow = (path: string): Buffer => readFileSync(path, { flag } as object);
