import * as z from 'zod/mini';

/**
 * Returns the schema of a whole number with limits. They are checked first and alone: `z.int()` has limits of its own,
 * and would report a number beyond both twice.
 */
export const wholeNumber = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  z.number().check(z.minimum(least, { abort: true }), z.maximum(most, { abort: true }), z.int());
