import { type Node, parseTree } from 'jsonc-parser';

/**
 * Returns the offset, in UTF-16 units, of a number in a JSON text that JavaScript can't keep, such as an id of 20 digits;
 * undefined when it keeps all. A tool would get another number.
 */
export function inexactNumber(text: string): number | undefined {
  if (!/\d{16}|\de\+?\d{3}/i.test(text)) return undefined;
  const root = parseTree(text);
  const waiting: Node[] = root ? [root] : [];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'number' && !isExact(text.slice(node.offset, node.offset + node.length)))
      return node.offset;
    waiting.push(...(node.children ?? []));
  }
  return undefined;
}

function isExact(written: string): boolean {
  const value = Number(written);
  if (!/^-?\d+$/.test(written)) return Number.isFinite(value);
  return String(value) === written || (Number.isFinite(value) && BigInt(written) === BigInt(value));
}
