import { type Node, parseTree } from 'jsonc-parser';

/**
 * Returns the first key that occurs twice in one object of a JSON text, with its offset in UTF-16 units; undefined when
 * there is none. Parsers take the last value, people and other programs the first. `value`: the parsed text.
 */
export function duplicateKey(text: string, value: unknown): { key: string; offset: number } | undefined {
  if (!mayRepeatKey(text, value)) return undefined;
  const root = parseTree(text);
  const waiting: Node[] = root ? [root] : [];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const seen = new Set<string>();
    for (const property of (node.type === 'object' && node.children) || []) {
      const [key] = property.children ?? [];
      if (key && seen.has(key.value)) return { key: key.value, offset: key.offset };
      if (key) seen.add(key.value);
    }
    for (const child of node.children ?? []) waiting.push(child);
  }
  return undefined;
}

/**
 * False when no key occurs twice in one object of a JSON text without comments. Parsing once more, with offsets, would
 * take most of the time of a `diff`.
 */
export const mayRepeatKey = (text: string, value: unknown): boolean =>
  (text.match(/"\s*:/g) ?? []).length !== keysIn(value);

function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce((sum: number, inner) => sum + keysIn(inner), own);
}
