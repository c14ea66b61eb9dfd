import { isObject } from '../base/json-value.ts';
import { Fault, Faults } from '../messages/fault.ts';
import { inDocument, type Locate } from './path.ts';
import type { TextLimits } from './rule.ts';
import { depthFault, MAX_DECLARATIONS, ruleFaults } from './rules.ts';
import { documentShape, itemShape, itemWithWhenShape } from './schema.ts';
import { kind, shapeFaults, shown } from './shape-faults.ts';
import { type Declaration, PRIORITIES, type Priority } from './types.ts';

interface ParseOptions extends TextLimits {
  /** Skips invalid items and returns the rest. */
  lenient: boolean;
  /** Allows conditions (`when`); at the SEP's own places `when` is an unknown key. */
  when?: boolean;
  /** Returns the place of a path in the document; default: the path itself. */
  locate?: Locate;
}

export interface Parsed {
  declarations: Declaration[];
  /** Index of each declaration in the document. */
  indexes: number[];
  /** Lenient only: the reasons why items were left out. */
  skipped: Fault[];
}

/** Most Faults listed; more are only counted. */
const MAX_REPORTED = 100;

/**
 * Validates the value of a `hooks` capability against SEP-2282, schema and prose, and our limits. Throws `Faults` with
 * all errors at once; lenient, only when there is no list at all.
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
  if (items.length > most) {
    faults.push(new Fault('decl.too-many', { count: items.length, max: most }, locate(['declarations'])));
  }
  const declarations: Declaration[] = [];
  const indexes: number[] = [];
  for (const i of mostImportant(items, most)) {
    const item = withLineEnds(items[i]);
    const found = itemFaults(item, i, options, locate);
    if (found.length === 0) {
      declarations.push(item as Declaration);
      indexes.push(i);
    }
    faults.push(...found);
  }
  const reported = capped(faults);
  if (faults.length > 0 && !options.lenient)
    throw Object.assign(new Faults(reported), { valid: declarations.length });
  return { declarations, indexes, skipped: reported };
}

/** Returns the indexes of the items to look at: the lowest priority gives way, and of equal ones the last. */
function mostImportant(items: readonly unknown[], most: number): number[] {
  const rank = (i: number): number =>
    PRIORITIES.indexOf((items[i] as Partial<Declaration> | null)?.priority as Priority);
  const all = [...items.keys()];
  return items.length <= most
    ? all
    : all
        .sort((a, b) => rank(b) - rank(a) || a - b)
        .slice(0, most)
        .sort((a, b) => a - b);
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

function capped(faults: Fault[]): Fault[] {
  if (faults.length <= MAX_REPORTED) return faults;
  return [...faults.slice(0, MAX_REPORTED), new Fault('decl.more', { count: faults.length - MAX_REPORTED })];
}
