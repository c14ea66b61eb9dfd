/**
 * How much a run tests. Without MCPHOOKS_TEST it is short. `long`: also the tests that start many processes or wait, and
 * whose subject a cheaper test touches. `all`: also every shell, every row of each matrix, and properties tried often.
 * `.ci/run` runs `all`, the short run on a second version of Node, and `long` on Windows and with tools of other systems.
 */
export const ALL = process.env.MCPHOOKS_TEST === 'all';
export const LONG = ALL || process.env.MCPHOOKS_TEST === 'long';

const RUNS = Number(process.env.PROPERTY_RUNS ?? (ALL ? 150 : 30));

/** As `npm run fuzz` sets it: `seed/milliseconds`, how long each property is tried, and from where. */
const [seed, milliseconds] = (process.env.MCPHOOKS_FUZZ ?? '').split('/').map(Number);

/**
 * Of a matrix all with MCPHOOKS_TEST=all, else each `of`th from `turn` on: a test that gives each row another turn still
 * tries every column.
 */
export const sample = <T>(all: readonly T[], of: number, turn = 0): readonly T[] =>
  ALL ? all : all.filter((_, i) => i % of === turn % of);

export interface Effort {
  numRuns: number;
  seed?: number;
  interruptAfterTimeLimit?: number;
}

/** How often fast-check tries a property; `factor`: for a property that finds its faults rarely. */
export const often = (factor = 1): Effort =>
  seed !== undefined && milliseconds !== undefined
    ? { numRuns: Number.MAX_SAFE_INTEGER, seed, interruptAfterTimeLimit: milliseconds }
    : { numRuns: RUNS * factor };

/** Returns the CPU time in ms that this process takes meanwhile: what other processes do doesn't count. */
export function cpuTime(work: () => unknown): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
