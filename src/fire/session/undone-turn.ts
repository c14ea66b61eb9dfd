import { quietly } from '../../base/quietly.ts';
import { readTail } from '../../base/read-file.ts';
import type { PayloadShape } from '../format.ts';
import { type Payload, textAt } from '../payload.ts';

/** Bytes of the file's end that are read. */
const TAIL = 4096;

/** True when the client took the turn that ends now out of the conversation, so that the model forgets its texts. */
export function isUndone(payload: Payload, { undoneIf }: PayloadShape): boolean {
  const file = textAt(payload, undoneIf?.file);
  if (!undoneIf || !file) return false;
  // The client may not have written the file yet.
  return quietly(() => new RegExp(undoneIf.like).test(readTail(file, TAIL))) ?? false;
}
