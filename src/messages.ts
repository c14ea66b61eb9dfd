/**
 * Every sentence that a person reads when something is wrong. The rest of the code throws `Fault`s, which
 * are data: a stable code, the arguments of its sentences, and where. Tests compare codes, never prose.
 */

export * from './wording/fault.ts';
export { type FaultCode, faultText, type SyntaxCode } from './wording/faults.ts';
export * from './wording/findings.ts';
export * from './wording/plan.ts';
export * from './wording/silences.ts';
export * from './wording/warnings.ts';
export { list as listText, whereText } from './wording/words.ts';
