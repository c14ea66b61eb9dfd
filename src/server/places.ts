import { canonicalJson, deeperThan } from '../declarations/canonical.ts';
import { excerpt } from '../declarations/visible.ts';
import { Fault } from '../messages.ts';
import { EXTENSION_IDS } from './announce.ts';
import { lookUp } from './definition.ts';
import type { DeclarationPlace } from './types.ts';

const PATHS: readonly (readonly [DeclarationPlace, readonly string[]])[] = [
  ['hooks', ['hooks']],
  ['experimental.hooks', ['experimental', 'hooks']],
  ...EXTENSION_IDS.map((id) => [`extensions["${id}"]`, ['extensions', id]] as const),
];

/** Deepest nesting of a raw document that is looked at. */
const MAX_DEPTH = 64;

/**
 * The hooks document in a server's raw capabilities, from the first place that holds one.
 * Throws a `Fault` when another place holds a different one.
 */
export function findDocument(
  capabilities: unknown,
): { place: DeclarationPlace; document: unknown } | undefined {
  const found = PATHS.map(([place, path]) => ({ place, document: lookUp(capabilities, path) })).filter(
    ({ document }) => document !== undefined,
  );
  for (const { place, document } of found) {
    if (deeperThan(document, MAX_DEPTH)) throw new Fault('decl.depth', { max: MAX_DEPTH }, { path: place });
  }
  const texts = found.map(({ document }) => canonicalJson(document));
  if (new Set(texts).size > 1) {
    const documents = found.map(({ place }, i) => `${place}: ${excerpt(texts[i] ?? '', 10_000)}`);
    throw new Fault('server.places-differ', { documents });
  }
  return found[0];
}
