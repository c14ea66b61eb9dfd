import { excerpt } from '../base/visible.ts';
import type { Where } from '../messages/args.ts';

/** Keys and indexes from a document's root to a value. */
export type Path = readonly (string | number)[];

/** Returns the place of a path in a document; a file adds line and column. */
export type Locate = (path: Path) => Where;

/** Returns a path as text, such as `declarations[2].matcher.tool_name`; a key that isn't a plain word is quoted. */
export function pathText(path: Path): string {
  return path
    .map((step, i) => {
      if (typeof step === 'number') return `[${step}]`;
      if (!/^[A-Za-z_$][\w$-]*$/.test(step)) return `[${excerpt(JSON.stringify(step))}]`;
      return i === 0 ? step : `.${step}`;
    })
    .join('');
}

/** Returns the places of paths in what a server declares at a place of its capabilities. */
export const inCapabilities =
  (place: string): Locate =>
  (path) => ({ path: `capabilities.${place}${path.length === 0 ? '' : `.${pathText(path)}`}` });

export const inDocument: Locate = (path) => ({ path: pathText(path) });
