import { deeperThan, isObject, valueAt } from '../../base/json-value.ts';
import { excerpt } from '../../base/visible.ts';
import { canonicalJson } from '../../declarations/canonical-json.ts';
import { declarationsAndFaults } from '../../declarations/parse.ts';
import { inCapabilities, type Path } from '../../declarations/path.ts';
import { withoutWhen } from '../../declarations/without-when.ts';
import { Fault } from '../../messages/fault.ts';
import type { DeclarationPlace } from '../types.ts';
import { HOOK_PATHS, PLACE_WITH_WHEN } from './announce.ts';

const nameOf = ([first = '', second]: readonly string[]): DeclarationPlace =>
  first === 'extensions' ? `extensions["${second}"]` : [first, second].filter(Boolean).join('.');

/** Deepest nesting that a raw document may have. */
const MAX_DEPTH = 64;

interface PlacedDocument {
  place: DeclarationPlace;
  document: unknown;
}

/**
 * Returns the hooks document in a server's raw capabilities, from the first place that has one, or from our own
 * extension when the document there adds conditions. Throws a `Fault` when documents differ in more than conditions: the
 * first fault of one of them, or else the difference. `redact`: takes secrets out of what is shown of them.
 */
export function findDocument(
  capabilities: unknown,
  redact: (text: string) => string = (text) => text,
): PlacedDocument | undefined {
  const found: PlacedDocument[] = HOOK_PATHS.map((path) => ({
    place: nameOf(path),
    document: valueAt(capabilities, path),
  })).filter(({ document }) => document !== undefined);
  for (const { place, document } of found) {
    if (deeperThan(document, MAX_DEPTH)) throw new Fault('decl.depth', { max: MAX_DEPTH }, { path: place });
  }
  const [first] = found;
  const other = first && found.find((one) => canonicalJson(plain(one)) !== canonicalJson(plain(first)));
  if (other) throw found.flatMap(refusalsOf)[0] ?? difference(first, other, redact);
  const own = found.find(({ place }) => place === PLACE_WITH_WHEN);
  return own && canonicalJson(plain(own)) !== canonicalJson(own.document) ? own : first;
}

/** Returns a document as it has to be in every place. */
const plain = ({ place, document }: PlacedDocument): unknown =>
  place === PLACE_WITH_WHEN ? withoutWhen(document) : document;

/** Returns why a document is refused, whatever the options. */
function refusalsOf({ place, document }: PlacedDocument): Fault[] {
  const when = place === PLACE_WITH_WHEN;
  const options = { allowInvisible: true, lenient: 'limits', when, locate: inCapabilities(place) } as const;
  return declarationsAndFaults(document, options).refusals;
}

/** Returns the Fault with the first difference between two documents: its path and the value in each. */
function difference(one: PlacedDocument, other: PlacedDocument, redact: (text: string) => string): Fault {
  const sides = [one, other];
  const path = firstDifference(plain(one), plain(other));
  const texts = sides.map((side) => {
    const value = valueAt(plain(side), path);
    // Before it is shortened: a part of a secret would not be recognised.
    return value === undefined ? '' : redact(canonicalJson(value));
  });
  return new Fault('server.places-differ', {
    places: sides.map((side) => `${inCapabilities(side.place)(pathIn(side, path)).path}`),
    values: partsThatDiffer(texts),
  });
}

/** Returns the path of the first value that differs, or that only one has. */
function firstDifference(one: unknown, other: unknown): Path {
  const areLists = Array.isArray(one) && Array.isArray(other);
  if (!areLists && !(isObject(one) && isObject(other))) return [];
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const key = areLists ? Number(name) : name;
    const [a, b] = [valueAt(one, [key]), valueAt(other, [key])];
    if (a === undefined || b === undefined || canonicalJson(a) !== canonicalJson(b))
      return [key, ...firstDifference(a, b)];
  }
  return [];
}

/** Returns the path in a document of a path in its plain form, which lacks the items that are to be dropped. */
function pathIn({ place, document }: PlacedDocument, path: Path): Path {
  const [list, index, ...rest] = path;
  const items = valueAt(document, ['declarations']);
  if (place !== PLACE_WITH_WHEN || typeof index !== 'number' || !Array.isArray(items)) return path;
  const kept = items.flatMap((item, i) => {
    const without = withoutWhen({ declarations: [item] });
    return valueAt(without, ['declarations', 0]) === undefined ? [] : [i];
  });
  return [`${list}`, kept[index] ?? items.length, ...rest];
}

/** Number of characters before the first difference of two long texts that are shown. */
const BEFORE = 30;

/** Returns the part of each text that has their first difference, shortened. */
function partsThatDiffer(texts: readonly string[]): string[] {
  const [one = [], other = []] = texts.map((text) => [...text]);
  const at = one.findIndex((character, i) => character !== other[i]);
  const from = at > 2 * BEFORE ? at - BEFORE : 0;
  return [one, other].map((text) => (from > 0 ? '…' : '') + excerpt(text.slice(from).join('')));
}
