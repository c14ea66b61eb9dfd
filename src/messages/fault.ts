import type { AddedArgs, FaultArgs, Where } from './args.ts';
import type { FaultArgsOf, FaultCode } from './faults.ts';

/** Exit codes that a Fault can cause. */
type FaultExit = 1 | 2 | 3 | 4;

/** Rest parameter for arguments; optional for a code without arguments. */
type Rest<Args> =
  Partial<Args> extends Args
    ? [args?: Args, where?: Where, exit?: FaultExit]
    : [args: Args, where?: Where, exit?: FaultExit];

class FaultError extends Error {
  readonly code: FaultCode;
  readonly args: FaultArgs;
  readonly where: Where;
  readonly exit: FaultExit;
  constructor(code: FaultCode, args: FaultArgs = {}, where: Where = {}, exit: FaultExit = 1) {
    super(code);
    this.name = 'Fault';
    this.code = code;
    this.args = args;
    this.where = where;
    this.exit = exit;
  }

  /** Returns the Fault with more arguments. */
  with(more: AddedArgs): Fault {
    return new FaultError(this.code, { ...this.args, ...more }, this.where, this.exit);
  }

  /** Returns the Fault with `change` applied to each text of its arguments and to its path in a document. */
  withTexts(change: (text: string) => string): Fault {
    const changed = (value: FaultArgs[string]): FaultArgs[string] => {
      if (typeof value === 'number') return value;
      return typeof value === 'string' ? change(value) : value.map(change);
    };
    const args = Object.entries(this.args).map(([key, value]) => [key, changed(value)]);
    const { path } = this.where;
    const where = path === undefined ? this.where : { ...this.where, path: change(path) };
    return new FaultError(this.code, Object.fromEntries(args), where, this.exit);
  }
}

/** An error as a code with arguments; its sentences are in messages/faults/. */
export type Fault = FaultError;

/** Constructor, typed with the arguments of each code. */
export const Fault: {
  new <Code extends FaultCode>(code: Code, ...rest: Rest<FaultArgsOf[Code]>): Fault;
  readonly prototype: Fault;
} = FaultError;

/** Returns what an action returns, or the Fault that it throws. */
export function orFault<T>(action: () => T): T | Fault {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error;
  }
}

/** Returns what a promise gives, or the Fault that it throws. */
export const orFaultOf = <T>(given: Promise<T>): Promise<T | Fault> =>
  given.catch((error: unknown) => {
    if (!(error instanceof Fault)) throw error;
    return error;
  });

/** Returns the Faults of an error; rethrows any other error, which is a defect of ours. */
export function faultsThrown(error: unknown): readonly Fault[] {
  if (error instanceof Fault) return [error];
  if (error instanceof Faults) return error.faults;
  throw error;
}

/** Returns what an action returns; `otherwise` in place of a Fault. */
export function unlessFault<T, U>(action: () => T, otherwise: U): T | U {
  const result = orFault(action);
  return result instanceof Fault ? otherwise : result;
}

/** Runs an action, and changes the texts of every Fault that the action throws. */
export function changingTexts<T>(change: (text: string) => string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof Fault) throw error.withTexts(change);
    if (!(error instanceof Faults)) throw error;
    const faults = error.faults.map((fault) => fault.withTexts(change));
    throw new Faults(faults, error.valid);
  }
}

/** Several Faults reported together, such as all Faults of a document. */
export class Faults extends Error {
  readonly faults: readonly Fault[];
  /** Of declarations: how many have no fault. */
  readonly valid: number;
  constructor(faults: readonly Fault[], valid = 0) {
    super(faults.map((f) => f.code).join(', '));
    this.name = 'Faults';
    this.faults = faults;
    this.valid = valid;
  }
}
