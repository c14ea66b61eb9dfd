/** The texts of a tool's answer as one: JSON without spaces between its parts, and nothing that says nothing. */
export function joined(texts: readonly string[]): string {
  return texts
    .map(compact)
    .filter((text) => text.trim() !== '')
    .join('\n');
}

/** A JSON text in its compact form, '' where it says nothing; any other text as it is. */
function compact(text: string): string {
  const value = parsed(text);
  if (value === undefined) return text;
  try {
    if (saysNothing(value)) return '';
  } catch {
    // Nested deeper than the stack.
    return text;
  }
  // Not printed anew: that would change large numbers and repeated keys.
  return typeof value === 'object'
    ? text.replace(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, (_, quoted: string | undefined) => quoted ?? '')
    : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Blank texts, null, and lists and objects that hold nothing else. In an object, 0 and false beside an empty list or
 * text say no more than that: `{"results": [], "total": 0}`.
 */
function saysNothing(value: unknown): boolean {
  if (value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.every(saysNothing);
  const values = Object.values(value);
  const hasEmpty = values.some((v) => v !== null && (typeof v === 'string' || typeof v === 'object'));
  return values.every((v) => saysNothing(v) || (hasEmpty && (v === 0 || v === false)));
}
