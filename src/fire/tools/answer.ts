import { jsonOrUndefined } from '../../base/json-value.ts';

/** True for a text of white space and characters without width alone. */
export const isBlank = (text: string): boolean =>
  text.replace(/\u200b|\u200c|\u200d|\u2060|\ufeff/g, '').trim() === '';

/** Joins the texts of a tool's answer by newlines: JSON without white space between tokens, empty texts left out. */
export function joined(texts: readonly string[]): string {
  return texts
    .map(compact)
    .filter((text) => !isBlank(text))
    .join('\n');
}

/** Returns a JSON text in compact form, '' when its value is empty (`isEmpty`); any other text unchanged. */
function compact(text: string): string {
  const value = jsonOrUndefined(text);
  if (value === undefined) return text;
  try {
    if (isEmpty(value)) return '';
  } catch {
    // The value is nested deeper than the stack allows.
    return text;
  }
  // JSON.stringify would change large numbers and drop repeated keys, so only white space is removed.
  return typeof value === 'object'
    ? text.replace(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, (_, quoted: string | undefined) => quoted ?? '')
    : text;
}

/**
 * True for blank texts, null, and lists and objects whose members are all empty. In an object with an empty list or
 * text, 0 and false count as empty too: `{"results": [], "total": 0}`.
 */
function isEmpty(value: unknown): boolean {
  if (value === null) return true;
  if (typeof value === 'string') return isBlank(value);
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.every(isEmpty);
  const values = Object.values(value);
  const hasEmpty = values.some((v) => v !== null && (typeof v === 'string' || typeof v === 'object'));
  return values.every((v) => isEmpty(v) || (hasEmpty && (v === 0 || v === false)));
}
