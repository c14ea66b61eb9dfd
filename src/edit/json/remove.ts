import type { Node } from 'jsonc-parser';
import { removeItems } from '../comma-list.ts';
import { type Splice, splice } from '../splice.ts';
import type { FileMemory, GroupEdit, HookFileState } from '../types.ts';
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

/** Splices that remove children; 'gone': remove the whole container. */
type Shrunk = Splice[] | 'gone';

/**
 * Removes groups and handlers, and containers created by us that are then empty. Returns null when the file should no
 * longer exist. Deletes from `memory` what was restored.
 */
export function remove(
  { text, unwrapped }: Pick<HookFileState, 'unwrapped'> & { text: string },
  root: Node,
  edits: readonly GroupEdit[],
  memory: FileMemory,
): string | null {
  const hooks = eventsNode(root, unwrapped);
  if (!hooks) return text;
  const splices = removeHandlers(text, hooks, edits);
  const goneEvents = new Set<Node>();
  for (const event of new Set(edits.map((e) => e.event))) {
    const drops = new Set(edits.flatMap((e) => (e.kind === 'drop' && e.event === event ? [e.index] : [])));
    const owner = member(hooks, event);
    const array = valueNode(owner);
    if (!owner || !array || drops.size === 0) continue;
    const at = pointerOf(unwrapped, event);
    keepIfTwice(hooks, event, at, memory);
    const shrunk = shrink(text, array, at, (i) => drops.has(i), memory);
    if (shrunk === 'gone') goneEvents.add(owner);
    else splices.push(...shrunk);
  }
  if (!unwrapped) keepIfTwice(root, 'hooks', pointerOf(unwrapped), memory);
  const shrunkHooks = dropMembers(text, hooks, pointerOf(unwrapped), goneEvents, memory);
  if (shrunkHooks !== 'gone') return splice(text, [...splices, ...shrunkHooks]);
  const owner = unwrapped ? undefined : member(root, 'hooks');
  const shrunkRoot = owner ? dropMembers(text, root, '', new Set([owner]), memory) : 'gone';
  if (shrunkRoot !== 'gone') return splice(text, [...splices, ...shrunkRoot]);
  return wholeFile(text, root, memory);
}

/**
 * Forgets that we created a member when the object has another of that name by now: without the last one, which counts,
 * the client would read the other.
 */
function keepIfTwice(object: Node, name: string, at: string, { containers }: FileMemory): void {
  const named = (object.children ?? []).filter((p) => p.children?.[0]?.value === name);
  if (named.length > 1 && containers[at] && 'created' in containers[at]) delete containers[at];
}

function removeHandlers(text: string, events: Node, edits: readonly GroupEdit[]): Splice[] {
  const drops = edits.filter((e) => e.kind === 'drop-handler');
  const groups = new Set(drops.map((e) => groupNode(events, e.event, e.index)));
  return [...groups].flatMap((group) => {
    const list = valueNode(member(group, 'hooks'));
    const gone = (i: number) =>
      drops.some((e) => e.handler === i && groupNode(events, e.event, e.index) === group);
    return list ? removeItems(text, listOf(list), gone, maskComments) : [];
  });
}

function dropMembers(
  text: string,
  object: Node,
  at: string,
  gone: ReadonlySet<Node>,
  memory: FileMemory,
): Shrunk {
  if (gone.size === 0) return [];
  return shrink(text, object, at, (i) => gone.has(object.children?.[i] as Node), memory);
}

/**
 * Removes children of a container. A container that we created and that is then empty is 'gone'; a container that was
 * empty before our first entry gets its old interior back. Without memory, or with a comment inside, an empty container
 * stays.
 */
function shrink(
  text: string,
  container: Node,
  at: string,
  gone: (index: number) => boolean,
  memory: FileMemory,
): Shrunk {
  const list = listOf(container);
  const splices = removeItems(text, list, gone, maskComments);
  if (!list.items.every((_, i) => gone(i))) return splices;
  const known = memory.containers[at];
  delete memory.containers[at];
  const rest = splice(text.slice(0, list.close), splices).slice(list.open);
  const made = (known && 'created' in known) || (at === '' && madeFile(memory));
  if (made && bare(rest) === '' && !isNameCommented(text, container)) return 'gone';
  if (known && 'empty' in known && bare(known.empty) === bare(rest))
    return [{ start: list.open, end: list.close, text: known.empty }];
  return splices;
}

const bare = (text: string): string => text.replace(/\s/g, '');

/** True when a comment stands between the name of a member and its value. */
function isNameCommented(text: string, { parent, offset }: Node): boolean {
  const name = parent?.type === 'property' ? parent.children?.[0] : undefined;
  return name !== undefined && bare(text.slice(rangeOf(name).end, offset)) !== ':';
}

const madeFile = (memory: FileMemory): boolean => memory.created === true || memory.blank !== undefined;

/**
 * Returns what remains when the document that we created is empty again: the text of before, unless the user added text
 * around the document.
 */
function wholeFile(text: string, root: Node, memory: FileMemory): string | null {
  const { start, end } = rangeOf(root);
  const around = text.slice(0, start) + text.slice(end);
  if (around.trim() !== '') return `${text.slice(0, start)}{}${text.slice(end)}`;
  return memory.created ? null : (memory.blank ?? '');
}
