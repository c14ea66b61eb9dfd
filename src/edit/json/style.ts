import type { Node } from 'jsonc-parser';
import { isEntry } from '../decide.ts';
import { indentAt, lineEnd, startsLine } from '../splice.ts';

/** Layout of a JSON file that our insertions copy. */
export interface JsonStyle {
  /** True when the whole document is on one line. */
  oneLine: boolean;
  unit: string;
  nl: string;
  /** White space after a colon and a comma (`gap`), and inside the braces of an object on one line (`pad`). */
  gap: string;
  pad: string;
}

/**
 * Reads the style from the root's first member; the indentation from the first indented line when that member has none.
 */
export function styleOf(text: string, root: Node): JsonStyle {
  const first = root.children?.[0];
  const nl = lineEnd(text);
  if (!first) return { oneLine: false, unit: '  ', nl, gap: ' ', pad: ' ' };
  const body = text.slice(root.offset, root.offset + root.length);
  const afterColon = text.charAt((first.colonOffset ?? 0) + 1);
  const gap = /\S/.test(afterColon) ? '' : ' ';
  const oneLine = !body.includes('\n');
  const pad = oneLine ? padOf(text, root) : gap;
  return { oneLine, unit: unitOf(text, root, first), nl, gap, pad };
}

/** Returns the white space behind the opening bracket. */
export function padOf(text: string, node: Node): string {
  return /^[ \t]*/.exec(text.slice(node.offset + 1, node.offset + 65))?.[0] ?? '';
}

function unitOf(text: string, root: Node, first: Node): string {
  const indent = indentAt(text, first.offset);
  const outer = indentAt(text, root.offset);
  if (startsLine(text, first.offset) && indent.startsWith(outer)) return indent.slice(outer.length);
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
}

/**
 * Prints a value over several lines, but each hook group within on one line; `base` is the indentation of the first
 * line.
 */
export function printLines(value: unknown, base: string, style: JsonStyle): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, v]) => v !== undefined);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (members.length === 0) return `${open}${close}`;
  const indent = base + style.unit;
  const lines = members.map(([key, v]) => {
    const name = Array.isArray(value) ? '' : `${JSON.stringify(key)}:${style.gap}`;
    return `${indent}${name}${isEntry(v) ? printLine(v, style) : printLines(v, indent, style)}`;
  });
  return [open, lines.join(`,${style.nl}`), base + close].join(style.nl);
}

export function printLine(value: unknown, style: JsonStyle): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((v) => printLine(v, style)).join(`,${style.gap}`)}]`;
  const members = Object.entries(value)
    .filter(([, v]) => v !== undefined)
    .map(([k, v]) => `${JSON.stringify(k)}:${style.gap}${printLine(v, style)}`);
  return members.length === 0 ? '{}' : `{${style.pad}${members.join(`,${style.gap}`)}${style.pad}}`;
}
