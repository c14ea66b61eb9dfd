import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { shallow } from '../base/json-value.ts';
import { once } from '../base/once.ts';
import { beforeInvalid } from '../base/utf8.ts';
import type { Where } from '../messages/args.ts';
import { Fault } from '../messages/fault.ts';
import type { FaultCode } from '../messages/faults.ts';
import { type Locate, pathText } from './path.ts';
import { deepestAt, jsonMistake } from './syntax.ts';

/** Line and column, from 1, of an offset in UTF-16 units. */
export function position(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Line and column, from 1, of the deepest bracket of a text that is nested too deeply; none where `deepestAt` finds none. */
export function deepestPosition(text: string): Pick<Where, 'line' | 'column'> {
  const offset = deepestAt(text);
  return offset === undefined ? {} : position(text, offset);
}

/** Line and column, from 1, of the first byte that isn't UTF-8. */
export function invalidPosition(bytes: Uint8Array): { line: number; column: number } {
  const before = beforeInvalid(bytes);
  return position(before, before.length);
}

export interface JsonFile {
  value: unknown;
  /** Returns the place of a path in the text; for a missing path, that of its nearest existing parent. */
  locate: Locate;
}

/** Codes of Faults for files that aren't JSON. */
export type SyntaxFault = Extract<FaultCode, `${string}.syntax`>;

/** Parses a text of strict JSON. Throws a `Fault` with that code and file:line:column. */
export function parseJson(text: string, file: string, syntax: SyntaxFault): JsonFile {
  let value: unknown;
  try {
    value = shallow(JSON.parse(text));
  } catch (error) {
    if (error instanceof RangeError)
      throw new Fault(syntax, { reason: 'deep' }, { file, ...deepestPosition(text) });
    const { offset, ...why } = jsonMistake(text) ?? { offset: 0, reason: 'other' };
    throw new Fault(syntax, why, { file, ...position(text, offset) });
  }
  const tree = once(() => parseTree(text));
  const locate: Locate = (path) => {
    const root = tree();
    const node =
      root &&
      [...path.keys(), path.length]
        .reverse()
        .map((n) => findNodeAtLocation(root, path.slice(0, n)))
        .find(Boolean);
    return { file, ...(node ? position(text, node.offset) : {}), path: pathText(path) };
  };
  return { value, locate };
}
