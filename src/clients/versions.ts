import type { Proved } from './client.ts';

/** True when a version is within the tested range of the client. Only the numbers before a `-` count. */
export function isProved(version: string, { oldest, newest }: Pick<Proved, 'oldest' | 'newest'>): boolean {
  return compareVersions(oldest, version) <= 0 && compareVersions(version, newest) <= 0;
}

/** Returns a negative number when `a` is older than `b`. Only the numbers before a `-` count. */
export function compareVersions(a: string, b: string): number {
  const numbers = (v: string): number[] => (v.split('-')[0] ?? '').split('.').map(Number);
  const [x, y] = [numbers(a), numbers(b)];
  for (let i = 0; i < Math.max(x.length, y.length); i++) {
    const difference = (x[i] ?? 0) - (y[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
