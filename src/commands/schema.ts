import type { Context } from '../context.ts';
import { meantOr } from '../declarations/near.ts';
import { Fault } from '../messages.ts';
import { jsonSchema, SCHEMA_NAMES } from '../schemas/schemas.ts';
import type { Exit } from './outcome.ts';

/** `mcphooks schema`: one JSON Schema, or without a name the names of all. */
export function schema(name: string | undefined, context: Context): Exit {
  if (name === undefined) {
    context.out(SCHEMA_NAMES.join('\n'));
    return 0;
  }
  const known = SCHEMA_NAMES.find((n) => n === name);
  if (!known)
    throw new Fault('usage.bad', { text: `There is no schema '${name}'. ${meantOr(name, SCHEMA_NAMES)}` });
  context.out(JSON.stringify(jsonSchema(known), null, 2));
  return 0;
}
