import type { Node } from 'jsonc-parser';
import type { Path } from '../../declarations/path.ts';
import type { ItemList, MaskComments } from '../comma-list.ts';
import type { Range } from '../splice.ts';

export const maskComments: MaskComments = (between) =>
  between.replace(/\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g, (c) => (c[1] === '/' ? '/' : '*').repeat(c.length));

/** Returns the property that the client reads: the last property with this name. */
export function member(object: Node | undefined, name: string): Node | undefined {
  return object?.type === 'object'
    ? object.children?.findLast((p) => p.children?.[0]?.value === name)
    : undefined;
}

export const valueNode = (property: Node | undefined): Node | undefined => property?.children?.[1];

/** Returns the value at a path, or the nearest value around it. */
export function nearestNode(root: Node | undefined, path: Path): Node | undefined {
  let node = root;
  for (const step of path) {
    const inner =
      typeof step === 'string'
        ? valueNode(member(node, step))
        : node?.type === 'array'
          ? node.children?.[step]
          : undefined;
    if (!inner) break;
    node = inner;
  }
  return node;
}

/** Returns the object whose members are the events. */
export function eventsNode(root: Node | undefined, unwrapped: true | undefined): Node | undefined {
  return unwrapped ? root : valueNode(member(root, 'hooks'));
}

/** Returns the node `<event>[index]` of the events' object. */
export function groupNode(events: Node | undefined, event: string, index: number): Node | undefined {
  const array = valueNode(member(events, event));
  return array?.type === 'array' ? array.children?.[index] : undefined;
}

export const rangeOf = (node: Node): Range => ({ start: node.offset, end: node.offset + node.length });

export const listOf = (node: Node): ItemList => ({
  open: node.offset + 1,
  close: node.offset + node.length - 1,
  items: (node.children ?? []).map(rangeOf),
});

/** Returns the JSON pointer of the events' object, or of an event's array. */
export const pointerOf = (unwrapped: true | undefined, event?: string): string =>
  (unwrapped ? '' : '/hooks') +
  (event === undefined ? '' : `/${event.replaceAll('~', '~0').replaceAll('/', '~1')}`);
