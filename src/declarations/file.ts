import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { Fault, type FaultCode } from '../messages.ts';
import { once } from '../once.ts';
import { utf8 } from '../utf8.ts';
import { kind, shown } from './faults.ts';
import { near } from './near.ts';
import { type Locate, pathText } from './path.ts';
import { jsonMistake } from './syntax.ts';

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

interface JsonFile {
  value: unknown;
  /** Where a path of the value lies; of one that isn't there, its nearest parent. */
  locate: Locate;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Reads a file of strict JSON. Throws a `Fault` with the given codes and file:line:column. */
export function readJsonFile(file: string, codes: { unreadable: FaultCode; syntax: FaultCode }): JsonFile {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
    const meant = reason === 'ENOENT' ? near(basename(file), namesIn(dirname(file))) : undefined;
    throw new Fault(codes.unreadable, { reason, ...(meant !== undefined && { near: meant }) }, { file });
  }
  const text = utf8(bytes);
  if (text === undefined) throw new Fault(codes.unreadable, { reason: 'UTF8' }, { file });
  return parseJson(text.replace(/^\uFEFF/, ''), file, codes.syntax);
}

/** A text of strict JSON. Throws a `Fault` of that code, with file:line:column. */
export function parseJson(text: string, file: string, syntax: FaultCode): JsonFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
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

/** Reads `{"declarations": [...]}` or `{"hooks": {"declarations": [...]}}`. Throws a `Fault` with file:line:column. */
export function readDeclarationsFile(file: string): DeclarationsFile {
  const { value: whole, locate } = readJsonFile(file, {
    unreadable: 'decl-file.unreadable',
    syntax: 'decl-file.syntax',
  });
  if (whole === null || typeof whole !== 'object' || Array.isArray(whole)) {
    throw new Fault('decl.type', { expected: 'object', got: kind(whole), value: shown(whole) }, { file });
  }
  const wrapped = Object.hasOwn(whole, 'hooks') && !Object.hasOwn(whole, 'declarations');
  if (!wrapped) return { document: whole, locate };
  const others = Object.keys(whole).filter((key) => key !== 'hooks');
  if (others.length > 0) {
    throw new Fault(
      'decl.unknown-key',
      { key: others[0] ?? '', allowed: ['hooks'] },
      { file, path: pathText([others[0] ?? '']) },
    );
  }
  return {
    document: (whole as { hooks: unknown }).hooks,
    locate: (path) => locate(['hooks', ...path]),
  };
}
