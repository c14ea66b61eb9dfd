import { normalized } from './normalized.ts';
import { once } from './once.ts';

/** Scripts whose letters look like those of another script. Letters of all others count as of one script. */
const scripts = once(() =>
  ['Latn', 'Grek', 'Cyrl', 'Armn', 'Copt', 'Cher', 'Lisu'].map(
    (script) => new RegExp(String.raw`\p{sc=${script}}`, 'u'),
  ),
);

/** Returns the number of a letter's script among those that look alike; all others have one number. */
export const similarScript = (c: string): number =>
  /[0-9]/.test(c) ? 0 : scripts().findIndex((script) => script.test(c));

/** True for another form of a letter in ASCII, such as a mathematical one. Not for `º`, which is an abbreviation. */
const isOtherForm = (letter: string): boolean =>
  /[\p{Lu}\p{Ll}]/u.test(letter) && /^[a-z]+$/i.test(normalized(letter, 'NFKC'));

/**
 * Returns the offsets (UTF-16 units) of letters outside ASCII in words with letters of several of these scripts, such as
 * a Cyrillic letter among Latin ones, and of other forms of ASCII's letters.
 */
export function mixedLetters(text: string): Set<number> {
  const found = new Set<number>();
  // `\n` and `\t`, as a line feed and a tab are shown, belong to no word.
  for (const { 0: word, index } of text.matchAll(/\\[nt]|[\p{L}\p{M}]+/gu)) {
    const all = new Set([...word].map(similarScript).filter((script) => script >= 0));
    for (const letter of word.matchAll(/[^\p{ASCII}\p{M}]/gu))
      if (all.size > 1 || isOtherForm(letter[0])) found.add(index + letter.index);
  }
  return found;
}
