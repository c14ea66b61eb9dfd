import { isObject } from '../base/json-value.ts';
import { Fault, Faults } from '../messages/fault.ts';
import { inDocument, type Locate } from './path.ts';
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
  skipped: Fault[];
}

/** Most Faults listed; more are only counted. */
const MAX_REPORTED = 100;

/**
 * Validates the value of a `hooks` capability against SEP-2282, schema and prose, and our limits. Throws `Faults` with
 * all errors at once, except those that `lenient` skips.
 */
export function parseDeclarations(document: unknown, options: ParseOptions): Parsed {
  const locate = options.locate ?? inDocument;
  if (!isObject(document)) {
    throw new Faults([
      new Fault('decl.type', { expected: 'object', got: kind(document), value: shown(document) }, locate([])),
    ]);
  }
  const faults = (documentShape().safeParse(document).error?.issues ?? []).flatMap((issue) =>
    shapeFaults(issue, document, [], locate),
  );
  const items = (document as { declarations?: unknown }).declarations;
  if (!Array.isArray(items)) throw new Faults(faults);
  const most = options.anyLength ? items.length : MAX_DECLARATIONS;
  const declarations: Declaration[] = [];
  const indexes: number[] = [];
  const [used, beyond] = byImportance(items, most);
  const many = { count: items.length, max: most };
  if (options.lenient)
    for (const i of beyond.slice(0, MAX_REPORTED))
      faults.push(new Fault('decl.too-many', { ...many, givesWay: 1 }, locate(['declarations', i])));
  else if (beyond.length > 0) faults.push(new Fault('decl.too-many', many, locate(['declarations'])));
  for (const i of used) {
    const item = withLineEnds(items[i]);
    const found = itemFaults(item, i, options, locate);
    if (found.length === 0) {
      declarations.push(item as Declaration);
      indexes.push(i);
    }
    faults.push(...found);
  }
  const reported = capped(faults, options.lenient ? Math.max(0, beyond.length - MAX_REPORTED) : 0);
  const refused = options.lenient === 'limits' ? faults.filter((fault) => !isBeyondLimit(fault)) : faults;
  if (refused.length > 0 && options.lenient !== true)
    throw Object.assign(new Faults(reported), { valid: declarations.length });
  return { declarations, indexes, skipped: reported };
}

const isBeyondLimit = ({ args }: Fault): boolean => args.givesWay === 1;

/**
 * Returns the indexes of the items to look at, and of those beyond the limit: the lowest priority gives way, and of
 * equal ones the last.
 */
function byImportance(items: readonly unknown[], most: number): [used: number[], beyond: number[]] {
  const rank = (i: number): number =>
    PRIORITIES.indexOf((items[i] as Partial<Declaration> | null)?.priority as Priority);
  const all = [...items.keys()];
  if (items.length <= most) return [all, []];
  const sorted = all.sort((a, b) => rank(b) - rank(a) || a - b);
  const inOrder = (some: number[]): number[] => some.sort((a, b) => a - b);
  return [inOrder(sorted.slice(0, most)), inOrder(sorted.slice(most))];
}

/** CRLF in a text is a line end. */
function withLineEnds(item: unknown): unknown {
  if (!isObject(item) || typeof item.context !== 'string' || !item.context.includes('\r\n')) return item;
  return { ...item, context: item.context.replaceAll('\r\n', '\n') };
}

function itemFaults(
  item: unknown,
  index: number,
  limits: TextLimits & Pick<ParseOptions, 'when'>,
  locate: Locate,
): Fault[] {
  const path = ['declarations', index];
  const deep = depthFault(item, path, locate);
  if (deep.length > 0) return deep;
  const schema = limits.when ? itemWithWhenShape() : itemShape();
  const shape = schema.safeParse(item).error?.issues ?? [];
  return [
    ...shape.flatMap((issue) => shapeFaults(issue, item, path, locate, limits.when)),
    ...ruleFaults(item, limits, path, locate),
  ];
}

/** Returns a list that can be shown. `more`: the number of Faults that were not even made. */
function capped(faults: Fault[], more: number): Fault[] {
  if (faults.length + more <= MAX_REPORTED) return faults;
  const count = faults.length + more - MAX_REPORTED;
  return [...faults.slice(0, MAX_REPORTED), new Fault('decl.more', { count })];
}
