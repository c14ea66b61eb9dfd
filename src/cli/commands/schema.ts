import type { Context } from '../../app/context.ts';
import { type Exit, knownWord } from '../exit.ts';
import { SCHEMA_NAMES, schemaNamed } from '../json/schemas.ts';

/** `mcphooks schema`: prints one JSON Schema, or without a name the names of all. */
export function run([name]: [name: string | undefined], _: object, context: Context): Exit {
  if (name === undefined) {
    context.out(SCHEMA_NAMES.join('\n'));
    return 0;
  }
  context.out(JSON.stringify(schemaNamed(knownWord(name, 'schema', SCHEMA_NAMES)), null, 2));
  return 0;
}
