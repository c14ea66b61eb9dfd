import { basename, dirname } from 'node:path';
import { nearArg } from '../base/near.ts';
import { readFile, readNames } from '../base/read-file.ts';
import { utf8 } from '../base/utf8.ts';
import { Fault } from '../messages/fault.ts';
import { type AnyForm, fromAnyForm } from './any-form.ts';
import { duplicateKey } from './duplicate-key.ts';
import { inexactNumber } from './inexact-number.ts';
import { invalidPosition, type JsonFile, parseJson, position, type SyntaxFault } from './json-text.ts';
import { kind, shown } from './shape-faults.ts';

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
    const meant = reason === 'ENOENT' && nearArg(basename(file), readNames(dirname(file)));
    throw new Fault(codes.unreadable, { reason, ...meant }, { file });
  }
  const text = utf8(bytes)?.replace(/^\uFEFF/, '');
  if (text === undefined)
    throw new Fault(codes.unreadable, { reason: 'UTF8' }, { file, ...invalidPosition(bytes) });
  const json = parseJson(text, file, codes.syntax);
  const twice = duplicateKey(text, json.value);
  if (twice) throw new Fault(codes.syntax, { reason: 'twice' }, { file, ...position(text, twice.offset) });
  const inexact = inexactNumber(text);
  if (inexact !== undefined)
    throw new Fault(codes.syntax, { reason: 'inexact' }, { file, ...position(text, inexact) });
  return json;
}

/** Reads a file in any form of `fromAnyForm`. Throws a `Fault` with file:line:column. */
export function readDeclarationsFile(file: string): AnyForm {
  const { value, locate } = readJsonFile(file, {
    unreadable: 'decl-file.unreadable',
    syntax: 'decl-file.syntax',
  });
  if (typeof value !== 'object' || value === null) {
    throw new Fault('decl.type', { expected: ['object'], got: kind(value), value: shown(value) }, locate([]));
  }
  return fromAnyForm(value, locate);
}
