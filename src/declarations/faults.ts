import type * as z from 'zod/mini';
import { Fault } from '../messages.ts';
import { near } from './near.ts';
import type { Locate, Path } from './path.ts';
import { KEYS } from './schema.ts';
import { excerpt } from './visible.ts';

/** What a value is, in JSON's words. */
export function kind(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

/** A value as it stands in a message: compact JSON, cut, invisible characters written out. */
export function shown(value: unknown): string {
  const small =
    value !== null && typeof value === 'object' ? (Array.isArray(value) ? '[…]' : '{…}') : undefined;
  return small ?? excerpt(JSON.stringify(value) ?? 'undefined');
}

function at(value: unknown, path: Path): unknown {
  let found = value;
  for (const step of path) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string | number, unknown>)[step];
  }
  return found;
}

const ENGLISH: Record<string, string> = { record: 'object' };

function keysAt(path: Path): readonly string[] {
  if (path.length === 0) return KEYS().document;
  return path.at(-1) === 'matcher' ? KEYS().matcher : KEYS().declaration;
}

/** The faults that one of zod's issues stands for. `base` is the path of `value` in the document. */
export function shapeFaults(issue: z.core.$ZodIssue, value: unknown, base: Path, locate: Locate): Fault[] {
  const path = [...base, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))];
  const found = at(value, path.slice(base.length));
  if (issue.code === 'unrecognized_keys') {
    const allowed = keysAt(path);
    return issue.keys.map((key) => {
      const meant = near(key, allowed);
      return new Fault(
        'decl.unknown-key',
        { key: excerpt(key), allowed, ...(meant ? { near: meant } : {}) },
        locate([...path, key]),
      );
    });
  }
  if (found === undefined && path.length > base.length) {
    return [new Fault('decl.missing', { key: String(path.at(-1)) }, locate(path))];
  }
  if (issue.code === 'invalid_value' && typeof found === 'string') {
    const allowed = issue.values.map(String);
    const meant = near(found, allowed);
    return [
      new Fault(
        'decl.choice',
        { value: shown(found), allowed, ...(meant ? { near: meant } : {}) },
        locate(path),
      ),
    ];
  }
  const expected = issue.code === 'invalid_type' ? (ENGLISH[issue.expected] ?? issue.expected) : 'string';
  return [new Fault('decl.type', { expected, got: kind(found), value: shown(found) }, locate(path))];
}
