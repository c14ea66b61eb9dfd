import { Fault, Faults } from '../messages.ts';
import { kind, shapeFaults, shown } from './faults.ts';
import { inDocument, type Locate } from './path.ts';
import { depthFault, ruleFaults, type TextLimits } from './rules.ts';
import { documentShape, itemShape } from './schema.ts';
import type { Declaration } from './types.ts';

export interface ParseOptions extends TextLimits {
  maxDeclarations: number;
  /** Skip what is bad and use the rest. */
  lenient: boolean;
  /** Where a path of the document lies; default: the path itself. */
  locate?: Locate;
}

export interface Parsed {
  declarations: Declaration[];
  /** Only when lenient: why items were left out. */
  skipped: Fault[];
}

/** More are counted, not listed: a report of a thousand lines helps nobody. */
const MAX_REPORTED = 100;

/**
 * Checks the value of a `hooks` capability against SEP-2282, schema and prose, and our limits.
 * Throws `Faults` with everything that is wrong at once; lenient, only when there is no list at all.
 */
export function parseDeclarations(document: unknown, options: ParseOptions): Parsed {
  const locate = options.locate ?? inDocument;
  if (document === null || typeof document !== 'object' || Array.isArray(document)) {
    throw new Faults([
      new Fault('decl.type', { expected: 'object', got: kind(document), value: shown(document) }, locate([])),
    ]);
  }
  const faults = (documentShape().safeParse(document).error?.issues ?? []).flatMap((issue) =>
    shapeFaults(issue, document, [], locate),
  );
  const items = (document as { declarations?: unknown }).declarations;
  if (!Array.isArray(items)) throw new Faults(faults);
  if (items.length > options.maxDeclarations) {
    faults.push(
      new Fault(
        'decl.too-many',
        { count: items.length, max: options.maxDeclarations },
        locate(['declarations']),
      ),
    );
  }
  const declarations: Declaration[] = [];
  for (const [i, item] of items.slice(0, options.maxDeclarations).entries()) {
    const found = itemFaults(item, i, options, locate);
    if (found.length === 0) declarations.push(item as Declaration);
    faults.push(...found);
  }
  const reported = capped(faults);
  if (faults.length > 0 && !options.lenient) throw new Faults(reported);
  return { declarations, skipped: reported };
}

function itemFaults(item: unknown, index: number, limits: TextLimits, locate: Locate): Fault[] {
  const path = ['declarations', index];
  const deep = depthFault(item, path, locate);
  if (deep.length > 0) return deep;
  const shape = itemShape().safeParse(item).error?.issues ?? [];
  return [
    ...shape.flatMap((issue) => shapeFaults(issue, item, path, locate)),
    ...ruleFaults(item, limits, path, locate),
  ];
}

function capped(faults: Fault[]): Fault[] {
  if (faults.length <= MAX_REPORTED) return faults;
  return [...faults.slice(0, MAX_REPORTED), new Fault('decl.more', { count: faults.length - MAX_REPORTED })];
}
