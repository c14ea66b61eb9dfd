import { isObject } from '../../base/json-value.ts';
import { nearArg } from '../../base/near.ts';
import { quietly } from '../../base/quietly.ts';
import type { Path } from '../../declarations/path.ts';
import { kind, shown } from '../../declarations/shape-faults.ts';
import { hasVariable } from '../../declarations/variables.ts';
import type { FaultArgsOf, FaultCode } from '../../messages/faults.ts';

/** Reason why a tool refuses an argument. */
interface RefusalOf<Code extends ArgsCode> {
  code: Code;
  /** Path below the arguments. */
  at: Path;
  args: Omit<FaultArgsOf[Code], 'index' | 'tool'>;
}
type ArgsCode = Extract<FaultCode, `tool.args-${string}`>;
type Refusal = { [Code in ArgsCode]: RefusalOf<Code> }[ArgsCode];

type Schema = Readonly<Record<string, unknown>>;

/** Most references followed one inside another, and (`PARTS`) most parts of a schema examined. */
const DEPTH = 20;
const PARTS = 10_000;

/**
 * Returns what a tool's input schema (JSON Schema) refuses in a hook's arguments. Unknown keywords refuse nothing, as
 * in JSON Schema.
 */
export function refusals(value: unknown, schema: unknown): Refusal[] {
  return check(value, schema, { root: schema, at: [], depth: 0, left: { parts: PARTS } });
}

interface SchemaCheck {
  root: unknown;
  at: Path;
  depth: number;
  left: { parts: number };
}

function check(value: unknown, schema: unknown, place: SchemaCheck): Refusal[] {
  if (!isObject(schema) || place.depth > DEPTH || place.left.parts-- <= 0) return [];
  const deeper = { ...place, depth: place.depth + 1 };
  const refuse = <Code extends ArgsCode>(code: Code, args: RefusalOf<Code>['args']): RefusalOf<Code>[] => [
    { code, at: place.at, args },
  ];
  if (typeof schema.$ref === 'string') return check(value, referred(schema.$ref, place.root), deeper);
  const types = [schema.type].flat().filter((type) => typeof type === 'string');
  if (types.length > 0 && !types.some((type) => isOf(type, value)))
    return refuse('tool.args-type', { got: kind(value), expected: types, value: shown(value) });
  const fixed = 'const' in schema ? [schema.const] : schema.enum;
  if (!isTemplate(value) && Array.isArray(fixed) && !fixed.some((one) => same(one, value)))
    return refuse('tool.args-value', { value: shown(value), allowed: fixed.map(shown) });
  const limit = limitOver(value, schema);
  if (limit !== undefined) return refuse('tool.args-value', { value: shown(value), ...limit });
  const forms = [schema.anyOf, schema.oneOf].filter((list) => Array.isArray(list)) as unknown[][];
  const fits = (form: unknown): boolean => check(value, form, deeper).length === 0;
  if (forms.some((list) => list.length > 0 && !list.some(fits)))
    return refuse('tool.args-value', { value: shown(value) });
  const all = Array.isArray(schema.allOf) ? schema.allOf.flatMap((one) => check(value, one, deeper)) : [];
  return [...all, ...inside(value, schema, deeper)];
}

/** Checks the members of an object, or the items of a list. */
function inside(value: unknown, schema: Schema, place: SchemaCheck): Refusal[] {
  const at = (step: string | number): SchemaCheck => ({ ...place, at: [...place.at, step] });
  if (Array.isArray(value)) return value.flatMap((item, i) => check(item, schema.items, at(i)));
  if (!isObject(value)) return [];
  const properties = isObject(schema.properties) ? schema.properties : {};
  const known = Object.keys(properties);
  const required = Array.isArray(schema.required) ? schema.required : [];
  const missing = required.filter((key) => typeof key === 'string' && !Object.hasOwn(value, key));
  const unlisted = Object.keys(value).filter(
    (key) => !known.includes(key) && !isObject(schema.patternProperties),
  );
  return [
    ...(missing.length > 0
      ? [{ code: 'tool.args-missing' as const, at: place.at, args: { keys: missing as string[] } }]
      : []),
    ...Object.entries(value).flatMap(([key, inner]) => check(inner, properties[key], at(key))),
    ...unlisted.flatMap((key): Refusal[] => {
      if (schema.additionalProperties !== false)
        return check(value[key], schema.additionalProperties, at(key));
      const args = { key, known, ...nearArg(key, known) };
      return [{ code: 'tool.args-unknown', at: at(key).at, args }];
    }),
  ];
}

type Limit = Pick<FaultArgsOf['tool.args-value'], 'least' | 'most' | 'unit'>;

/** Returns the limit that a value exceeds; undefined when there is none. */
function limitOver(value: unknown, schema: Schema): Limit | undefined {
  const number = (key: string) => (typeof schema[key] === 'number' ? schema[key] : undefined);
  const within = (size: number, least?: number, most?: number): Limit | undefined => {
    if (least !== undefined && size < least) return { least };
    return most !== undefined && size > most ? { most } : undefined;
  };
  const counted = (size: number, least: string, most: string, unit: Limit['unit']): Limit | undefined => {
    const limit = within(size, number(least), number(most));
    return limit && { ...limit, ...(unit && { unit }) };
  };
  if (typeof value === 'number') return within(value, number('minimum'), number('maximum'));
  if (Array.isArray(value)) return counted(value.length, 'minItems', 'maxItems', 'items');
  if (typeof value !== 'string' || isTemplate(value)) return undefined;
  // A pattern from the server is never run, since matching could take forever.
  return counted([...value].length, 'minLength', 'maxLength', 'characters');
}

/** Returns the schema at `#/$defs/name`; undefined for a reference outside of this schema, or one that is no URI. */
function referred(ref: string, root: unknown): unknown {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined;
  const decoded = (step: string): string =>
    decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  const steps = quietly(() => ref.split('/').slice(1).map(decoded));
  return steps?.reduce<unknown>(
    (at, step) => (isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined),
    root,
  );
}

const isTemplate = (value: unknown): boolean => typeof value === 'string' && hasVariable(value);

const isOf = (type: string, value: unknown): boolean =>
  type === kind(value) || (type === 'integer' && Number.isInteger(value));

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
