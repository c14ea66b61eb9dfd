import { mixedLetters } from './mixed-letters.ts';
import { once } from './once.ts';

/** Scripts whose letters a zero-width joiner or non-joiner joins or parts. */
const JOINING = 'Arab Beng Deva Gujr Guru Knda Mlym Orya Sinh Taml Telu'.split(' ');

/**
 * Characters that are invisible or reorder visible text: controls (except line feed and tab), bidirectional and
 * zero-width marks, tag characters, fillers, lone surrogates and variation selectors. Not those that choose the text or
 * emoji form of the symbol before them, and joiners where writing needs them: within an emoji, and single ones between
 * letters of Arabic and Indic scripts.
 */
const invisible = once(() => {
  const letter = `[${JOINING.map((script) => String.raw`\p{sc=${script}}`).join('')}]`;
  const meant = [
    String.raw`\n|\t`,
    String.raw`(?<=\p{Extended_Pictographic})[\u{FE0E}\u{FE0F}]`,
    String.raw`(?<=[#*0-9])\u{FE0F}(?=\u{20E3})`,
    String.raw`(?<=\p{Extended_Pictographic}[\u{FE0F}\u{1F3FB}-\u{1F3FF}]?)\u{200D}(?=\p{Extended_Pictographic})`,
    String.raw`(?<=${letter})[\u{200C}\u{200D}](?=${letter})`,
  ].join('|');
  const all = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]`;
  return new RegExp(`(?!${meant})${all}`, 'gu');
});

/**
 * Characters that look like a blank: other spaces, the braille pattern without dots, a note without a head. Also marks
 * stacked on a letter above the fourth, which may reach over other lines.
 */
const misleading = once(() => /(?! )[\p{Zs}\u{2800}\u{1D159}]|(?<=\p{M}{4})\p{M}/gu);

/**
 * Matches texts without invisible, misleading or wide characters. Other texts need Unicode classes, which take a
 * millisecond to compile.
 */
export const PLAIN = /^[\n\t\x20-\x7e\xa1-\xac\xae-\u024f\u2010-\u2027\u25c9-\u25d7\u2715]*$/;

/** Returns a character by its code point, as `<U+202E>`. */
export const codePoint = (character: string): string =>
  `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;

/**
 * Returns the text with all invisible characters, and those that look like a blank, written out, e.g. `<U+202E>`; line
 * feeds and tabs stay.
 */
export function visible(text: string): string {
  return PLAIN.test(text) ? text : text.replace(misleading(), codePoint).replace(invisible(), codePoint);
}

/**
 * Returns the text with the code of each letter outside ASCII in a word with letters of several scripts, and of each
 * other form of an ASCII letter.
 */
function withMixedNamed(text: string): string {
  if (PLAIN.test(text)) return text;
  const mixed = mixedLetters(text);
  return text.replace(/\p{L}/gu, (letter, offset) => {
    const code = codePoint(letter);
    // A text that was shown before has the code already.
    return mixed.has(offset) && !text.startsWith(code, offset + letter.length) ? letter + code : letter;
  });
}

/**
 * Like `visible`, but on one line, so that a name can't add lines to a report. Look-alikes of another script are named,
 * so that no server passes for another.
 */
export function oneLine(text: string): string {
  return visible(withMixedNamed(text)).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** Like `oneLine`, and at most `max` characters long; for values in messages. */
export function excerpt(text: string, max = 80): string {
  const line = oneLine(text);
  const characters = [...line];
  return characters.length <= max ? line : `${characters.slice(0, max).join('')}…`;
}

/** Returns the names of a text's invisible characters, each once: `['U+202E', 'U+E0041']`. */
export function invisibles(text: string): string[] {
  if (PLAIN.test(text)) return [];
  return [...new Set(text.match(invisible()) ?? [])].map((c) => codePoint(c).slice(1, -1));
}

/** Returns JSON with invisible characters as `\\u` escapes, so that a terminal shows the document as it is. */
export function visibleJson(value: unknown, indent = 2): string {
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const text = JSON.stringify(value, null, indent);
  return PLAIN.test(text) ? text : text.replace(invisible(), (c) => c.split('').map(escaped).join(''));
}
