import type { World } from '../app/context.ts';
import { nearArg } from '../base/near.ts';
import { oneLine, visibleJson } from '../base/visible.ts';
import { Fault, faultsThrown } from '../messages/fault.ts';
import type { WordKind } from '../messages/faults/usage.ts';
import { faultText } from '../messages/faults.ts';
import { whereText } from '../messages/words.ts';
import type { FaultDocument } from './json/schemas/parts.ts';

/** Exit codes of commands. */
export type Exit = 0 | 1 | 2 | 3 | 4;

/** Exit codes by precedence: a command ends with the first of these among the codes of its parts. */
const ORDER: readonly Exit[] = [1, 3, 4, 2, 0];

/** Returns the exit code of several results: the first in `ORDER` that any of them has. */
export function worst(exits: readonly Exit[]): Exit {
  return ORDER.find((e) => exits.includes(e)) ?? 0;
}

/** Returns the exit code of Faults; 0 for none. */
export const exitOf = (faults: readonly Fault[]): Exit => worst(faults.map((fault) => fault.exit));

/**
 * Returns the exit code for a change: drift between files, 2 in a comparison, is a failure (1) when it prevents a
 * change.
 */
export const inTheWay = (exit: Exit): Exit => (exit === 2 ? 1 : exit);

/** Returns the Faults of an error, as `faultsThrown`. `page`: the command whose options the error may be about. */
export const faultsOf = (error: unknown, page: string): readonly Fault[] =>
  faultsThrown(error).map((fault) => fault.with({ page }));

/** Returns each of the Faults once: those of a file that several servers need are found for each of them. */
export const distinctFaults = (faults: readonly Fault[]): Fault[] => [
  ...new Map(faults.map((fault) => [faultText(fault), fault])).values(),
];

/** Prints Faults on stderr. `server`: named where a Fault names no file, for commands on several servers. */
export function reportFaults(faults: readonly Fault[], context: World, server?: string): void {
  for (const fault of faults) {
    const name = server !== undefined && fault.where.file === undefined ? `${oneLine(server)}: ` : '';
    context.err(`${context.errStyle('red', 'mcphooks:')} ${name}${faultText(fault)}`);
  }
}

/** Returns a Fault for a --json document; its code is stable, its text isn't. */
export function faultJson(fault: Fault): FaultDocument {
  const where = whereText(fault.where);
  return { code: fault.code, ...(where && { where }), message: faultText(fault) };
}

/** Returns the --json document of a failed command. */
export function failureJson(command: string, exit: Exit, faults: readonly Fault[]): string {
  const document = { version: 1, command, status: 'failed', exit, faults: faults.map(faultJson) };
  // Each line of `log --json` is a document.
  return visibleJson(document, command === 'log' ? 0 : 2);
}

/** Returns a word that is one of the known ones; throws the Fault for any other. */
export function knownWord<T extends string>(value: string, what: WordKind, known: readonly T[]): T {
  const found = known.find((one) => one === value);
  if (found !== undefined) return found;
  throw new Fault('usage.unknown-word', { value, what, known, ...nearArg(value, known) });
}
