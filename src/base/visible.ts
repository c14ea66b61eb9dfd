import { once } from './once.ts';

/**
 * Characters that a person doesn't see or that reorder what they see: controls (line feed and tab excepted),
 * bidirectional and zero-width marks, tag characters, fillers, variation selectors (those that pick the text or
 * emoji form excepted) and lone surrogates.
 */
const invisible = once(
  () => /(?!\n|\t|\u{FE0E}|\u{FE0F})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu,
);

/**
 * What looks like a blank and is none: other spaces, the braille pattern without dots, a note without a head. And marks
 * that are stacked on a letter above the fourth: they may reach over the lines around.
 */
const misleading = once(() => /(?! )[\p{Zs}\u{2800}\u{1D159}]|(?<=\p{M}{4})\p{M}/gu);

/**
 * Nothing of it is invisible, misleading or wide. Unicode's classes take a millisecond to make: only other text is held against them.
 */
export const PLAIN = /^[\n\t\x20-\x7e\xa1-\xac\xae-\u024f\u2010-\u2027\u25c9-\u25d7\u2715]*$/;

const named = (character: string): string =>
  `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;

/**
 * The text with every character written out that a person doesn't see, or takes for a blank, e.g. `<U+202E>`; line feeds
 * and tabs stay.
 */
export function visible(text: string): string {
  return PLAIN.test(text) ? text : text.replace(misleading(), named).replace(invisible(), named);
}

/** As `visible`, on one line: what a name must not do is add lines of its own to a report. */
export function oneLine(text: string): string {
  return visible(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** As `oneLine`, and at most `max` characters long; for values in messages. */
export function excerpt(text: string, max = 80): string {
  const line = oneLine(text);
  const characters = [...line];
  return characters.length <= max ? line : `${characters.slice(0, max).join('')}…`;
}

/** Names of the invisible characters of a text, each once: `['U+202E', 'U+E0041']`. */
export function invisibles(text: string): string[] {
  if (PLAIN.test(text)) return [];
  return [...new Set(text.match(invisible()) ?? [])].map((c) => named(c).slice(1, -1));
}

/** JSON with the same characters as `\\u` escapes, so that a terminal shows a document as it is. */
export function visibleJson(value: unknown): string {
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const text = JSON.stringify(value, null, 2);
  return PLAIN.test(text) ? text : text.replace(invisible(), (c) => c.split('').map(escaped).join(''));
}
