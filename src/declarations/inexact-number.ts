import { type Node, parseTree } from 'jsonc-parser';

/**
 * Returns the offset, in UTF-16 units, of a number in a JSON text that JavaScript can't keep, such as an id of 20 digits;
 * undefined when it keeps all. A tool would get another number.
 */
export function inexactNumber(text: string): number | undefined {
  if (!/\d{16}|\de[+-]?\d{3}/i.test(text)) return undefined;
  const root = parseTree(text);
  const waiting: Node[] = root ? [root] : [];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'number' && !isExact(text.slice(node.offset, node.offset + node.length)))
      return node.offset;
    for (const child of node.children ?? []) waiting.push(child);
  }
  return undefined;
}

/** True for a number that stays the same number, and for a fraction, which any program rounds. */
function isExact(written: string): boolean {
  const value = Number(written);
  const digits = digitsOf(written);
  if (!Number.isFinite(value) || (value === 0 && digits !== '')) return false;
  if (digitsOf(String(value)) === digits) return true;
  if (/^-?\d+$/.test(written)) return BigInt(written) === BigInt(value);
  return !Number.isInteger(value);
}

/** Returns a number's digits without sign, point, exponent, and zeros at the ends. */
const digitsOf = (written: string): string =>
  written
    .replace(/e.*$/i, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '');
