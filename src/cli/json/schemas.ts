import * as z from 'zod';
import { ConfigSchema } from '../../app/prepare/user-config.ts';
import { itemWithWhenShape } from '../../declarations/schema.ts';
import { EVENTS, isToolEvent } from '../../declarations/types.ts';
import { fullRecordShapes } from '../../plan/option-shapes.ts';
import { LockSchema } from '../../plan/scopes/lock-schema.ts';
import { EntryShape } from '../../servers/catalogue/entry.ts';
import { OUTPUTS, type OutputName } from './outputs.ts';
import { logDocument } from './schemas/log.ts';

const declarations = z.array(itemWithWhenShape());
/** URL of the document's own schema, for editors. */
const $schema = z.optional(z.string());

export type SchemaName = 'declarations' | 'entry' | 'config' | 'record' | 'lock' | 'log' | OutputName;

/** All published schemas. Their inferred type would add 80 kB to the package. */
const SCHEMAS: Readonly<Record<SchemaName, z.core.$ZodType>> = {
  declarations: z
    .union([
      z.strictObject({ $schema, declarations }),
      z.strictObject({ $schema, hooks: z.strictObject({ declarations }) }),
      declarations,
    ])
    .meta({ title: 'Hooks that an MCP server declares (SEP-2282)' }),
  entry: EntryShape().check(z.meta({ title: 'entry.json of an entry of the catalogue' })),
  config: ConfigSchema().check(z.meta({ title: 'Defaults of mcphooks' })),
  record: fullRecordShapes().file.check(z.meta({ title: "mcphooks' record of installs" })),
  lock: LockSchema().check(z.meta({ title: 'mcphooks.lock.json: what a project has installed' })),
  log: logDocument,
  ...OUTPUTS,
};

export const SCHEMA_NAMES = Object.keys(SCHEMAS) as SchemaName[];

/** Adds the rules of SEP-2282's prose on declarations to the schema. */
function withProse(schema: z.core.JSONSchema.BaseSchema): void {
  const { context_tool: tool } = schema.properties as Record<string, z.core.JSONSchema.BaseSchema>;
  Object.assign(tool as object, { pattern: '\\S' });
  Object.assign(schema, {
    oneOf: [{ required: ['context'] }, { required: ['context_tool'] }],
    dependentRequired: { context_tool_args: ['context_tool'] },
    if: { required: ['matcher'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { event: { enum: EVENTS.filter(isToolEvent) } } },
  });
}

/** Adds the form of a file that holds one declaration: an item of the list, with `$schema`. */
function addSingle({ anyOf = [] }: z.core.JSONSchema.BaseSchema): void {
  const item = anyOf.find(({ type }) => type === 'array')?.items as z.core.JSONSchema.BaseSchema;
  anyOf.push({ ...item, properties: { $schema: { type: 'string' }, ...item.properties } });
}

/**
 * Returns a published schema, as JSON Schema of draft 2020-12. Callers refuse other names: built apart, this module has
 * a class Fault of its own, which the program wouldn't know.
 */
export function schemaNamed(name: SchemaName): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(SCHEMAS[name], {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === itemWithWhenShape()) withProse(jsonSchema);
    },
  });
  if (name === 'declarations') addSingle(schema);
  return { $schema, ...schema };
}
