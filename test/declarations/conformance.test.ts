import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { describe, expect, it } from 'vitest';
import { parseDeclarations } from '../../src/declarations/parse.ts';
import { Faults } from '../../src/messages/fault.ts';

interface Case {
  rule: string;
  /** What decides: the JSON Schema of SEP-2282, its prose, or a limit of ours. */
  by?: 'schema' | 'prose' | 'limit';
  faults?: { code: string; path: string }[];
  document: unknown;
}

const root = join(import.meta.dirname, '../fixtures/declarations');
const cases = (folder: string): [string, Case][] =>
  readdirSync(join(root, folder)).map((file) => [
    basename(file, '.json'),
    JSON.parse(readFileSync(join(root, folder, file), 'utf8')),
  ]);
const options = { lenient: false, allowInvisible: false };

/** The schema as the SEP prints it, compiled by a validator that is not ours: the judge of `by`. */
const sepSchema = new AjvJsonSchemaValidator().getValidator(
  JSON.parse(readFileSync(join(root, 'sep-2282.schema.json'), 'utf8')),
);

function faultsOf(document: unknown): { code: string; path: string }[] {
  try {
    parseDeclarations(document, options);
    return [];
  } catch (error) {
    if (!(error instanceof Faults)) throw error;
    return error.faults.map((f) => ({ code: f.code, path: f.where.path ?? '' }));
  }
}

describe('documents that SEP-2282 allows', () => {
  it.each(cases('valid'))('%s', (_, { document }) => {
    expect(faultsOf(document)).toEqual([]);
    expect(sepSchema(document).valid).toBe(true);
    const items = (document as { declarations: unknown[] }).declarations;
    expect(parseDeclarations(document, options).declarations).toEqual(items);
  });
});

describe('documents that SEP-2282 or a limit forbids', () => {
  it.each(cases('invalid'))('%s', (_, { document, faults, by }) => {
    expect(faultsOf(document)).toEqual(faults);
    expect(sepSchema(document).valid).toBe(by !== 'schema');
  });
});
