import { type Node, parseTree } from 'jsonc-parser';

/**
 * Returns the first key that occurs twice in one object of a JSON text, with its offset in UTF-16 units; undefined when
 * there is none. Parsers take the last value, people and other programs the first.
 */
export function duplicateKey(text: string): { key: string; offset: number } | undefined {
  const root = parseTree(text);
  const waiting: Node[] = root ? [root] : [];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const seen = new Set<string>();
    for (const property of (node.type === 'object' && node.children) || []) {
      const [key] = property.children ?? [];
      if (key && seen.has(key.value)) return { key: key.value, offset: key.offset };
      if (key) seen.add(key.value);
    }
    waiting.push(...(node.children ?? []));
  }
  return undefined;
}
