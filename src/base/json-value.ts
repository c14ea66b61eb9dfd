import { quietly } from './quietly.ts';

/** True for an object that isn't a list. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Returns the value of a JSON text; undefined for any other text. */
export const jsonOrUndefined = (text: string): unknown => quietly(() => JSON.parse(text));

/** Returns the value at a path of own keys, including indexes of lists, but not their `length`, which JSON lacks. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let found = value;
  for (const key of path) {
    if (found === null || typeof found !== 'object' || !{}.propertyIsEnumerable.call(found, key))
      return undefined;
    found = (found as Readonly<Record<string | number, unknown>>)[key];
  }
  return found;
}

/** Returns the list at such a path; [] where there is none. */
export function listAt(value: unknown, path: readonly (string | number)[]): unknown[] {
  const list = valueAt(value, path);
  return Array.isArray(list) ? list : [];
}

/** Returns a text; undefined for any other value. */
export const ifText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Returns a table with each value replaced by what `change` makes of it. */
export function mapValues<Key extends string, From, To>(
  table: Readonly<Partial<Record<Key, From>>>,
  change: (value: From, key: Key) => To,
): Record<Key, To> {
  const entries = Object.entries(table) as [Key, From][];
  return Object.fromEntries(entries.map(([key, value]) => [key, change(value, key)])) as Record<Key, To>;
}

/** Returns a table with its keys renamed. What stands under a name already counts more. */
export const renamedKeys = <T>(
  table: Readonly<Record<string, T>>,
  rename: (key: string) => string,
): Record<string, T> => ({
  ...Object.fromEntries(Object.entries(table).map(([key, value]) => [rename(key), value])),
  ...Object.fromEntries(Object.entries(table).filter(([key]) => rename(key) === key)),
});

/** Returns a JSON value in which `change` replaces each value that is no list or object, at any depth; keys stay. */
export function mapLeaves(value: unknown, change: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((inner) => mapLeaves(inner, change));
  if (!isObject(value)) return change(value);
  return mapValues(value, (inner) => mapLeaves(inner, change));
}

/** Returns a JSON value with each string in it changed, at any depth; keys stay. */
export const mapTexts = <T>(value: T, change: (text: string) => string): T =>
  mapLeaves(value, (leaf) => (typeof leaf === 'string' ? change(leaf) : leaf)) as T;

/**
 * True when arrays and objects are nested deeper than `max`. Works without recursion, since a server's document may be
 * too deep for the stack.
 */
export function deeperThan(value: unknown, max: number): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > max) return true;
    level = level.flatMap((one) => Object.values(one).filter(isContainer));
  }
  return false;
}

const isContainer = (value: unknown): value is object => value !== null && typeof value === 'object';

/** Most levels of a file's value; everything that walks a value recurses, and a stack has some thousand levels. */
export const MOST_LEVELS = 200;

/** Returns the value of a file. Throws a RangeError, as a parser whose stack is full, when it is nested too deeply. */
export function shallow<T>(value: T): T {
  if (deeperThan(value, MOST_LEVELS)) throw new RangeError('nested too deeply');
  return value;
}
