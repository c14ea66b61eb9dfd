import { jsonOrUndefined, valueAt } from '../base/json-value.ts';

/** Most lines to try: a failed parse takes some 15 µs, and what a tool answers must not keep declared texts waiting. */
const MOST_LINES = 1000;

/**
 * Returns the value at a JSON pointer (RFC 6901) in a tool's answer, as text: in the whole answer, else in the first
 * line that is JSON with such a value. Returns undefined when there is none.
 */
export function selected(answer: string, pointer: string): string | undefined {
  const lines = answer.split('\n').filter((line) => /^\s*[[{"\d-]/.test(line));
  const value = find(answer, pointer) ?? find(lines.slice(0, MOST_LINES), pointer);
  if (value === undefined) return undefined;
  if (typeof value === 'string') return value.startsWith(NUMBER) ? value.slice(1) : value;
  const text = JSON.stringify(value);
  return answer.includes(ESCAPED) ? text : text.replace(/"\\u0001(-?\d[\d.eE+-]*)"/g, '$1');
}

function find(texts: string | readonly string[], pointer: string): unknown {
  for (const text of [texts].flat()) {
    if (jsonOrUndefined(text) === undefined) continue;
    const value = valueAt(jsonOrUndefined(withNumbersAsText(text)), steps(pointer));
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Marks a string that was a number: the character, and as it is written in JSON. */
const NUMBER = '\u0001';
const ESCAPED = '\\u0001';

/**
 * Returns a JSON text with those numbers as marked strings that JavaScript may write in another way: long ones, such as
 * ids, and those with a point or an exponent.
 */
const withNumbersAsText = (json: string): string =>
  json.includes(ESCAPED)
    ? json
    : json.replace(
        /("[^"\\]*(?:\\.[^"\\]*)*")|-?\d(?:\d{15,}|\d{0,15}[.eE])[\d.eE+-]*/g,
        (number, quoted: string | undefined) => quoted ?? `"\\u0001${number}"`,
      );

const steps = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
