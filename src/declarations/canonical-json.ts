import { sha256 } from '../base/sha256.ts';
import type { Declaration } from './types.ts';

/** Returns compact JSON with the keys of every object sorted by code unit, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((v) => canonicalJson(v ?? null)).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const fields = Object.keys(value)
    .sort()
    .filter((key) => (value as Record<string, unknown>)[key] !== undefined)
    .map((key) => `${JSON.stringify(key)}:${canonicalJson((value as Record<string, unknown>)[key])}`);
  return `{${fields.join(',')}}`;
}

/** Returns the value with the keys of every object in the order of `canonicalJson`. */
export function sorted<T>(value: T): T {
  return value === undefined ? value : JSON.parse(canonicalJson(value));
}

/** SHA-256 of the canonical JSON, in hexadecimal. */
export function canonicalHash(value: unknown): string {
  return sha256(canonicalJson(value));
}

/** Hash of a server's declarations: depends on their order, but not on the order of keys. */
export function declarationsHash(declarations: readonly unknown[]): string {
  return canonicalHash(declarations);
}

/** Returns the declaration with its well-known keys in reading order, followed by all others, sorted. */
export function inReadingOrder(declaration: Declaration): Declaration {
  const { event, matcher, when, context, context_tool, context_tool_args, priority, ...rest } = declaration;
  const keys = { event, matcher, when, context, context_tool, context_tool_args, ...rest, priority };
  return Object.fromEntries(
    Object.entries(keys)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, sorted(value)]),
  ) as unknown as Declaration;
}
