import type { Fault } from '../messages/fault.ts';

/** Returns how many items faults leave out; several may be of one item, and one of many. */
export function leftOutBy(faults: readonly Fault[]): number {
  const items = faults.flatMap(({ where }) => /^.*?\[\d+\]/.exec(where.path ?? '')?.[0] ?? []);
  const beyond = faults.map(({ code, args }) => (isOfMany(code) ? Number(args.leftOut) : 0));
  return beyond.reduce((sum, n) => sum + n, new Set(items).size);
}

const isOfMany = (code: string): boolean => code === 'decl.too-many' || code === 'decl.more';
