/** Most globs to which the braces of a glob may expand. */
export const MOST_GLOBS = 16;

/**
 * Expands the braces of a glob: `*.{md,mdx}` to `*.md` and `*.mdx`. Braces without a comma are literal. Returns
 * undefined for more than `MOST_GLOBS`, for a range (`{1..9}`), and for a brace without its other one.
 */
export function withoutBraces(glob: string): string[] | undefined {
  const from = glob.indexOf('{');
  const before = from < 0 ? glob : glob.slice(0, from);
  if (before.includes('}')) return undefined;
  if (from < 0) return [glob];
  const { items, end } = groupAt(glob, from) ?? {};
  if (!items || (items.length === 1 && items[0]?.includes('..'))) return undefined;
  const inner = items.map(withoutBraces);
  const rest = withoutBraces(glob.slice(end));
  if (!rest || !inner.every((some) => some !== undefined)) return undefined;
  const all = items.length === 1 ? inner.flat().map((one) => `{${one}}`) : inner.flat();
  if (all.length * rest.length > MOST_GLOBS) return undefined;
  return all.flatMap((one) => rest.map((other) => before + one + other));
}

/** Returns the items between the commas of a group, and the group's end; undefined for an unclosed one. */
function groupAt(glob: string, from: number): { items: string[]; end: number } | undefined {
  const items = [''];
  let depth = 0;
  for (let at = from + 1; at < glob.length; at++) {
    const character = glob[at] as string;
    if (depth === 0 && character === '}') return { items, end: at + 1 };
    if (character === '{') depth++;
    if (character === '}') depth--;
    if (depth === 0 && character === ',') items.push('');
    else items.push(`${items.pop()}${character}`);
  }
  return undefined;
}
