import { readFileSync } from 'node:fs';
import { findNodeAtLocation, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { Fault } from '../messages.ts';
import { kind, shown } from './faults.ts';
import { type Locate, pathText } from './path.ts';

/** A document from a file, with a locator for `parseDeclarations` that names line and column. */
export interface DeclarationsFile {
  document: unknown;
  locate: Locate;
}

/** Line and column, from 1, of an offset in UTF-16 units. */
export function position(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Offset and reason of the first thing in a text that strict JSON, or JSON with comments, doesn't allow. */
export function jsonError(text: string, comments = false): { offset: number; reason: string } | undefined {
  const errors: ParseError[] = [];
  parseTree(text, errors, {
    disallowComments: !comments,
    allowTrailingComma: false,
    allowEmptyContent: false,
  });
  const first = errors[0];
  return first && { offset: first.offset, reason: printParseErrorCode(first.error) };
}

/** Reads `{"declarations": [...]}` or `{"hooks": {"declarations": [...]}}`. Throws a `Fault` with file:line:column. */
export function readDeclarationsFile(file: string): DeclarationsFile {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    throw new Fault(
      'decl-file.unreadable',
      { reason: (error as NodeJS.ErrnoException).code ?? 'not UTF-8' },
      { file },
    );
  }
  let whole: unknown;
  try {
    whole = JSON.parse(text);
  } catch (error) {
    const found = jsonError(text);
    throw new Fault(
      'decl-file.syntax',
      { reason: found?.reason ?? (error as Error).message },
      { file, ...position(text, found?.offset ?? 0) },
    );
  }
  if (whole === null || typeof whole !== 'object' || Array.isArray(whole)) {
    throw new Fault('decl.type', { expected: 'object', got: kind(whole), value: shown(whole) }, { file });
  }
  const wrapped = Object.hasOwn(whole, 'hooks') && !Object.hasOwn(whole, 'declarations');
  const base = wrapped ? ['hooks'] : [];
  const tree = parseTree(text);
  const locate: Locate = (path) => {
    const full = [...base, ...path];
    const node =
      tree &&
      [...full.keys(), full.length]
        .reverse()
        .map((n) => findNodeAtLocation(tree, full.slice(0, n)))
        .find(Boolean);
    return { file, ...(node ? position(text, node.offset) : {}), path: pathText(full) };
  };
  if (!wrapped) return { document: whole, locate };
  const others = Object.keys(whole).filter((key) => key !== 'hooks');
  if (others.length > 0) {
    throw new Fault(
      'decl.unknown-key',
      { key: others[0] ?? '', allowed: ['hooks'] },
      { file, path: pathText([others[0] ?? '']) },
    );
  }
  return { document: (whole as { hooks: unknown }).hooks, locate };
}
