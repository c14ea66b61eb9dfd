import { jsonOrUndefined } from '../../base/json-value.ts';
import type { Unit } from '../../clients/client.ts';
import { measure, UNIT_NAMES } from './render.ts';

/**
 * A cut at a line or item must leave at least this part of the room; otherwise the text is cut mid-line or mid-string.
 */
const LEAST_PART = 0.5;

/** Fewest units of a text worth printing as a cut piece. */
export const LEAST = 200;

/** A text of these characters alone says nothing. */
const SAYS_NOTHING = /^[\s[\]{},:"]*$/;

/**
 * Keeps at most `most` units of `text`, and adds a last line that reports the cut. JSON is cut between items, and
 * closed; other text is cut between lines. Returns '' when only the report would say something.
 */
export function cut(text: string, most: number, unit: Unit): string {
  const whole = measure(text, unit);
  if (whole <= most) return text;
  const short = beginning(text, most, unit);
  const kept = wholeItems(text, short.length, most, unit) ?? wholeLines(short);
  return SAYS_NOTHING.test(kept) ? '' : kept + report(measure(kept, unit), whole, unit);
}

/** As `cut`, but the report counts as a part of the `most` units. */
export function cutWithin(text: string, most: number, unit: Unit): string {
  const whole = measure(text, unit);
  return whole <= most ? text : cut(text, most - report(whole, whole, unit).length, unit);
}

const report = (kept: number, whole: number, unit: Unit): string =>
  `\n[cut by mcphooks: ${kept} of ${whole} ${UNIT_NAMES[unit]}]`;

/** Returns the longest beginning of `text` of at most `most` units, without splitting a character. */
function beginning(text: string, most: number, unit: Unit): string {
  let used = 0;
  let end = 0;
  for (const character of text) {
    used += measure(character, unit);
    if (used > most) break;
    end += character.length;
  }
  return text.slice(0, end);
}

function wholeLines(text: string): string {
  const end = text.lastIndexOf('\n');
  return end >= text.length * LEAST_PART ? text.slice(0, end) : text;
}

/** An object or list that is still open at a place in a JSON text. */
interface OpenContainer {
  isList: boolean;
  /** Offset where its last whole item ends; undefined before the first item has ended. */
  end?: number;
}

/**
 * Returns the beginning of a JSON text, of the first `length` UTF-16 units and at most `most` units, cut behind a whole
 * item and closed so that the result is JSON again. Outer lists lose items before inner lists; when too little would be
 * left, a long string is cut instead. Returns undefined when the text isn't JSON or can't be cut this way.
 */
function wholeItems(text: string, length: number, most: number, unit: Unit): string | undefined {
  if (!isJson(text)) return undefined;
  // The closing brackets need room too.
  for (let room = length; room > 0; ) {
    const { open, string } = openAt(text, room);
    const depth = open.findIndex(({ end = 0 }) => end >= room * LEAST_PART);
    const begun = depth < 0 && string ? text.slice(0, room).replace(PART_OF_CHARACTER, '$1') : undefined;
    const kept = begun ?? text.slice(0, open[depth]?.end ?? 0);
    if (kept === '') return undefined;
    const levels = begun === undefined ? open.slice(0, depth + 1) : open;
    const closing = levels.reduceRight((all, { isList }) => all + (isList ? ']' : '}'), begun ? '"' : '');
    const over = measure(kept + closing, unit) - most;
    if (over <= 0) return kept + closing;
    // With more room than this, the same would be kept again.
    room = Math.min(room - over, kept.length);
  }
  return undefined;
}

/** A part of an escape sequence, or the first half of a surrogate pair. */
const PART_OF_CHARACTER = /((?:^|[^\\])(?:\\\\)*)(?:\\(?:u[0-9a-fA-F]{0,3})?|[\ud800-\udbff])$/;

/**
 * Returns the objects and lists open after the first `length` units of a JSON text, outermost first. `string`: true
 * when that offset is inside a string value.
 */
function openAt(text: string, length: number): { open: OpenContainer[]; string: boolean } {
  const open: OpenContainer[] = [];
  const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},]/g;
  let string = false;
  for (let token = TOKEN.exec(text); token && token.index < length; token = TOKEN.exec(text)) {
    const [mark] = token;
    const inner = open.at(-1);
    if (mark === '[' || mark === '{') open.push({ isList: mark === '[' });
    else if (mark === ']' || mark === '}') open.pop();
    else if (mark === ',' && inner) inner.end = token.index;
    else
      string = TOKEN.lastIndex > length && !/^\s*:/.test(text.slice(TOKEN.lastIndex, TOKEN.lastIndex + 50));
  }
  return { open, string };
}

const isJson = (text: string): boolean => /^\s*[[{]/.test(text) && jsonOrUndefined(text) !== undefined;
