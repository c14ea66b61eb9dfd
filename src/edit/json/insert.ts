import type { Node } from 'jsonc-parser';
import { valuesByKey } from '../../base/grouped.ts';
import { isObject } from '../../base/json-value.ts';
import type { HookGroup } from '../../clients/hook-config.ts';
import { insertAfterLast, insertIntoEmpty, removeItems } from '../comma-list.ts';
import { isEntry } from '../decide.ts';
import { faultAt, indentAt, type Splice, splice, startsLine } from '../splice.ts';
import type { FileMemory, GroupEdit, HookFileState } from '../types.ts';
import { type JsonStyle, padOf, printLine, printLines, styleOf } from './style.ts';
import {
  eventsNode,
  groupNode,
  listOf,
  maskComments,
  member,
  pointerOf,
  rangeOf,
  valueNode,
} from './tree.ts';

/** A new child of a container: a member of an object (with `name`), or an element of an array. */
interface Child {
  name?: string;
  value: unknown;
}

/**
 * Appends new groups to their arrays, creating missing containers, and puts replaced values in the old places. Notes in
 * `memory` which containers were created or empty. Faults: `edit.unsupported-shape`.
 */
export function insert(
  { file, text, unwrapped }: Pick<HookFileState, 'file' | 'unwrapped'> & { text: string },
  root: Node,
  edits: readonly GroupEdit[],
  memory: FileMemory,
): string {
  const style = styleOf(text, root);
  const splices = edits.flatMap((e) => replacement(text, eventsNode(root, unwrapped), e, style));
  const put = (container: Node, at: string, children: readonly Child[]) => {
    if (!container.children?.length)
      memory.containers[at] = {
        empty: text.slice(container.offset + 1, container.offset + container.length - 1),
      };
    splices.push(...addChildren(text, container, children, at !== '', style));
  };
  const wrong = (node: Node, at: string, wants: string) =>
    faultAt('edit.unsupported-shape', { at, wants }, file, text, node.offset);

  const groups = valuesByKey(edits.flatMap((e) => (e.kind === 'append' ? [[e.event, e.group]] : [])));
  if (groups.size === 0) return splice(text, splices);

  const hooks = eventsNode(root, unwrapped);
  if (hooks && hooks.type !== 'object') throw wrong(hooks, 'hooks', 'an object');
  const missing: [string, HookGroup[]][] = [];
  for (const [event, added] of groups) {
    const array = valueNode(member(hooks, event));
    if (array && array.type !== 'array')
      throw wrong(array, `${unwrapped ? '' : 'hooks.'}${event}`, 'an array');
    if (array)
      put(
        array,
        pointerOf(unwrapped, event),
        added.map((value) => ({ value })),
      );
    else missing.push([event, added]);
  }
  for (const [event] of missing) memory.containers[pointerOf(unwrapped, event)] = { created: true };
  if (missing.length > 0 && hooks)
    put(
      hooks,
      pointerOf(unwrapped),
      missing.map(([name, value]) => ({ name, value })),
    );
  if (!hooks) {
    memory.containers['/hooks'] = { created: true };
    put(root, '', [{ name: 'hooks', value: Object.fromEntries(missing) }]);
  }
  return splice(text, splices);
}

/** Returns splices of the group's or handler's bytes, in the layout of the replaced text. */
function replacement(text: string, events: Node | undefined, e: GroupEdit, style: JsonStyle): Splice[] {
  if (e.kind !== 'set' && e.kind !== 'set-handler') return [];
  const group = groupNode(events, e.event, e.index);
  const node = e.kind === 'set' ? group : valueNode(member(group, 'hooks'))?.children?.[e.handler];
  if (!node) return [];
  const value = e.kind === 'set' ? e.group : e.value;
  return e.from ? changes(text, node, value, style) : [whole(text, node, value, style)];
}

/**
 * Returns splices of what differs between a node and a value. An object of which members both come and go is printed
 * anew, as is an object that loses all, and an array of another length.
 */
