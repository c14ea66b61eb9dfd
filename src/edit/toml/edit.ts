import type { AST } from 'toml-eslint-parser';
import { type ItemList, type MaskComments, removeItems } from '../comma-list.ts';
import { sameValue } from '../same.ts';
import { faultAt, lineStart, type Range, type Splice, splice } from '../splice.ts';
import type { GroupEdit } from '../types.ts';
import { printGroup, printHandler, tomlText } from './print.ts';
import { keysOf } from './tree.ts';

/** A node that makes `[[hooks.<event>]]` impossible. `isWhole`: it is that of all `hooks`. */
export interface ForeignToml {
  node: AST.TOMLNode;
  isWhole: boolean;
}

export interface TomlGroups {
  /** Returns the table `[[hooks.<event>]]` number `index` and its subtables, in file order. */
  tables: (event: string, index: number) => AST.TOMLTable[];
  /** Returns the node that makes `[[hooks.<event>]]` impossible. */
  foreign: (event: string) => ForeignToml | undefined;
  /** True when a text parses to the original value plus all edits. */
  isEdited: (text: string) => boolean;
}

const maskTomlComments: MaskComments = (between) =>
  between.replace(/#[^\r\n]*/g, (c) => '/'.repeat(c.length));

const rangeOfNode = (node: AST.TOMLNode): Range => ({ start: node.range[0], end: node.range[1] });

/**
 * Replaces and removes groups by their ranges, and appends groups at the end of the file. Faults:
 * `edit.unsupported-shape`.
 */
export function editToml(
  { file, text }: { file: string; text: string },
  groups: TomlGroups,
  edits: readonly GroupEdit[],
  nl: string,
): string {
  const unsupported = (event: string) => {
    const { node, isWhole } = groups.foreign(event) ?? {};
    const args = isWhole
      ? { at: 'hooks', wants: 'a set of [[hooks.<event>]] tables' }
      : { at: `hooks.${event}`, wants: `[[hooks.${event}]] tables` };
    return faultAt('edit.unsupported-shape', args, file, text, node?.range[0] ?? 0);
  };
  const append = (to: string): string =>
    edits.reduce(
      (now, e) => (e.kind === 'append' ? appendBlock(now, printGroup(e.event, e.group, nl), nl) : now),
      to,
    );
  // The longer text fails this test when the file holds groups in another form than `[[hooks.<event>]]` tables.
  if (edits.every((e) => e.kind === 'append')) {
    const longer = append(text);
    if (groups.isEdited(longer)) return longer;
  }
  const pieces = edits.flatMap((e) => {
    if (e.kind === 'append') {
      if (groups.foreign(e.event)) throw unsupported(e.event);
      return [];
    }
    const tables = groups.tables(e.event, e.index);
    if (tables.length === 0) throw unsupported(e.event);
    if (e.kind === 'set')
      return (
        (e.from && changedValues(tables, e.group, e.from)) ||
        replaceTables(tables, printGroup(e.event, e.group, nl))
      );
    if (e.kind === 'drop') return replaceTables(tables, undefined);
    return editHandler(text, tables, e, edits, nl);
  });
  return append(cut(text, pieces));
}

/** A splice of a table. `lines`: the table's whole lines are removed, not only its bytes. */
type Piece = Splice & { lines?: boolean };

function replaceTables(tables: readonly AST.TOMLTable[], by: string | undefined): Piece[] {
  return tables.map((t, i) =>
    i === 0 && by !== undefined
      ? { ...rangeOfNode(t), text: by }
      : { ...rangeOfNode(t), text: '', lines: true },
  );
}

/**
 * Returns splices of the values that differ in a table and its subtables; undefined when other members are wanted.
 */
function changedValues(tables: readonly AST.TOMLTable[], value: object, from: object): Piece[] | undefined {
  const depth = tables[0]?.resolvedKey.length ?? 0;
  const leaves = tables.flatMap((table) => leavesIn(table.body, table.resolvedKey.slice(depth)));
  return changedLeaves(leaves, value, from);
}

/** A value without members of its own, by its path. */
interface Leaf {
  path: string;
  node: AST.TOMLContentNode;
}

/** Names and positions from the top. */
type KeyPath = readonly (string | number)[];

function leavesOf(node: AST.TOMLContentNode, path: KeyPath = []): Leaf[] {
  if (node.type === 'TOMLArray') return node.elements.flatMap((one, i) => leavesOf(one, [...path, i]));
  if (node.type === 'TOMLInlineTable') return leavesIn(node.body, path);
  return [{ path: JSON.stringify(path.map(String)), node }];
}

const leavesIn = (body: readonly AST.TOMLKeyValue[], path: KeyPath): Leaf[] =>
  body.flatMap(({ key, value }) => leavesOf(value, [...path, ...keysOf(key)]));

function changedLeaves(leaves: readonly Leaf[], value: object, from: object): Piece[] | undefined {
  const old = new Map(valuesOf(from, []));
  const wanted = new Map(valuesOf(value, []));
  if (wanted.size !== leaves.length || !leaves.every(({ path }) => wanted.has(path))) return undefined;
  return leaves.flatMap(({ path, node }) => {
    const one = wanted.get(path);
    return sameValue(old.get(path), one) ? [] : [{ ...rangeOfNode(node), text: tomlText(one) }];
  });
}

function valuesOf(value: unknown, path: readonly string[]): [string, unknown][] {
  if (typeof value !== 'object' || value === null || value instanceof Date)
    return [[JSON.stringify(path), value]];
  return Object.entries(value).flatMap(([key, one]) =>
    one === undefined ? [] : valuesOf(one, [...path, key]),
  );
}

function editHandler(
  text: string,
  tables: readonly AST.TOMLTable[],
  e: Extract<GroupEdit, { handler: number }>,
  edits: readonly GroupEdit[],
  nl: string,
): Piece[] {
  const nested = tables.filter((t) => t.resolvedKey[3] === 'hooks' && t.resolvedKey[4] === e.handler);
  if (nested.length > 0) {
    if (e.kind !== 'set-handler') return replaceTables(nested, undefined);
    const changed = e.from && changedValues(nested, e.value, e.from);
    return changed || replaceTables(nested, printHandler(e.event, e.value, nl));
  }
  const array = tables[0]?.body.find(
    (kv) => kv.value.type === 'TOMLArray' && keysOf(kv.key).join('.') === 'hooks',
  )?.value;
  if (array?.type !== 'TOMLArray') return [];
  const items = array.elements.map(rangeOfNode);
  const item = items[e.handler];
  if (!item) return [];
  if (e.kind === 'set-handler') {
    const node = array.elements[e.handler];
    const changed = e.from && node && changedLeaves(leavesOf(node), e.value, e.from);
    return changed || [{ ...item, text: tomlText(e.value) }];
  }
  const gone = edits.flatMap((d) =>
    d.kind === 'drop-handler' && d.event === e.event && d.index === e.index ? [d.handler] : [],
  );
  // Only the first edit of a list returns splices: a single call removes all handlers of the list.
  if (Math.min(...gone) !== e.handler) return [];
  const list: ItemList = { open: array.range[0] + 1, close: array.range[1] - 1, items };
  return removeItems(text, list, (i) => gone.includes(i), maskTomlComments);
}

/** Applies pieces from the last to the first, so that each piece sees the final text behind it. */
function cut(text: string, pieces: readonly Piece[]): string {
  return [...pieces]
    .sort((a, b) => b.start - a.start)
    .reduce((now, p) => splice(now, [p.lines ? { ...wholeLines(now, p), text: '' } : p]), text);
}

/**
 * Returns the lines of a block with the blank line before the block; undoes `appendBlock`. Other text on the block's
 * last line stays.
 */
function wholeLines(text: string, block: Range): Range {
  const start = lineStart(text, block.start);
  const blank = /(?<=\n|^)\r?\n$/.exec(text.slice(Math.max(0, start - 3), start))?.[0].length ?? 0;
  const tail = /^[ \t]*(\r?\n|$)/.exec(text.slice(block.end));
  if (!tail) return { start: block.start, end: block.end };
  const before = start - blank;
  if (tail[1]) return { start: before, end: block.end + tail[0].length };
  const ended = /\r?\n$/.exec(text.slice(Math.max(0, before - 2), before))?.[0].length ?? 0;
  return { start: before - ended, end: block.end + tail[0].length };
}

/** Appends a blank line and the block; the result ends in a line end when the text did. */
function appendBlock(text: string, block: string, nl: string): string {
  if (text === '') return block + nl;
  return text.endsWith('\n') ? `${text}${nl}${block}${nl}` : `${text}${nl}${nl}${block}`;
}
