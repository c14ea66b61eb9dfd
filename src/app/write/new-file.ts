import { existsSync, writeFileSync } from 'node:fs';
import { Fault } from '../../messages/fault.ts';

/** Throws `apply.exists` for an existing file. */
export function assertNew(file: string): void {
  if (existsSync(file)) throw exists(file);
}

const exists = (file: string): Fault => new Fault('apply.exists', {}, { file });

/** Writes a new file. Faults: `apply.exists`, `apply.failed`. */
export function writeNewFile(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw exists(file);
    throw new Fault('apply.failed', { code }, { file });
  }
}
