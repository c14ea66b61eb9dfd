import { deeperThan, valueAt } from '../../base/json-value.ts';
import { excerpt } from '../../base/visible.ts';
import { canonicalJson } from '../../declarations/canonical-json.ts';
import { withoutWhen } from '../../declarations/without-when.ts';
import { Fault } from '../../messages/fault.ts';
import type { DeclarationPlace } from '../types.ts';
import { HOOK_PATHS, PLACE_WITH_WHEN } from './announce.ts';

const nameOf = ([first = '', second]: readonly string[]): DeclarationPlace =>
  first === 'extensions' ? `extensions["${second}"]` : [first, second].filter(Boolean).join('.');

/** Deepest nesting that a raw document may have. */
const MAX_DEPTH = 64;

/**
 * Returns the hooks document in a server's raw capabilities, from the first place that has one, or from our own
 * extension when the document there adds conditions. Throws a `Fault` when documents differ in more than conditions.
 */
export function findDocument(
  capabilities: unknown,
): { place: DeclarationPlace; document: unknown } | undefined {
  const found = HOOK_PATHS.map((path) => ({
    place: nameOf(path),
    document: valueAt(capabilities, path),
  })).filter(({ document }) => document !== undefined);
  for (const { place, document } of found) {
    if (deeperThan(document, MAX_DEPTH)) throw new Fault('decl.depth', { max: MAX_DEPTH }, { path: place });
  }
  const own = found.find(({ place }) => place === PLACE_WITH_WHEN);
  const others = found.filter((one) => one !== own).map(({ document }) => canonicalJson(document));
  const plain = own && canonicalJson(withoutWhen(own.document));
  const texts = plain === undefined || found.length === 1 ? others : [...others, plain];
  if (new Set(texts).size > 1) {
    const documents = found.map(
      ({ place, document }) => `${place}: ${excerpt(canonicalJson(document), 10_000)}`,
    );
    const misplaced = found.find(
      (one) => one !== own && canonicalJson(withoutWhen(one.document)) !== canonicalJson(one.document),
    );
    throw new Fault('server.places-differ', { documents, ...(misplaced && { when: misplaced.place }) });
  }
  return plain !== undefined && plain !== canonicalJson(own?.document) ? own : found[0];
}
