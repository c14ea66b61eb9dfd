import { FIRE_VARIABLE } from '../../declarations/variables.ts';

/** Values of template variables in this fire, by name; a variable without a value stays as written. */
export type Values = Readonly<Record<string, string>>;

/**
 * Fills in template variables (SEP-2282, "Template variables") in one pass, so that inserted values aren't expanded
 * again.
 */
export function fill(template: string, values: Values): string {
  return template.replace(FIRE_VARIABLE, (written, name: string) => values[name] ?? written);
}
