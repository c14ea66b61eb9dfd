/**
 * Characters that a person doesn't see or that reorder what they see: controls (line feed and tab excepted),
 * bidirectional and zero-width marks, tag characters, fillers, variation selectors (those that pick the text or
 * emoji form excepted) and lone surrogates.
 */
const INVISIBLE =
  /(?!\n|\t|\u{FE0E}|\u{FE0F})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const named = (character: string): string =>
  `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;

/** The text with every invisible character written out, e.g. `<U+202E>`; line feeds and tabs stay. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, named);
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
  return [...new Set(text.match(INVISIBLE) ?? [])].map((c) => named(c).slice(1, -1));
}

/** JSON with the same characters as `\\u` escapes, so that a terminal shows a document as it is. */
export function visibleJson(value: unknown): string {
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, 2).replace(INVISIBLE, (c) => c.split('').map(escaped).join(''));
}
