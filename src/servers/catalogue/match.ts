import { join } from 'node:path';
import { valuesByKey } from '../../base/grouped.ts';
import { once, throwingAgain } from '../../base/once.ts';
import { Fault, orFault } from '../../messages/fault.ts';
import { type Identity, packageName } from '../packages/identity.ts';
import type { EntryFile } from './entry.ts';
import {
  bundledCatalogue,
  type CatalogueEntry,
  entryIds,
  readCatalogueEntry,
  readEntryFile,
} from './load.ts';

/** An entry that a server matches. */
export interface Match {
  id: string;
  entry: EntryFile;
  /** Reads the whole entry, once. Throws as `readCatalogueEntry`. */
  whole: () => CatalogueEntry;
}

/** The entries of a catalogue that weren't withdrawn, as a server finds them. */
export interface CatalogueIndex {
  /** By each identity that they are for, as `Identity.names` spell it. */
  byName: ReadonlyMap<string, readonly Match[]>;
  /** Faults of entries that can't be read, and so can't be matched. */
  faults: readonly Fault[];
}

/** Returns an identity as `Identity.names` spell it. */
function spelled(kind: string, name: string): string {
  if (kind === 'pypi' || kind === 'oci') return `${kind}:${packageName(name, kind) ?? name}`;
  if (kind === 'url' && URL.canParse(name)) return `url:${new URL(name).href}`;
  return `${kind}:${name}`;
}

/** Returns the identities that an entry is for, as `Identity.names` spell them. */
const meantBy = ({ match }: Pick<EntryFile, 'match'>): string[] =>
  Object.entries(match).flatMap(([kind, all]) => all.map((name) => spelled(kind, name)));

/** True when an entry for `name` is for the program that is started of it. */
const fitsProgram = ({ programs }: Pick<EntryFile, 'programs'>, name: string, { program }: Identity) =>
  program === undefined || (programs ?? name.split(/[:/]/).slice(-1)).includes(program);

/** Returns a function that tells whether an entry is for what has an identity. */
export function fitting(entry: Pick<EntryFile, 'match' | 'programs'>): (identity: Identity) => boolean {
  const meant = new Set(meantBy(entry));
  return (identity) => identity.names.some((name) => meant.has(name) && fitsProgram(entry, name, identity));
}

function readIndex(catalogue: string): CatalogueIndex {
  const named: [name: string, match: Match][] = [];
  const faults: Fault[] = [];
  for (const id of entryIds(catalogue)) {
    const entry = orFault(() => readEntryFile(join(catalogue, id), id));
    if (entry instanceof Fault) faults.push(entry);
    else if (!entry.withdrawn) {
      const match = { id, entry, whole: throwingAgain(() => readCatalogueEntry(catalogue, id)) };
      for (const name of new Set(meantBy(entry))) named.push([name, match]);
    }
  }
  return { byName: valuesByKey(named), faults };
}

/** What came with mcphooks is read once, since `scan` matches every server. */
const bundled = once(() => readIndex(bundledCatalogue()));

/** Reads what the entries of a catalogue are for. */
export const catalogueIndex = (catalogue: string): CatalogueIndex =>
  catalogue === bundledCatalogue() ? bundled() : readIndex(catalogue);

/** Returns the entries that fit. */
export function matchingEntries({ byName }: CatalogueIndex, identity: Identity): Match[] {
  const fitting = identity.names.flatMap((name) =>
    (byName.get(name) ?? []).filter(({ entry }) => fitsProgram(entry, name, identity)),
  );
  return [...new Set(fitting)];
}
