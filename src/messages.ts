/**
 * Every sentence that a person reads when something is wrong. The rest of the code throws `Fault`s, which
 * are data: a stable code, the arguments of its sentences, and where. Tests compare codes, never prose.
 */

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

/** A sentence that says what is wrong, and one that says what to do. `a` are the fault's arguments. */
interface Wording {
  what: (a: FaultArgs) => string;
  fix?: (a: FaultArgs) => string;
}

const list = (v: FaultArgs[string] | undefined): string =>
  Array.isArray(v) ? v.join(', ') : String(v ?? '');

const WORDING = {
  // command line
  'usage.bad': { what: (a) => String(a.text), fix: () => "Run 'mcphooks --help' for the commands and options." },

  // declarations

  // server

  // edit

  // apply

  // plan

} satisfies Record<string, Wording>;

export type FaultCode = keyof typeof WORDING;

/** `file:line:column` or a JSON path, or both; empty when a fault has no place. */
export function whereText(w: Where): string {
  const file = w.file && [w.file, w.line, w.column].filter((x) => x !== undefined).join(':');
  return [file, w.path].filter(Boolean).join(' ');
}

/** One fault as text for stderr: what, where, what to do. */
export function faultText(fault: Fault): string {
  const wording: Wording = WORDING[fault.code];
  const where = whereText(fault.where);
  return [
    `${where ? `${where}: ` : ''}${wording.what(fault.args)}`,
    ...(wording.fix ? [`  ${wording.fix(fault.args)}`] : []),
  ].join('\n');
}

export { list as listText };
