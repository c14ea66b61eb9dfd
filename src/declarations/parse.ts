import { isObject, mapTexts } from '../base/json-value.ts';
import { Fault, Faults } from '../messages/fault.ts';
import { leftOutBy } from './left-out.ts';
import { inDocument, type Locate, type Path } from './path.ts';
import type { TextLimits } from './rule.ts';
import { depthFault, MAX_DECLARATIONS, ruleFaults } from './rules.ts';
import { documentShape, itemShape, itemWithWhenShape } from './schema.ts';
import { kind, shapeFaults, shown } from './shape-faults.ts';
import { type Declaration, PRIORITIES, type Priority } from './types.ts';

interface ParseOptions extends TextLimits {
  /** Skips invalid items and returns the rest; `limits`: skips only what is beyond our limits. */
  lenient: boolean | 'limits';
  /** Allows conditions (`when`); at the SEP's own places `when` is an unknown key. */
  when?: boolean;
  /** Returns the place of a path in the document; default: the path itself. */
  locate?: Locate;
}

export interface Parsed {
  declarations: Declaration[];
  /** Index of each declaration in the document. */
  indexes: number[];
  /** Unless `lenient` is false: the reasons why items were left out. */
  leftOut: Fault[];
}

/** What a document has, and the Faults for which it is refused as a whole. */
export interface Checked extends Parsed {
  refusals: Fault[];
}

/** Most Faults listed; more are only counted. */
const MAX_REPORTED = 100;

/** Most items checked where those beyond our limits are left out, so that no document takes long. */
const MAX_CHECKED = 1000;

/**
 * Validates the value of a `hooks` capability against SEP-2282, schema and prose, and our limits. Throws `Faults` with
 * all errors at once, except those that `lenient` skips.
 */
export function parseDeclarations(document: unknown, options: ParseOptions): Parsed {
  const { refusals, ...parsed } = declarationsAndFaults(document, options);
  if (refusals.length > 0) throw new Faults(refusals, parsed.declarations.length);
  return parsed;
}

/** Does what `parseDeclarations` does, but returns the Faults, so that others can be reported with them. */
export function declarationsAndFaults(document: unknown, options: ParseOptions): Checked {
  const locate = options.locate ?? inDocument;
  if (!isObject(document)) {
    const args = { expected: ['object'], got: kind(document), value: shown(document) };
    return refused([new Fault('decl.type', args, locate([]))]);
  }
  const faults = (documentShape().safeParse(document).error?.issues ?? []).flatMap((issue) =>
    shapeFaults(issue, document, [], locate),
  );
  const items = (document as { declarations?: unknown }).declarations;
  if (!Array.isArray(items)) return refused(faults);
  const most = options.anyLength ? items.length : MAX_DECLARATIONS;
  const found = itemsIn(items, options.lenient ? MAX_CHECKED : most, options, locate);
  // One item may have more Faults than a call takes arguments.
  for (const fault of found.faults) faults.push(fault);
  const many = { count: items.length, max: most };
  if (!options.lenient) {
    if (items.length > most) faults.push(new Fault('decl.too-many', many, locate(['declarations'])));
    return resultOf(found.valid, faults, [], options);
  }
  // With nothing left the document is refused: an update must not remove all hooks for this reason.
  if (options.lenient === 'limits' && found.valid.length === 0) faults.push(...found.tooLong);
  const kept = new Set(mostImportant(found.valid, most, ({ item }) => item));
  const valid = found.valid.filter((one) => kept.has(one));
  const beyond = found.tooLong.map((fault) => fault.with({ leftOut: 1 }));
  const less = found.valid.length - valid.length + found.unseen;
  if (less > 0) {
    const places = found.valid.filter((one) => !kept.has(one)).map(({ index }) => `declarations[${index}]`);
    beyond.push(new Fault('decl.too-many', { ...many, leftOut: less, places }, locate(['declarations'])));
  }
  return resultOf(valid, faults, beyond, options);
}

const refused = (refusals: Fault[]): Checked => ({ declarations: [], indexes: [], leftOut: [], refusals });

/** Returns the valid items. `faults`: of the others; `beyond`: what our limits leave out. */
function resultOf(
  valid: readonly Item[],
  faults: readonly Fault[],
  beyond: readonly Fault[],
  { lenient }: ParseOptions,
): Checked {
  const passedOver = lenient === true ? faults : [];
  return {
    declarations: valid.map(({ item }) => item),
    indexes: valid.map(({ index }) => index),
    leftOut: capped([...passedOver, ...beyond]),
    refusals: lenient === true ? [] : capped(faults),
  };
}

interface Item {
  item: Declaration;
  index: number;
}

/**
 * Checks the `most` most important items. `tooLong`: Faults of items whose only fault is that their text is longer than
 * our limit, when these are to be left out; `unseen`: the number of items that nobody looked at.
 */
function itemsIn(items: readonly unknown[], most: number, options: ParseOptions, locate: Locate) {
  const valid: Item[] = [];
  const faults: Fault[] = [];
  const tooLong: Fault[] = [];
  const looked = mostImportant([...items.keys()], most, (i) => items[i]).sort((a, b) => a - b);
  for (const index of looked) {
    const path = ['declarations', index];
    const deep = depthFault(items[index], path, locate);
    // CRLF in a text is a line end.
    const item = deep ? undefined : mapTexts(items[index], (text) => text.replaceAll('\r\n', '\n'));
    const found = deep ? [deep] : itemFaults(item, path, options, locate);
    if (found.length === 0) valid.push({ item: item as Declaration, index });
    const givesWay = options.lenient && found.every(({ args }) => args.text === 1);
    for (const fault of found) (givesWay ? tooLong : faults).push(fault);
  }
  return { valid, faults, tooLong, unseen: items.length - looked.length };
}

/** Returns the `most` with the highest priority, of equal ones the first. An unknown priority counts as the highest. */
function mostImportant<T>(all: readonly T[], most: number, item: (one: T) => unknown): T[] {
  if (all.length <= most) return [...all];
  const rank = (one: T): number => {
    const { priority } = (item(one) ?? {}) as Partial<Declaration>;
    const known = PRIORITIES.indexOf(priority as Priority);
    return known === -1 ? PRIORITIES.length : known;
  };
  const ranks = new Map(all.map((one) => [one, rank(one)]));
  // The order of equal ones stays.
  return [...all].sort((a, b) => (ranks.get(b) ?? 0) - (ranks.get(a) ?? 0)).slice(0, most);
}

function itemFaults(
  item: unknown,
  path: Path,
  limits: TextLimits & Pick<ParseOptions, 'when'>,
  locate: Locate,
): Fault[] {
  const schema = limits.when ? itemWithWhenShape() : itemShape();
  const shape = schema.safeParse(item).error?.issues ?? [];
  return [
    ...shape.flatMap((issue) => shapeFaults(issue, item, path, locate, limits.when)),
    ...ruleFaults(item, limits, path, locate),
  ];
}

function capped(faults: readonly Fault[]): Fault[] {
  if (faults.length <= MAX_REPORTED) return [...faults];
  const shown = faults.slice(0, MAX_REPORTED);
  const count = faults.length - shown.length;
  return [...shown, new Fault('decl.more', { count, leftOut: leftOutBy(faults) - leftOutBy(shown) })];
}
