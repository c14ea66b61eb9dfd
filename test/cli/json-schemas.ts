import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';

type Schema = Record<string, unknown>;

/** The schema of this name in the package. */
export const published = (name: string): Schema =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../dist/schemas', `${name}.json`), 'utf8'));

/** The schema with every object closed, so that a field which it doesn't name is a mistake. */
export function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (schema === null || typeof schema !== 'object') return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const names = schema as { properties?: object; additionalProperties?: unknown };
  const open = names.additionalProperties;
  const loose = open !== null && typeof open === 'object' && Object.keys(open).length === 0;
  if (names.properties && loose && Object.keys(names.properties).length > 0)
    copy.additionalProperties = false;
  return copy;
}

const ajv = new AjvJsonSchemaValidator();
const validators = new Map<string, ReturnType<AjvJsonSchemaValidator['getValidator']>>();

/** What is wrong with a value by a schema; undefined: nothing. */
export function check(schema: unknown, value: unknown): string | undefined {
  const key = JSON.stringify(schema);
  const validate = validators.get(key) ?? ajv.getValidator(schema as Schema);
  validators.set(key, validate);
  const { valid, errorMessage } = validate(value);
  return valid ? undefined : (errorMessage ?? 'invalid');
}

const outputs = new Map<string, unknown>();

/** What is wrong with the document that a command printed with --json, fields that its schema doesn't name included. */
export function checkOutput(command: string, document: unknown): string | undefined {
  const schema = outputs.get(command) ?? closed(published(command));
  outputs.set(command, schema);
  return check(schema, document);
}
