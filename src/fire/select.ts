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
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
}

function find(texts: string | readonly string[], pointer: string): unknown {
  for (const text of [texts].flat()) {
    const value = valueAt(jsonOrUndefined(text), steps(pointer));
    if (value !== undefined) return value;
  }
  return undefined;
}

const steps = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
