const bare = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Number of insertions, deletions, replacements and swaps of neighbours between two words. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((row[j - 1] ?? 0) + 1, (last[j] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

/** Fewest characters of a prefix that identifies a candidate. */
const BEGINNING = 3;

/**
 * Returns the candidate that `word` was probably meant to be, ignoring spelling and case style, or the only candidate
 * with the prefix `word`; undefined when none is near.
 */
export function near(word: string, candidates: readonly string[]): string | undefined {
  const wanted = bare(word.slice(0, 100));
  if (!wanted) return undefined;
  const scored = candidates
    .map((candidate) => ({ candidate, cost: distance(wanted, bare(candidate)) }))
    .filter(({ candidate, cost }) => cost <= Math.max(1, Math.floor(bare(candidate).length / 4)))
    .sort((x, y) => x.cost - y.cost);
  if (scored[0]) return scored[0].candidate;
  const begun = wanted.length < BEGINNING ? [] : candidates.filter((c) => bare(c).startsWith(wanted));
  return begun.length === 1 ? begun[0] : undefined;
}

/** Returns the argument of a Fault that names the candidate that was probably meant, if any. */
export function nearArg(word: string, candidates: readonly string[]): { near?: string } {
  const found = near(word, candidates);
  return found === undefined ? {} : { near: found };
}
