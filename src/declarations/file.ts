import { basename, dirname } from 'node:path';
import { isObject } from '../base/json-value.ts';
import { near } from '../base/near.ts';
import { readFile, readNames } from '../base/read-file.ts';
import { utf8 } from '../base/utf8.ts';
import { Fault } from '../messages/fault.ts';
import { duplicateKey } from './duplicate-key.ts';
import { type JsonFile, parseJson, position, type SyntaxFault } from './json-text.ts';
import { type Locate, pathText } from './path.ts';
import { kind, shown } from './shape-faults.ts';

/** A document from a file, with a locator for `parseDeclarations` that returns line and column. */
interface DeclarationsFile {
  document: unknown;
  locate: Locate;
}

/** Reads a file of strict JSON. Throws a `Fault` with the given codes and file:line:column. */
export function readJsonFile(
  file: string,
  codes: {
    unreadable: 'catalogue.unreadable' | 'config.unreadable' | 'decl-file.unreadable';
    syntax: SyntaxFault;
  },
): JsonFile {
  let bytes: Uint8Array;
  try {
    bytes = readFile(file);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
    const meant = reason === 'ENOENT' ? near(basename(file), readNames(dirname(file))) : undefined;
    throw new Fault(codes.unreadable, { reason, ...(meant !== undefined && { near: meant }) }, { file });
  }
  const text = utf8(bytes)?.replace(/^\uFEFF/, '');
  if (text === undefined) throw new Fault(codes.unreadable, { reason: 'UTF8' }, { file });
  const json = parseJson(text, file, codes.syntax);
  const twice = duplicateKey(text, json.value);
  if (twice) throw new Fault(codes.syntax, { reason: 'twice' }, { file, ...position(text, twice.offset) });
  return json;
}

/**
 * Reads `{"declarations": [...]}`, `{"hooks": {"declarations": [...]}}`, a list of declarations or a single one; an
 * object may have `$schema`, for editors, at the top. Throws a `Fault` with file:line:column.
 */
export function readDeclarationsFile(file: string): DeclarationsFile {
  const { value, locate } = readJsonFile(file, {
    unreadable: 'decl-file.unreadable',
    syntax: 'decl-file.syntax',
  });
  if (Array.isArray(value))
    return { document: { declarations: value }, locate: (path) => locate(path.slice(1)) };
  if (!isObject(value)) {
    throw new Fault('decl.type', { expected: ['object'], got: kind(value), value: shown(value) }, { file });
  }
  const { $schema, ...rest } = value;
  const whole = typeof $schema === 'string' ? rest : value;
  if (Object.hasOwn(whole, 'event') && !Object.hasOwn(whole, 'declarations'))
    return { document: { declarations: [whole] }, locate: (path) => locate(path.slice(2)) };
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
