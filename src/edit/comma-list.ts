import { type Range, type Splice, whiteBefore } from './splice.ts';

/** A comma-separated list between brackets; `open` and `close` are the offsets of its interior. */
export interface ItemList {
  open: number;
  close: number;
  items: readonly Range[];
}

/**
 * Blanks the comments in a text of white space, commas and comments: with `/` a comment that lasts to the end of its
 * line, with `*` any other comment.
 */
export type MaskComments = (between: string) => string;

/**
 * Returns splices that remove items, with the white space before each and one comma each, and leave all comments
 * between them. Undoes `insertAfterLast` and `insertIntoEmpty` exactly.
 */
export function removeItems(
  text: string,
  list: ItemList,
  gone: (index: number) => boolean,
  mask: MaskComments,
): Splice[] {
  const { items } = list;
  const lastKept = items.findLastIndex((_, i) => !gone(i));
  // What stays behind each item: on its line, items that go, too, may stand between.
  const follows: string[] = [];
  for (let i = items.length - 1; i >= 0; i--) {
    const next = items[i + 1];
    const between = mask(text.slice(items[i]?.end, next?.start ?? list.close)).replace(',', '');
    follows[i] = next && gone(i + 1) && /^[ \t]*$/.test(between) ? (follows[i + 1] ?? '') : between;
  }
  // Whether what stays before an item ends with a comment that lasts to the end of its line.
  let inComment = false;
  return items.flatMap((item, i) => {
    if (!gone(i)) return [];
    const from = items[i - 1]?.end ?? list.open;
    const to = items[i + 1]?.start ?? list.close;
    const before = mask(text.slice(from, item.start));
    const after = mask(text.slice(item.end, to));
    // The item's comma is the comma after the item, or the comma before when no later item stays.
    const comma =
      i < lastKept ? item.end + after.indexOf(',') : before.includes(',') ? from + before.indexOf(',') : -1;
    const end = comma === item.end ? comma + 1 : item.end;
    const stays = before.replace(',', '').trimEnd();
    if (stays !== '' || i === 0 || !gone(i - 1)) inComment = stays.endsWith('/');
    const sharesLine = !/^[ \t]*\r?\n/.test(follows[i] ?? '');
    const keepsBreak = inComment && sharesLine;
    if (keepsBreak) inComment = false;
    const piece: Splice = keepsBreak
      ? { start: item.start, end: end + (/^[ \t]*/.exec(text.slice(end, to))?.[0].length ?? 0), text: '' }
      : { start: whiteBefore(text, item.start), end, text: '' };
    const own = comma < 0 || comma === item.end;
    return own ? [piece] : [piece, { start: comma, end: comma + 1, text: '' }];
  });
}

/**
 * Returns splices that add text after the last item: a comma directly behind the item, and the rest behind a comment on
 * the item's line.
 */
export function insertAfterLast(
  text: string,
  list: ItemList,
  last: Range,
  added: string,
  mask: MaskComments,
): Splice[] {
  const rest = mask(text.slice(last.end, list.close));
  const comment = /^\n|^\r\n/.test(added) ? (/^[ \t]*[/*][ \t/*]*/.exec(rest)?.[0].trimEnd().length ?? 0) : 0;
  const at = last.end + comment;
  return comment === 0
    ? [{ start: at, end: at, text: `,${added}` }]
    : [
        { start: last.end, end: last.end, text: ',' },
        { start: at, end: at, text: added },
      ];
}

/**
 * Returns a splice that puts text into an empty list. `closing`, the white space before the bracket, reuses white space
 * that is already there.
 */
export function insertIntoEmpty(text: string, list: ItemList, added: string, closing: string): Splice {
  const interior = text.slice(list.open, list.close);
  let shared = 0;
  while (
    shared < Math.min(interior.length, closing.length) &&
    interior.at(-1 - shared) === closing.at(-1 - shared)
  )
    shared++;
  // The place is never between the two characters of a CRLF.
  if (shared > 0 && closing.at(-shared) === '\n' && interior.at(-shared - 1) === '\r') shared--;
  const at = list.close - shared;
  return { start: at, end: at, text: added + closing.slice(0, closing.length - shared) };
}
