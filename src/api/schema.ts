import { unknownWord } from '../cli/exit.ts';
import { SCHEMA_NAMES, type SchemaName, schemaNamed } from '../cli/json/schemas.ts';
import { inWords } from './in-words.ts';

/** Returns the JSON Schema with a name, as `mcphooks schema` prints it. Throws `Fault`: `usage.unknown-word`. */
export const jsonSchema = inWords((name: SchemaName): Record<string, unknown> => {
  if (!SCHEMA_NAMES.includes(name)) throw unknownWord(name, 'schema', SCHEMA_NAMES);
  return schemaNamed(name);
});
