import { type Node, parseTree } from 'jsonc-parser';
import { quietly } from '../../base/quietly.ts';
import { Fault } from '../../messages/fault.ts';
import { removeItems } from '../comma-list.ts';
import { sameValue } from '../same.ts';
import { splice } from '../splice.ts';
import { jsonValue } from './json.ts';
import { listOf, maskComments, member, valueNode } from './tree.ts';

/**
 * Removes strings from one array of strings in a JSON file and changes no other byte; an emptied array stays. `path`:
 * object keys from the root to the array; without such an array the text is returned unchanged. Fault: `edit.verify`.
 */
export function removeStrings(
  source: { file: string; text: string; comments: boolean },
  path: readonly string[],
  gone: (value: string) => boolean,
): string {
  const { file, text, comments } = source;
  const root = parseTree(text, [], { disallowComments: !comments });
  const array = path.reduce<Node | undefined>((node, key) => valueNode(member(node, key)), root);
  if (array?.type !== 'array') return text;
  const list = listOf(array);
  const leaves = (i: number): boolean => {
    const value: unknown = array.children?.[i]?.value;
    return typeof value === 'string' && gone(value);
  };
  if (!list.items.some((_, i) => leaves(i))) return text;
  const after = splice(text, removeItems(text, list, leaves, maskComments));
  const expected = without(jsonValue(text, comments), path, gone);
  const got = quietly(() => jsonValue(after, comments));
  if (!sameValue(expected, got)) throw new Fault('edit.verify', {}, { file });
  return after;
}

function without(value: unknown, path: readonly string[], gone: (value: string) => boolean): unknown {
  const [key, ...rest] = path;
  if (key === undefined)
    return Array.isArray(value) ? value.filter((v) => typeof v !== 'string' || !gone(v)) : value;
  const object = value as Record<string, unknown>;
  return { ...object, [key]: without(object[key], rest, gone) };
}
