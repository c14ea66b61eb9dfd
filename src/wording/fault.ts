import type { FaultCode } from './faults.ts';

/** Where a fault lies: in a file (line and column from 1), or at a JSON path of a document. */
export interface Where {
  file?: string;
  line?: number;
  column?: number;
  path?: string;
}

export type FaultArgs = Record<string, string | number | readonly string[]>;

/** Exit codes of the contract that a fault can lead to. */
export type FaultExit = 1 | 3 | 4;

export class Fault extends Error {
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
}

/** Several faults that are reported together (all faults of a document at once). */
export class Faults extends Error {
  readonly faults: readonly Fault[];
  constructor(faults: readonly Fault[]) {
    super(faults.map((f) => f.code).join(', '));
    this.name = 'Faults';
    this.faults = faults;
  }
}
