import { isObject } from '../base/json-value.ts';

/**
 * The list of declarations as a reader sees it that knows no `when`: each item without its conditions, or not at all
 * when they say `"otherwise": "drop"`. What is no such document comes back as it is.
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
