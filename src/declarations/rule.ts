import { isObject } from '../base/json-value.ts';
import type { Where } from '../messages/args.ts';
import { Fault } from '../messages/fault.ts';
import type { Locate, Path } from './path.ts';

export interface TextLimits {
  /** Allows texts and lists of any length, for declarations accepted earlier; otherwise both are limited. */
  anyLength?: boolean;
  /** Allows invisible characters. */
  allowInvisible: boolean | 'never';
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Checks one item, whatever else is wrong with the item; `at` returns the place of a path below it. */
export type DeclarationRule = (
  item: JsonObject,
  limits: TextLimits,
  at: (...path: Path) => ReturnType<Locate>,
) => Fault[];

/** Returns an object's own member when that is an object; otherwise `{}`. */
export const objectAt = (item: JsonObject, key: string): JsonObject => {
  const value = item[key];
  return isObject(value) ? value : {};
};

export const has = (item: JsonObject, key: string): boolean =>
  Object.hasOwn(item, key) && item[key] !== undefined;

/** Each `*` multiplies the ways in which a glob can fail to match; with four, matching takes far less than 1 ms. */
const MOST_STARS = 4;

/** Returns a Fault for a glob with too many stars, at the place that `where` returns: a place in a long file takes time. */
export function starFaults(glob: unknown, where: () => Where): Fault[] {
  const stars = typeof glob === 'string' ? (glob.match(/\*+/g)?.length ?? 0) : 0;
  return stars > MOST_STARS ? [new Fault('decl.glob', { stars, max: MOST_STARS }, where())] : [];
}
