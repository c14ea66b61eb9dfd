import { FIRE_VARIABLE } from '../declarations/variables.ts';

/** Values of the variables that this fire knows, by name; a variable without one stays as it is written. */
export type Values = Readonly<Record<string, string>>;

/** SEP-2282, "Template variables": one pass, so that what is inserted is not read again. */
export function fill(template: string, values: Values): string {
  return template.replace(FIRE_VARIABLE, (written, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? written) : written,
  );
}

/** The same for every string of a tool's arguments, nested ones too; keys stay. */
export function fillArgs<T>(args: T, values: Values): T {
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return fill(value, values);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]));
  };
  return walk(args) as T;
}
