import type { Node } from 'jsonc-parser';
import type { Entries } from '../same.ts';

/** An object below a member that doesn't count, since the member's name occurs again in the same object. */
interface Hidden {
  /** The values, or lists of values, of its members. */
  value: Entries;
  name: string;
  /** Offset of the name. */
  offset: number;
}

/**
 * Returns the objects in the events that a reader who takes the last member of each name doesn't see, by the place of
 * the name. `unwrapped`: the document itself holds the events. What stands elsewhere is the user's own.
 */
export function hiddenObjects(root: Node | undefined, unwrapped = false): Hidden[] {
  const found: Hidden[] = [];
  const waiting: { node: Node; below?: Node | undefined }[] = root ? [{ node: root }] : [];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, below } = next;
    const { type, children = [] } = node;
    const last = new Map(children.map((child) => [nameOf(child), child]));
    const isHidden = (child: Node): boolean => type === 'object' && last.get(nameOf(child)) !== child;
    if (type === 'object' && below)
      found.push({ value: shallowValue(children), name: nameOf(below), offset: below.offset });
    const within =
      node === root && !unwrapped ? children.filter((child) => nameOf(child) === 'hooks') : children;
    for (const child of within)
      waiting.push({ node: child, below: below ?? (isHidden(child) ? child : undefined) });
  }
  return found.toSorted((a, b) => a.offset - b.offset);
}

const nameOf = ({ children }: Node): string => children?.[0]?.value;

const shallowValue = (members: readonly Node[]): Entries =>
  Object.fromEntries(
    members.map(({ children: [name, value] = [] }) => [
      name?.value,
      value?.children?.map((one) => one.value) ?? value?.value,
    ]),
  );