function changes(text: string, node: Node, value: unknown, style: JsonStyle): Splice[] {
  const { children = [] } = node;
  if (node.type === 'array' && Array.isArray(value) && children.length === value.length)
    return children.flatMap((child, i) => changes(text, child, value[i], style));
  if (node.type === 'object' && isObject(value)) return changedMembers(text, node, value, style);
  return node.value === value ? [] : [whole(text, node, value, style)];
}

function changedMembers(text: string, node: Node, value: object, style: JsonStyle): Splice[] {
  const names = (node.children ?? []).map((property): string => property.children?.[0]?.value);
  const wanted = new Map(Object.entries(value).filter(([, v]) => v !== undefined));
  const fresh = [...wanted].flatMap(([name, value]) => (names.includes(name) ? [] : [{ name, value }]));
  const fewer = names.filter((name) => !wanted.has(name)).length;
  if (fewer > 0 && (fewer === names.length || fresh.length > 0)) return [whole(text, node, value, style)];
  const isGone = (index: number): boolean => !wanted.has(names[index] ?? '');
  return [
    ...[...wanted].flatMap(([name, v]) => {
      const child = valueNode(member(node, name));
      return child ? changes(text, child, v, style) : [];
    }),
    ...removeItems(text, listOf(node), isGone, maskComments),
    ...(fresh.length > 0 ? addChildren(text, node, fresh, true, style) : []),
  ];
}

function whole(text: string, node: Node, value: unknown, style: JsonStyle): Splice {
  const { start, end } = rangeOf(node);
  const printed = text.slice(start, end).includes('\n')
    ? printLines(value, indentAt(text, startsLine(text, start) ? start : end), style)
    : printLine(value, padded(text, node, style));
  return { start, end, text: printed };
}

/** Returns the style with the padding of an existing object on one line. */
function padded(text: string, node: Node, style: JsonStyle): JsonStyle {
  const object = node.type === 'array' ? node.children?.[0] : node;
  const filled = object?.type === 'object' && object.children?.length;
  return filled ? { ...style, pad: padOf(text, object) } : style;
}

/**
 * Returns splices that add children to a container.
 * @param mimic prints the children on one line after a last child on one line, even if that child starts its line
 */
function addChildren(
  text: string,
  container: Node,
  children: readonly Child[],
  mimic: boolean,
  style: JsonStyle,
): Splice[] {
  const list = listOf(container);
  const print = (of: (value: unknown) => string) =>
    children.map((c) => (c.name === undefined ? '' : `${JSON.stringify(c.name)}:${style.gap}`) + of(c.value));

  const last = container.children?.at(-1);
  if (!last) {
    if (style.oneLine) {
      const pad = container.type === 'object' ? style.pad : '';
      const added = print((v) => printLine(v, style)).join(`,${style.gap}`);
      return [insertIntoEmpty(text, list, pad + added, pad)];
    }
    const outer = indentAt(text, container.offset);
    const indent = outer + style.unit;
    const added = print((v) => (isEntry(v) ? printLine(v, style) : printLines(v, indent, style))).map(
      (p) => style.nl + indent + p,
    );
    return [insertIntoEmpty(text, list, added.join(','), style.nl + outer)];
  }

  const { start, end } = rangeOf(last);
  const ownLine = startsLine(text, start);
  const indent = indentAt(text, ownLine ? start : end);
  const model = last.type === 'property' ? (valueNode(last) ?? last) : last;
  const oneLine = !text.slice(start, end).includes('\n') && (!ownLine || (mimic && !!model.children?.length));
  const inline = padded(text, model, style);
  const added = print((v) => (oneLine ? printLine(v, inline) : printLines(v, indent, style)));
  const separator = ownLine ? style.nl + indent : style.gap;
  return insertAfterLast(text, list, rangeOf(last), separator + added.join(`,${separator}`), maskComments);
}
