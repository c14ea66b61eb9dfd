import { position } from '../declarations/json-text.ts';
import { Fault } from '../messages/fault.ts';
import type { FaultArgsOf } from '../messages/faults.ts';

/** Half-open range of UTF-16 offsets. */
export interface Range {
  start: number;
  end: number;
}

/** A replacement of a range by a text. Splices of one list don't overlap; all offsets are in the original text. */
export interface Splice extends Range {
  text: string;
}

export const BOM = '\uFEFF';

export function withoutBom(text: string): string {
  return text.startsWith(BOM) ? text.slice(1) : text;
}

/** Applies splices. Insertions at one offset keep their order in the list. */
export function splice(text: string, splices: readonly Splice[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const s of [...splices].sort((a, b) => a.start - b.start || a.end - b.end)) {
    parts.push(text.slice(at, s.start), s.text);
    at = s.end;
  }
  return parts.join('') + text.slice(at);
}

type EditCode = 'edit.unreadable' | 'edit.unsupported-shape';

/** Returns a Fault at an offset of `text`, in UTF-16 units. */
export function faultAt<Code extends EditCode>(
  code: Code,
  args: FaultArgsOf[Code],
  file: string,
  text: string,
  offset: number,
): Fault {
  return new Fault<EditCode>(code, args, { file, ...position(text, offset) });
}

/** Returns the offset at which the line of `offset` starts. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Returns the white space at the start of the line that contains `offset`. */
export function indentAt(text: string, offset: number): string {
  const start = lineStart(text, offset);
  const stop = text.slice(start, offset).search(/[^ \t]/);
  return text.slice(start, stop < 0 ? offset : start + stop);
}

/** True when only white space precedes `offset` in its line; never in the first line. */
export function startsLine(text: string, offset: number): boolean {
  const start = lineStart(text, offset);
  return start > 0 && /^[ \t]*$/.test(text.slice(start, offset));
}

/** Returns the line end of a text, by its first line. */
export function lineEnd(text: string): '\n' | '\r\n' {
  const at = text.indexOf('\n');
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n';
}

/** Returns the start of the white space that ends at `offset`. */
export function whiteBefore(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && ' \t\r\n'.includes(text.charAt(at - 1))) at--;
  return at;
}
