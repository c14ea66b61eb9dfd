import { jsonOrUndefined, valueAt } from '../../base/json-value.ts';

/** Most lines to try: a failed parse takes some 15 µs, and what a tool answers must not keep declared texts waiting. */
const MOST_LINES = 1000;

/**
 * Returns the value at a JSON pointer (RFC 6901) in a tool's answer, as text: in the whole answer, else in the first
 * line that is JSON with such a value. Returns undefined when there is none.
 */
export function selected(answer: string, pointer: string): string | undefined {
  return find([answer], pointer) ?? find(linesOf(answer), pointer);
}

/** True when a tool's answer, or a line of it, is JSON. */
export const hasJson = (answer: string): boolean =>
  [answer, ...linesOf(answer)].some((text) => jsonOrUndefined(text) !== undefined);

/** Returns the lines that may be JSON. */
const linesOf = (answer: string): string[] =>
  answer
    .split('\n')
    .filter((line) => /^\s*[[{"\d-]/.test(line))
    .slice(0, MOST_LINES);

function find(texts: readonly string[], pointer: string): string | undefined {
  for (const text of texts) {
    if (jsonOrUndefined(text) === undefined) continue;
    const isMarked = !text.includes(ESCAPED);
    const value = valueAt(jsonOrUndefined(isMarked ? withNumbersAsText(text) : text), steps(pointer));
    if (value !== undefined) return isMarked ? unmarked(value) : asText(value);
  }
  return undefined;
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function unmarked(value: unknown): string {
  if (typeof value === 'string') return value.startsWith(NUMBER) ? value.slice(1) : value;
  return JSON.stringify(value).replace(/"\\u0001(-?\d[\d.eE+-]*)"/g, '$1');
}

/** Marks a string that was a number: the character, and as it is written in JSON. */
const NUMBER = '\u0001';
const ESCAPED = '\\u0001';

/**
 * Returns a JSON text with those numbers as marked strings that JavaScript may write in another way: long ones, such as
 * ids, and those with a point or an exponent.
 */
const withNumbersAsText = (json: string): string =>
  json.replace(
    /("[^"\\]*(?:\\.[^"\\]*)*")|-?\d(?:\d{15,}|\d{0,15}[.eE])[\d.eE+-]*/g,
    (number, quoted: string | undefined) => quoted ?? `"\\u0001${number}"`,
  );

const steps = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
