import { join } from 'node:path';
import { once } from '../../base/once.ts';
import { Fault, orFault } from '../../messages/fault.ts';
import { type Identity, packageName } from '../packages/identity.ts';
import type { EntryFile } from './entry.ts';
import { bundledCatalogue, entryIds, readEntryFile } from './load.ts';

/** An entry that a server matches. */
export interface Match {
  /** Folder of the catalogue. */
  catalogue: string;
  id: string;
  entry: EntryFile;
}

/** What the entries of a catalogue say of a server. */
interface Matches {
  found: Match[];
  /** Faults of entries that can't be read, and so can't be matched. */
  faults: Fault[];
}

/** Returns an identity as `Identity.names` spell it. */
function spelled(kind: string, name: string): string {
  if (kind === 'pypi' || kind === 'oci') return `${kind}:${packageName(name, kind) ?? name}`;
  if (kind === 'url' && URL.canParse(name)) return `url:${new URL(name).href}`;
  return `${kind}:${name}`;
}

/** True when an entry is for what has this identity. */
export function fits(
  { match, programs }: Pick<EntryFile, 'match' | 'programs'>,
  identity: Identity,
): boolean {
  const { names, program } = identity;
  const meant = Object.entries(match).flatMap(([kind, all]) => all.map((name) => spelled(kind, name)));
  return names.some(
    (name) =>
      meant.includes(name) &&
      (program === undefined || (programs ?? name.split(/[:/]/).slice(-1)).includes(program)),
  );
}

/** Reads the entries of a catalogue, each as what matches, or as the Fault of its file. */
const readEntries = (catalogue: string): (Match | Fault)[] =>
  entryIds(catalogue).map((id) =>
    orFault(() => ({ catalogue, id, entry: readEntryFile(join(catalogue, id), id) })),
  );

/** What came with mcphooks is read once, since `scan` matches every server. */
const bundled = once(() => readEntries(bundledCatalogue()));

/** Returns the entries of a catalogue that fit; an entry that was withdrawn fits nothing. */
export function matchingEntries(catalogue: string, identity: Identity): Matches {
  const found: Match[] = [];
  const faults: Fault[] = [];
  if (identity.names.length === 0) return { found, faults };
  for (const one of catalogue === bundledCatalogue() ? bundled() : readEntries(catalogue)) {
    if (one instanceof Fault) faults.push(one);
    else if (!one.entry.withdrawn && fits(one.entry, identity)) found.push(one);
  }
  return { found, faults };
}
