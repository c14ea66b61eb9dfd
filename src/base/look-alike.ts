import { normalized } from './normalized.ts';

/**
 * Returns the form of a name in which some file systems compare names: they ignore case, normalise Unicode, ignore
 * invisible characters (HFS+), or drop dots and blanks at the end. Two names with equal forms are one file on some
 * machine.
 */
export const foldedName = (name: string): string =>
  withoutEnd(normalized(name.replace(/\p{Default_Ignorable_Code_Point}/gu, ''), 'NFKC').toLowerCase());

/** Returns a text without dots and blanks at its end. A regular expression would try each run of them. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && '. '.includes(text[end - 1] as string)) end--;
  return text.slice(0, end);
}
