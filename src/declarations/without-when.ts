import { isObject } from '../base/json-value.ts';

/**
 * Returns the list of declarations for a reader without support for `when`: each item without its conditions, and no
 * items with `"otherwise": "drop"`. Any other value is returned unchanged.
 */
export function withoutWhen(document: unknown): unknown {
  if (!isObject(document) || !Array.isArray(document.declarations)) return document;
  const declarations = document.declarations.flatMap((item: unknown) => {
    if (!isObject(item) || item.when === undefined) return [item];
    const { when, ...rest } = item;
    return isObject(when) && when.otherwise === 'drop' ? [] : [rest];
  });
  return { ...document, declarations };
}
