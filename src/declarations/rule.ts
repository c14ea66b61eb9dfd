import { isObject } from '../base/json-value.ts';
import type { Fault } from '../messages/fault.ts';
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
