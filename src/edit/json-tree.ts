import type { Node } from 'jsonc-parser';
import type { ItemList, MaskComments } from './comma-list.ts';
import type { Range } from './splice.ts';

export const maskComments: MaskComments = (between) =>
  between.replace(/\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g, (c) => (c[1] === '/' ? '/' : '*').repeat(c.length));

/** Returns the property that the client reads: the last property with this name. */
export function member(object: Node | undefined, name: string): Node | undefined {
  return object?.type === 'object'
    ? object.children?.findLast((p) => p.children?.[0]?.value === name)
    : undefined;
}

export const valueNode = (property: Node | undefined): Node | undefined => property?.children?.[1];

/** Returns the node `hooks.<event>[index]` of a document. */
export function groupNode(root: Node | undefined, event: string, index: number): Node | undefined {
  const array = valueNode(member(valueNode(member(root, 'hooks')), event));
  return array?.type === 'array' ? array.children?.[index] : undefined;
}

export const rangeOf = (node: Node): Range => ({ start: node.offset, end: node.offset + node.length });

export const listOf = (node: Node): ItemList => ({
  open: node.offset + 1,
  close: node.offset + node.length - 1,
  items: (node.children ?? []).map(rangeOf),
});

/** Returns the JSON pointer of an event's array. */
export const pointerOf = (event: string): string =>
  `/hooks/${event.replaceAll('~', '~0').replaceAll('/', '~1')}`;
