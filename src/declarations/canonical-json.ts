import { sha256 } from '../base/sha256.ts';
import type { Declaration } from './types.ts';

/** Compact JSON with the keys of every object sorted by code unit, so that equal values give equal text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((v) => canonicalJson(v ?? null)).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const fields = Object.keys(value)
    .sort()
    .filter((key) => (value as Record<string, unknown>)[key] !== undefined)
    .map((key) => `${JSON.stringify(key)}:${canonicalJson((value as Record<string, unknown>)[key])}`);
  return `{${fields.join(',')}}`;
}

/** The same value with the keys of every object in the order of `canonicalJson`. */
export function sorted<T>(value: T): T {
  return value === undefined ? value : JSON.parse(canonicalJson(value));
}

/** sha256 of the canonical JSON, in hexadecimal. */
export function canonicalHash(value: unknown): string {
  return sha256(canonicalJson(value));
}

/** Identity of what a server declares: order counts, the order of keys doesn't. */
export function declarationsHash(declarations: readonly unknown[]): string {
  return canonicalHash(declarations);
}

/** Whether arrays and objects are nested deeper than `max`; walks without recursion, since a server's document may not fit a stack. */
export function deeperThan(value: unknown, max: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > max) return true;
    level = level.flatMap((v) =>
      v !== null && typeof v === 'object' ? Object.values(v).filter(isContainer) : [],
    );
  }
  return false;
}

const isContainer = (value: unknown): boolean => value !== null && typeof value === 'object';

/** The same declaration with its keys in the order in which people read them, and all others sorted. */
export function inReadingOrder(declaration: Declaration): Declaration {
  const { event, matcher, when, context, context_tool, context_tool_args, priority, ...rest } = declaration;
  const keys = { event, matcher, when, context, context_tool, context_tool_args, ...rest, priority };
  return Object.fromEntries(
    Object.entries(keys)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, sorted(value)]),
  ) as unknown as Declaration;
}
