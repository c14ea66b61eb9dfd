import type { Firing } from '../firing.ts';
import type { LocalFireData } from '../local-data.ts';
import { sessionsFolder } from '../own-folders.ts';
import { type Payload, readerOf, textAt } from '../payload.ts';
import { openSession } from './session.ts';

/** Returns the stored state of the payload's session, and of who reads the texts. */
export function sessionsOf(
  { client, server, state, owner, payload: shape }: Omit<LocalFireData, 'tag'>,
  payload: Payload,
): Pick<Firing, 'id' | 'session' | 'reader'> {
  const folder = sessionsFolder(state, client, server, owner);
  const id = textAt(payload, shape.session);
  const readerId = readerOf(payload, shape);
  return {
    id,
    session: id ? openSession(folder, id) : undefined,
    reader: readerId ? openSession(folder, readerId) : undefined,
  };
}
