/** Escapes that JSON.stringify writes: of control characters, and of halves of a surrogate pair. */
const ESCAPE = '\\\\(?:["\\\\bfnrt]|u00[01][\\da-f]|ud[89a-f][\\da-f]{2})';
/** An escape that goes on behind the end. */
const CUT_ESCAPE = '\\\\(?:u(?:0(?:0[01]?)?|d(?:[89a-f][\\da-f]?)?)?)?';
const INSIDE = `(?:[^"\\\\\\0-\\x1f]|${ESCAPE})*`;
/** The first character may be the rest of an escape. */
const FROM_INSIDE = `["\\\\]?${INSIDE}`;

const AFTER_VALUE = '(?=[,}\\]]|$)';
const AFTER_STRING = '(?=[:,}\\]]|$)';
const PARTS = [
  `"${INSIDE}"${AFTER_STRING}`,
  '[:,](?=["{[\\d\\-tfn]|$)',
  '\\[(?=["{[\\d\\-tfn\\]]|$)',
  '\\{(?=["}]|$)',
  `[}\\]]${AFTER_VALUE}`,
  `(?:true|false|null|-?\\d[\\d.e+-]*)${AFTER_VALUE}`,
];
/** The first part may be the end of a string, of a word or of a number; the last part may be the start of one. */
const START = `(?:${FROM_INSIDE}"${AFTER_STRING}|[a-z\\d.+-]+${AFTER_VALUE})?`;
const END = `(?:"${INSIDE}(?:${CUT_ESCAPE})?|[a-z\\d.+-]+)?`;

/** Halves of a surrogate pair, which JSON.stringify always escapes. */
const HALF = /\p{Cs}/u;
const hasControl = (text: string): boolean => [...text].some((letter) => letter < ' ');

const IN_COMPACT_JSON = new RegExp(
  `^(?:${FROM_INSIDE}(?:${CUT_ESCAPE})?|${START}(?:${PARTS.join('|')})*${END})$`,
);

/**
 * Returns why the compact JSON of an input can never contain a needle; undefined when it can. Looks at what may stand
 * beside what, not at what closes which bracket.
 */
export function needleTrouble(needle: string): 'line' | 'control' | 'space' | 'escape' | 'quote' | undefined {
  if (HALF.test(needle)) return 'control';
  if (IN_COMPACT_JSON.test(needle)) return undefined;
  if (/[\n\r\t]/.test(needle)) return 'line';
  if (hasControl(needle)) return 'control';
  if (IN_COMPACT_JSON.test(needle.replace(/\s*([{}[\]:,])\s*/g, '$1'))) return 'space';
  const unescaped = needle.slice(1).replace(new RegExp(ESCAPE, 'g'), '');
  return unescaped.includes('\\') ? 'escape' : 'quote';
}
