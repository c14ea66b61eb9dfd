import type { Firing } from '../firing.ts';
import type { Marker } from './markers.ts';
import type { Session } from './session.ts';

/** A mark that a text sets for its reader: its name, and how long it lasts in ms (null: for good). */
export type SessionMark = readonly [name: Marker, ms: number | null];

type OfReader = { reader?: Session | undefined };

/**
 * Sets marks. If the fire is killed or can't print, they expire with its deadline. False when one was set before; a
 * state folder that can't be written stops no text.
 */
export const claimMarks = (
  { reader, data: { deadlineMs } }: Pick<Firing, 'reader' | 'data'>,
  marks: readonly SessionMark[],
): boolean =>
  marks.every(([name, ms]) => reader?.claim(name, Math.min(ms ?? deadlineMs, deadlineMs)) !== false);

/** Lets claimed marks stay for their whole time. `by`: the text that was given (`textId`); absent: there was none. */
export function holdMarks({ reader }: OfReader, marks: readonly SessionMark[] = [], by?: string): void {
  for (const [name, ms] of marks) reader?.hold(name, ms, by);
}

/** Takes back claimed marks, whose text isn't given. */
export function clearMarks({ reader }: OfReader, marks: readonly SessionMark[] = []): void {
  for (const [name] of marks) reader?.clear(name);
}
