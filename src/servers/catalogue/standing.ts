import { join } from 'node:path';
import type { Env } from '../../base/paths.ts';
import { Fault, Faults } from '../../messages/fault.ts';
import { type Identity, identityOf } from '../packages/identity.ts';
import type { Definition, OverlaySource } from '../types.ts';
import { bundledCatalogue, entryIds, PROJECT_CATALOGUE, readCatalogueEntry } from './load.ts';
import { fitting } from './match.ts';
import { isWithoutHooks, offerOfPackage } from './offer.ts';

/** How installed hooks stand to the catalogue, and to the package, of today. */
interface Standing {
  /**
   * Set when nothing here shows that the hooks are from the source, which a lock file may only claim: the catalogue has no
   * such entry, or the definition doesn't show that it starts the entry's server, or the package.
   */
  unproven?: 'no-entry' | 'other-server';
  /** True when the entry's texts differ from the installed ones. */
  newer?: boolean;
  withdrawn?: { on: string; reason: string };
  /** Package that brings other hooks than the installed ones. */
  package?: string;
  /** Set when the package that brought the hooks names none any more. */
  packageWithdrawn?: true;
}

/**
 * Returns whether the source of hooks that the server didn't declare has changed; nothing when the source can't be read,
 * since the hooks stay then. `root`: of the project, for its entries; `started`: how the server is started now.
 */
export function standingOf(
  from: OverlaySource,
  root: string | undefined,
  started?: { definition: Definition; env: Env },
): Standing {
  const identity = started && identityOf(started.definition, started.env);
  const ofEntry = readable(() => inCatalogue(from, root, identity));
  if (!started || !identity) return ofEntry ?? {};
  const { definition, env } = started;
  const brought = readable(() => offerOfPackage(definition, identity, env))?.from;
  return {
    ...ofEntry,
    ...(brought?.kind === 'package' && brought.hash !== from.hash && { package: brought.package }),
    ...(from.kind === 'package' && {
      ...(!identity.names.includes(from.package) && { unproven: 'other-server' }),
      ...(readable(() => isWithoutHooks(from.package, definition, env)) && { packageWithdrawn: true }),
    }),
  };
}

function inCatalogue(
  from: OverlaySource,
  root: string | undefined,
  identity: Identity | undefined,
): Standing | undefined {
  if (from.kind !== 'catalogue' || (from.project && root === undefined)) return undefined;
  const catalogue = from.project ? join(root ?? '', PROJECT_CATALOGUE) : bundledCatalogue();
  if (!entryIds(catalogue).includes(from.entry)) return { unproven: 'no-entry' };
  const entry = readCatalogueEntry(catalogue, from.entry);
  const { hash, withdrawn } = entry;
  return {
    newer: hash !== from.hash,
    ...(withdrawn && { withdrawn }),
    ...(identity && !fitting(entry)(identity) && { unproven: 'other-server' }),
  };
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Fault || error instanceof Faults) return undefined;
    throw error;
  }
}
