import { isObject } from '../base/json-value.ts';
import { Fault } from '../messages/fault.ts';
import type { Locate } from './path.ts';
import { KEYS } from './schema.ts';

/** A document for `parseDeclarations`, with its locator. */
export interface AnyForm {
  document: unknown;
  locate: Locate;
}

/**
 * Returns the document of `{"declarations": [...]}`, `{"hooks": {"declarations": [...]}}`, a list of declarations or a
 * single one; an object may have `$schema`, for editors, at the top. Any other value is returned as it is. `locate`: finds
 * places in the given value. Throws a `Fault` when something stands beside `hooks`.
 */
export function fromAnyForm(value: unknown, locate: Locate): AnyForm {
  if (Array.isArray(value))
    return { document: { declarations: value }, locate: (path) => locate(path.slice(1)) };
  if (!isObject(value)) return { document: value, locate };
  const { $schema, ...rest } = value;
  const whole = typeof $schema === 'string' ? rest : value;
  const { withWhen } = KEYS();
  const isSingle = Object.keys(whole).some((key) => withWhen.includes(key)) && !Object.hasOwn(whole, 'hooks');
  if ((isSingle || Object.hasOwn(whole, 'event')) && !Object.hasOwn(whole, 'declarations'))
    return { document: { declarations: [whole] }, locate: (path) => locate(path.slice(2)) };
  const wrapped = Object.hasOwn(whole, 'hooks') && !Object.hasOwn(whole, 'declarations');
  if (!wrapped) return { document: whole, locate };
  const other = Object.keys(whole).find((key) => key !== 'hooks');
  if (other !== undefined)
    throw new Fault('decl.unknown-key', { key: other, allowed: ['hooks'] }, locate([other]));
  return {
    document: (whole as { hooks: unknown }).hooks,
    locate: (path) => locate(['hooks', ...path]),
  };
}
