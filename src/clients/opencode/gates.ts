import type { Gates } from '../gates.ts';

/** OpenCode runs every plugin of its folders, a project's included, without a question. */
export const gates: Gates = { switches: [] };
