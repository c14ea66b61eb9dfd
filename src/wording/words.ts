import { oneLine } from '../declarations/visible.ts';
import type { FaultArgs, Where } from './fault.ts';

/** A sentence that says what is wrong, and one that says what to do. `a` are the fault's arguments. */
export interface Wording {
  what: (a: FaultArgs) => string;
  fix?: (a: FaultArgs) => string;
}

export const list = (v: FaultArgs[string] | undefined): string =>
  Array.isArray(v) ? v.join(', ') : String(v ?? '');

/** A near miss, else what there is, else nothing. */
export function nearOrKnown(a: FaultArgs, known: string): string | undefined {
  if (a.near) return `Did you mean '${a.near}'?`;
  return Array.isArray(a.known) && a.known.length > 0 ? `${known}: ${list(a.known)}.` : undefined;
}

/** A name as one word of a command line. */
export const word = (name: FaultArgs[string] | undefined): string =>
  /^[\w@:.,/+-]+$/.test(String(name)) ? String(name) : `'${String(name).replaceAll("'", "'\\''")}'`;

/** A server as the commands take it that act at one scope. */
export const installed = (a: FaultArgs): string =>
  `${a.scope && a.scope !== 'user' ? `--scope ${a.scope} ` : ''}${word(a.name)}`;

export const entries = (a: FaultArgs): string =>
  a.all === 1 ? 'the entry' : a.n === a.all ? `all ${a.all} entries` : `${a.n} of ${a.all} entries`;
export const are = (a: FaultArgs): string => (a.n === 1 ? 'is' : 'are');

/** Arguments may come from servers and from files of strangers: they add no lines and no terminal sequences. */
export function shownArgs(args: FaultArgs): FaultArgs {
  const shown = (v: FaultArgs[string]): FaultArgs[string] =>
    typeof v === 'string' ? oneLine(v) : typeof v === 'number' ? v : v.map(oneLine);
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, shown(value)]));
}

/** `file:line:column` or a JSON path, or both; empty when a fault has no place. */
export function whereText(w: Where): string {
  const file = w.file && [w.file, w.line, w.column].filter((x) => x !== undefined).join(':');
  return oneLine([file, w.path].filter(Boolean).join(' '));
}

export function wordsOf({ what, fix }: Wording, given: FaultArgs): { what: string; fix?: string } {
  const args = shownArgs(given);
  return { what: what(args), ...(fix && { fix: fix(args) }) };
}

export function textOf({ what, fix }: Wording, given: FaultArgs, place: Where): string {
  const where = whereText(place);
  const args = shownArgs(given);
  return [`${where ? `${where}: ` : ''}${what(args)}`, ...(fix ? [`  ${fix(args)}`] : [])].join('\n');
}
