import type * as z from 'zod/mini';
import { valueAt } from '../base/json-value.ts';
import { nearArg } from '../base/near.ts';
import { excerpt } from '../base/visible.ts';
import { Fault } from '../messages/fault.ts';
import type { Locate, Path } from './path.ts';
import { KEYS } from './schema.ts';

/** Name of a value's type in JSON. */
export function kind(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

/** Returns a value as text for a message: compact JSON, cut, invisible characters written out; else the type's name. */
export function shown(value: unknown): string {
  const small =
    value !== null && typeof value === 'object' ? (Array.isArray(value) ? '[…]' : '{…}') : undefined;
  const empty = small !== undefined && Object.keys(value as object).length === 0;
  if (small !== undefined) return empty ? small.replace('…', '') : small;
  // JSON.stringify throws for a bigint, and makes null of NaN and Infinity.
  if (typeof value === 'bigint') return excerpt(`${value}n`);
  return excerpt(typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? typeof value));
}

/** Returns the allowed keys of the object at a path; `item`: allowed keys of a declaration. */
function keysAt(path: Path, item: readonly string[]): readonly string[] {
  if (path.length === 0) return KEYS().document;
  const { matcher, when, unless_called, answer } = KEYS();
  const inner: Record<string, readonly string[]> = { matcher, when, unless_called, answer };
  return inner[String(path.at(-1))] ?? item;
}

/** Returns what one of several allowed forms accepts: values as JSON, a type's name, or `other`. */
function wanted(issue: z.core.$ZodIssue | undefined): string[] {
  if (issue?.code === 'invalid_value') return issue.values.map((value) => JSON.stringify(value));
  return [issue?.code === 'invalid_type' ? issue.expected : 'other'];
}

/**
 * Returns the Faults for one of zod's issues. `base`: path of `value` in the document; `withWhen`: declarations there
 * may have the key `when`.
 */
export function shapeFaults(
  issue: z.core.$ZodIssue,
  value: unknown,
  base: Path,
  locate: Locate,
  withWhen = false,
): Fault[] {
  const path = [...base, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))];
  const found = valueAt(value, path.slice(base.length));
  if (issue.code === 'unrecognized_keys') {
    const allowed = keysAt(path, withWhen ? KEYS().withWhen : KEYS().declaration);
    return issue.keys.map((key) => {
      const elsewhere = key === 'when' && allowed === KEYS().declaration;
      return new Fault(
        'decl.unknown-key',
        {
          key: excerpt(key),
          allowed,
          ...nearArg(key, allowed),
          ...(elsewhere && { elsewhere: 1 as const }),
        },
        locate([...path, key]),
      );
    });
  }
  if (found === undefined && path.length > base.length) {
    return [new Fault('decl.missing', { key: String(path.at(-1)) }, locate(path))];
  }
  if (issue.code === 'invalid_value' && typeof found === 'string') {
    const allowed = issue.values.map(String);
    const args = { value: shown(found), allowed, ...nearArg(found, allowed) };
    return [new Fault('decl.choice', args, locate(path))];
  }
  if (issue.code === 'invalid_union') {
    // A number of the wrong size has the right type: its size alone is the fault.
    const size = issue.errors.find((issues) => /^too_(big|small)$/.test(issues[0]?.code ?? ''));
    // When the value has one of the forms and only a part is wrong, report that part.
    const form = issue.errors.find((issues) => issues.every((inner) => inner.path.length > 0));
    const choice = issue.errors.flat().find((i) => i.code === 'invalid_value' && i.values.length > 1);
    const inner = form ?? size ?? (typeof found === 'string' && choice ? [choice] : undefined);
    if (inner)
      return inner.flatMap((one) =>
        shapeFaults({ ...one, path: [...issue.path, ...one.path] }, value, base, locate, withWhen),
      );
    const expected = issue.errors.flatMap((issues) => wanted(issues[0]));
    return [new Fault('decl.type', { expected, got: kind(found), value: shown(found) }, locate(path))];
  }
  if (issue.code === 'too_small')
    return [
      issue.origin === 'array'
        ? new Fault('decl.empty-list', { key: String(path.at(-1)) }, locate(path))
        : new Fault('when.too-small', { value: shown(found), min: Number(issue.minimum) }, locate(path)),
    ];
  if (issue.code === 'too_big')
    return [new Fault('when.too-large', { value: shown(found), max: Number(issue.maximum) }, locate(path))];
  const expected = [issue.code === 'invalid_type' ? issue.expected : 'string'];
  return [new Fault('decl.type', { expected, got: kind(found), value: shown(found) }, locate(path))];
}
