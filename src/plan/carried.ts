import type { HookOutcome } from './types.ts';

const LEFT_OUT: readonly string[] = ['unsupported', 'skipped'] satisfies HookOutcome['fidelity'][];

/**
 * True when a client carries a hook at some native event: the client supports the hook, and no choice leaves it out.
 * `fidelity`: of an outcome, or from a record; undefined: no outcome.
 */
export const isCarried = (fidelity: string | undefined): boolean =>
  fidelity !== undefined && !LEFT_OUT.includes(fidelity);
