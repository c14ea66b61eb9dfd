import type { ServerRecord } from '../apply/types.ts';
import { declarationsHash } from '../declarations/canonical.ts';
import { readDeclarationsFile } from '../declarations/file.ts';
import { parseDeclarations } from '../declarations/parse.ts';
import { Fault, Faults } from '../messages.ts';
import { definitionHash, readEntry } from '../server/definition.ts';
import { dialectOf } from '../server/resolve.ts';

/** What differs from what was approved, as far as files tell without asking the server. */
export type Departure =
  | 'definition.gone'
  | 'definition.changed'
  | 'declarations.changed'
  /** Only known when the server was asked. */
  | 'options.changed';

/** Compares a record with the files that its definition and its declarations came from. */
export function departures(server: ServerRecord): Departure[] {
  return [...definitionDeparture(server), ...declarationsDeparture(server)];
}

function definitionDeparture({ definition }: ServerRecord): Departure[] {
  if (definition?.source.file === undefined) return [];
  const now = readEntry(definition.source, dialectOf(definition.source));
  if (!now) return ['definition.gone'];
  return definitionHash(now) === definition.hash ? [] : ['definition.changed'];
}

/** A file that is gone or has faults is no change: it is a failure of the commands that need it. */
function declarationsDeparture({ from, options, declarationsHash: approved }: ServerRecord): Departure[] {
  if (from.kind !== 'file') return [];
  try {
    const { document, locate } = readDeclarationsFile(from.file);
    const { declarations } = parseDeclarations(document, { ...options, locate });
    return declarationsHash(declarations) === approved ? [] : ['declarations.changed'];
  } catch (error) {
    if (error instanceof Fault || error instanceof Faults) return [];
    throw error;
  }
}
