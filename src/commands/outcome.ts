import type { World } from '../context.ts';
import { visibleJson } from '../declarations/visible.ts';
import { Fault, Faults, faultText, whereText } from '../messages.ts';

/** Exit codes of the contract. */
export type Exit = 0 | 1 | 2 | 3 | 4;

/** The first of these that any part of a command came to is what it ends with. */
const ORDER: readonly Exit[] = [1, 3, 4, 2, 0];

export function worst(exits: readonly Exit[]): Exit {
  return ORDER.find((e) => exits.includes(e)) ?? 0;
}

/** The faults behind an error; anything else is a defect of ours and is thrown on. */
export function faultsOf(error: unknown): readonly Fault[] {
  if (error instanceof Faults) return error.faults;
  if (error instanceof Fault) return [error];
  throw error;
}

export function reportFaults(faults: readonly Fault[], context: World): Exit {
  for (const fault of faults) context.err(`${context.errStyle('red', 'mcphooks:')} ${faultText(fault)}`);
  return worst(faults.map((f) => f.exit));
}

/** A fault in a --json document: its code is stable, its text isn't. */
export function faultJson(fault: Fault): Record<string, unknown> {
  const where = whereText(fault.where);
  return { code: fault.code, ...(where && { where }), message: faultText(fault) };
}

/** The --json document of a command that came to nothing. */
export function failureJson(command: string, exit: Exit, faults: readonly Fault[]): string {
  return visibleJson({ version: 1, command, status: 'failed', exit, faults: faults.map(faultJson) });
}
