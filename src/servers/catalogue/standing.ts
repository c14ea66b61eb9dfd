import { join } from 'node:path';
import type { Env } from '../../base/paths.ts';
import { Fault, Faults } from '../../messages/fault.ts';
import { identityOf } from '../packages/identity.ts';
import type { Definition, OverlaySource } from '../types.ts';
import { bundledCatalogue, PROJECT_CATALOGUE, readCatalogueEntry } from './load.ts';
import { isWithoutHooks, offerOfPackage } from './offer.ts';

/** How installed hooks stand to the catalogue, and to the package, of today. */
interface Standing {
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
  const { definition, env } = started ?? {};
  const brought =
    definition && env && readable(() => offerOfPackage(definition, identityOf(definition, env), env));
  const found = brought?.from;
  const gone =
    from.kind === 'package' &&
    definition &&
    env &&
    readable(() => isWithoutHooks(from.package, definition, env));
  return {
    ...readable(() => inCatalogue(from, root)),
    ...(found?.kind === 'package' && found.hash !== from.hash && { package: found.package }),
    ...(gone && { packageWithdrawn: true }),
  };
}

function inCatalogue(from: OverlaySource, root: string | undefined): Standing | undefined {
  if (from.kind !== 'catalogue' || (from.project && root === undefined)) return undefined;
  const catalogue = from.project ? join(root ?? '', PROJECT_CATALOGUE) : bundledCatalogue();
  const { hash, withdrawn } = readCatalogueEntry(catalogue, from.entry);
  return { newer: hash !== from.hash, ...(withdrawn && { withdrawn }) };
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Fault || error instanceof Faults) return undefined;
    throw error;
  }
}
