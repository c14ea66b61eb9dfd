import { readTail } from '../../base/read-file.ts';
import type { PayloadShape } from '../format.ts';
import { type Payload, textAt } from '../payload.ts';

/** Bytes of the file's end that are read. */
const TAIL = 4096;

/** True when the client took the turn that ends now out of the conversation, so that the model forgets its texts. */
export function isUndone(payload: Payload, { undoneIf }: PayloadShape): boolean {
  const file = textAt(payload, undoneIf?.file);
  if (!undoneIf || !file) return false;
  try {
    return new RegExp(undoneIf.like).test(readTail(file, TAIL));
  } catch {
    // The client hasn't written the file yet.
    return false;
  }
}
