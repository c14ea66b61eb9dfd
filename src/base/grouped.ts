/** Returns the values of each key, keys and values in the order in which they come. */
export function valuesByKey<K, V>(pairs: Iterable<readonly [key: K, value: V]>): Map<K, [V, ...V[]]> {
  const groups = new Map<K, [V, ...V[]]>();
  for (const [key, value] of pairs) {
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

/** Names that have the same text, in a table with more names than columns fit. */
interface Group {
  text: string;
  /** `all`, `all but <names>`, or the names. */
  whom: string;
}

/** Most exceptions that are named instead of the names themselves. */
const MOST_EXCEPTIONS = 2;

/** Returns each text with its names, the most common text first. */
export function grouped(told: readonly (readonly [name: string, text: string])[]): Group[] {
  const names = valuesByKey(told.map(([name, text]) => [text, name]));
  const all = told.map(([name]) => name);
  return [...names]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([text, own]) => {
      const others = all.filter((name) => !own.includes(name));
      const whom =
        others.length === 0 && all.length > 1
          ? 'all'
          : others.length <= MOST_EXCEPTIONS && own.length > MOST_EXCEPTIONS
            ? `all but ${others.join(', ')}`
            : own.join(', ');
      return { text, whom };
    });
}
