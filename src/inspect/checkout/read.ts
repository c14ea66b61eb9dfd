import { Fault } from '../../messages/fault.ts';
import type { MachineView } from '../settings.ts';

/** Returns the bytes of a file; null also when the file can't be read. */
export function readIfPossible(path: string, { read }: MachineView): Uint8Array | null {
  try {
    return read(path);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return null;
  }
}
