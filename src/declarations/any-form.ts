import { isObject } from '../base/json-value.ts';
import { Fault } from '../messages/fault.ts';
import type { Locate } from './path.ts';
import { KEYS } from './schema.ts';
import { kind, shown } from './shape-faults.ts';

/** A document for `parseDeclarations`, with its locator. */
export interface AnyForm {
  document: unknown;
  locate: Locate;
}

/**
 * Returns the document of `{"declarations": [...]}`, `{"hooks": {"declarations": [...]}}`, a list of declarations or a
 * single one; an object may have `$schema`, for editors, at the top. Any other value is returned as it is. `locate`: finds
 * places in the given value. Throws a `Fault` for another `$schema` than a text, and when something stands beside `hooks`.
 */
export function fromAnyForm(value: unknown, locate: Locate): AnyForm {
  if (Array.isArray(value))
    return { document: { declarations: value }, locate: (path) => locate(path.slice(1)) };
  if (!isObject(value)) return { document: value, locate };
  const { $schema = '', ...whole } = value;
  if (typeof $schema !== 'string') {
    const args = { expected: ['string'], got: kind($schema), value: shown($schema) };
    throw new Fault('decl.type', args, locate(['$schema']));
  }
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
