import { knownWord } from '../cli/exit.ts';
import { SCHEMA_NAMES, type SchemaName, schemaNamed } from '../cli/json/schemas.ts';
import { inWords } from './in-words.ts';

/** Returns the JSON Schema with a name, as `mcphooks schema` prints it. Throws `Fault`: `usage.unknown-word`. */
export const jsonSchema = inWords(
  (name: SchemaName): Record<string, unknown> => schemaNamed(knownWord(String(name), 'schema', SCHEMA_NAMES)),
);
