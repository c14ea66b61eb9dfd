import { isObject } from '../base/json-value.ts';
import type { Fault } from '../messages/fault.ts';
import type { Locate, Path } from './path.ts';

export interface TextLimits {
  /** Texts and lists of any length, as in what was accepted once; else at most what the contract's "Limits" say. */
  anyLength?: boolean;
  /** Allow characters that a person doesn't see. */
  allowInvisible: boolean;
}

export type Item = Readonly<Record<string, unknown>>;

/** Looks at one item, whatever else is wrong with it; `at` places a path below it. */
export type Rule = (item: Item, limits: TextLimits, at: (...path: Path) => ReturnType<Locate>) => Fault[];

/** An object's own object; `{}` where there is none. */
export const objectAt = (item: Item, key: string): Item => {
  const value = item[key];
  return isObject(value) ? value : {};
};

export const has = (item: Item, key: string): boolean => Object.hasOwn(item, key) && item[key] !== undefined;
