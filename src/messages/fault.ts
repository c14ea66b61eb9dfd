import type { FaultArgs, Where } from './args.ts';
import type { FaultArgsOf, FaultCode } from './faults.ts';

/** Exit codes of the contract that a fault can lead to. */
type FaultExit = 1 | 2 | 3 | 4;

/** The arguments may be left out where none is needed. */
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

  /** The same fault, of which more is known. */
  with(more: FaultArgs): Fault {
    return new FaultError(this.code, { ...this.args, ...more }, this.where, this.exit);
  }
}

/** What went wrong, as a code with arguments; its words are in messages/faults/. */
export type Fault = FaultError;

/** Made with the arguments that its code has. */
export const Fault: {
  new <Code extends FaultCode>(code: Code, ...rest: Rest<FaultArgsOf[Code]>): Fault;
  readonly prototype: Fault;
} = FaultError;

/** Several faults that are reported together (all faults of a document at once). */
export class Faults extends Error {
  readonly faults: readonly Fault[];
  constructor(faults: readonly Fault[], message = faults.map((f) => f.code).join(', ')) {
    super(message);
    this.name = 'Faults';
    this.faults = faults;
  }
}
