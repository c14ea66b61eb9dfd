/** Fewest numbers in a row that are written as a range. */
const ROW = 3;

/** Returns numbers in ascending order as text, with ranges: `1, 2, 5–9`. */
export function ranges(numbers: readonly number[]): string {
  const rows: number[][] = [];
  for (const n of numbers) {
    const row = rows.at(-1);
    if (row?.at(-1) === n - 1) row.push(n);
    else rows.push([n]);
  }
  return rows.map((row) => (row.length < ROW ? row.join(', ') : `${row[0]}–${row.at(-1)}`)).join(', ');
}
