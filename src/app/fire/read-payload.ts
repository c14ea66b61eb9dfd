import { resolve } from 'node:path';
import { isObject } from '../../base/json-value.ts';
import { LARGEST_FILE } from '../../base/read-file.ts';
import { utf8 } from '../../base/utf8.ts';
import { excerpt } from '../../base/visible.ts';
import { invalidPosition, parseJson } from '../../declarations/json-text.ts';
import { Fault } from '../../messages/fault.ts';
import type { Context } from '../context.ts';
import { readBytes } from '../disk.ts';

const option = '--payload';

/**
 * Returns the fields in a JSON file, or with `-` on stdin. Faults: `usage.no-file`, `usage.no-stdin`, `usage.no-object`,
 * `plan.unreadable`, `payload.syntax`.
 */
export async function givenPayload(given: string, context: Context): Promise<Record<string, unknown>> {
  const stdin = given === '-';
  const file = stdin ? 'stdin' : resolve(context.cwd, given);
  const bytes = stdin ? await readAll(context.stdin) : readBytes(file);
  if (bytes === null) throw new Fault('usage.no-file', { file, option });
  const text = utf8(bytes)?.replace(/^\ufeff/, '');
  if (text === undefined)
    throw new Fault('plan.unreadable', { reason: 'UTF8' }, { file, ...invalidPosition(bytes) });
  if (stdin && text.trim() === '') throw new Fault('usage.no-stdin', { option });
  const { value } = parseJson(text, file, 'payload.syntax');
  if (!isObject(value)) throw new Fault('usage.no-object', { file, option, ...(stdin && { stdin: 1 }) });
  return value as Record<string, unknown>;
}

/** Parses an option's JSON. Fault: `usage.no-json`; `from`: where it stands. */
export function parsedJson(text: string, from: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Fault('usage.no-json', { from, value: excerpt(text) });
  }
}

async function readAll(stdin: Context['stdin']): Promise<Uint8Array> {
  const unreadable = (reason: string): Fault => new Fault('plan.unreadable', { reason }, { file: 'stdin' });
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of stdin()) {
      length += chunk.length;
      if (length > LARGEST_FILE) throw unreadable('TOO_LARGE');
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Fault ? error : unreadable((error as NodeJS.ErrnoException).code ?? 'unknown');
  }
  return Buffer.concat(chunks);
}
