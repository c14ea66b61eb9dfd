import { TomlError } from 'smol-toml';
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import { valuesByKey } from '../../base/grouped.ts';
import { shallow } from '../../base/json-value.ts';
import { once } from '../../base/once.ts';
import { quietly } from '../../base/quietly.ts';
import { tomlTable } from '../../base/toml.ts';
import { tomlReason } from '../../declarations/syntax.ts';
import { Fault } from '../../messages/fault.ts';
import type { Entries } from '../same.ts';
import { faultAt, lineEnd } from '../splice.ts';
import type { FileMemory, HookDocument } from '../types.ts';
import { isExactly } from '../verify.ts';
import { editToml, type ForeignToml, type TomlGroups } from './edit.ts';
import { keysOf, nearestToml } from './tree.ts';

interface TomlSource {
  file: string;
  /** Without a byte order mark, which toml-eslint-parser 1.0.3 refuses and Codex accepts. */
  text: string;
}

interface TomlReading {
  text: string;
  value: Entries;
  /** Tree with offsets, by a slower parser; parsed only for edits. */
  tree?: AST.TOMLProgram;
}

/** Latest reading: a plan reads the same file several times. The tree is never modified. */
let latest: TomlReading | undefined;

/** Parses a text. Faults: `edit.unreadable`. */
function read({ file, text }: TomlSource): TomlReading {
  if (latest?.text === text) return latest;
  try {
    latest = { text, value: shallow(tomlTable(text)) };
    return latest;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = tomlReason(error.message);
    // smol-toml 1.9.1 has a nesting limit of its own, 1,000 levels.
    if (reason === 'deep') throw new RangeError(error.message);
    throw new Fault('edit.unreadable', { reason }, { file, line: error.line, column: error.column });
  }
}

/** Returns the value of a text. Faults: `edit.unreadable`. */
export function tomlValue(source: TomlSource): unknown {
  return read(source).value;
}

function parseTree({ file, text }: TomlSource): AST.TOMLProgram {
  try {
    // Its value is never made: toml-eslint-parser 1.0.3 would write what stands under `__proto__` into Object.prototype.
    return parseTOML(text, { tomlVersion: '1.1' });
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw faultAt('edit.unreadable', { reason: 'other' }, file, text, error.index);
  }
}

/**
 * Reads a TOML hook file. Groups that aren't `[[hooks.<event>]]` tables can be read but not edited. Faults:
 * `edit.unreadable`.
 */
export function readToml(source: TomlSource): HookDocument {
  const reading = read(source);
  const tree = (): AST.TOMLProgram => {
    try {
      reading.tree ??= parseTree(source);
    } catch (error) {
      if (!(error instanceof RangeError && holdsLong(reading.value))) throw error;
      throw new Fault('edit.too-deep', { long: 1 }, { file: source.file });
    }
    return reading.tree;
  };
  const { hooks } = reading.value;
  const inHooks = typeof hooks === 'object' && hooks !== null ? Object.entries(hooks) : [];
  const events = new Map(inHooks.filter((e): e is [string, unknown[]] => Array.isArray(e[1])));
  const tables = once(() =>
    valuesByKey(
      tree()
        .body[0].body.filter((n) => n.type === 'TOMLTable')
        .filter(({ resolvedKey: [top] }) => top === 'hooks')
        .map((table) => [JSON.stringify(table.resolvedKey.slice(1, 3)), table] as const),
    ),
  );
  const found: Omit<TomlGroups, 'isEdited'> = {
    tables: (event, index) => tables().get(JSON.stringify([event, index])) ?? [],
    foreign: (event) => foreignNode(tree(), event),
  };
  return {
    value: reading.value,
    events,
    lineOf: (event, index) =>
      found.tables(event, index)[0]?.loc.start.line ?? found.foreign(event)?.node.loc.start.line,
    // A name that occurs twice is a fault.
    hidden: () => [],
    positionOf: (path) => {
      const at = nearestToml(tree(), path)?.loc.start;
      return at && { line: at.line, column: at.column + 1 };
    },
    commented: (event, index) =>
      found
        .tables(event, index)
        .some((t) => tree().comments.some((c) => c.range[0] >= t.range[0] && c.range[1] <= t.range[1])),
    edit: (edits, before) => {
      const memory: FileMemory = { ...before, containers: {} };
      // What is added must be removable: the parser of trees, which only that needs, can't hold very long strings.
      if (source.text.length > LONG && holdsLong(reading.value)) tree();
      const isEdited = (text: string): boolean =>
        quietly(() => isExactly(reading.value, edits, tomlValue({ ...source, text }))) ?? false;
      const text = editToml(source, { ...found, isEdited }, edits, lineEnd(source.text));
      return { text: text.trim() === '' && memory.created ? null : text, memory };
    },
  };
}

/** Characters; toml-eslint-parser 1.0.3 exhausts the stack at a string of about 125,000. */
const LONG = 50_000;

const holdsLong = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.length > LONG
    : typeof value === 'object' && value !== null && Object.values(value).some(holdsLong);

/** Returns the node that makes `[[hooks.<event>]]` impossible: `hooks` or the event as a value or a single table. */
function foreignNode(ast: AST.TOMLProgram, event: string): ForeignToml | undefined {
  const under = (kv: AST.TOMLKeyValue, prefix: readonly (string | number)[]): ForeignToml[] => {
    const [top, name] = [...prefix, ...keysOf(kv.key)];
    const isWhole = name === undefined;
    return top === 'hooks' && (isWhole || name === event) ? [{ node: kv, isWhole }] : [];
  };
  return ast.body[0].body.flatMap((node): ForeignToml[] => {
    if (node.type === 'TOMLKeyValue') return under(node, []);
    const [top, name, index] = node.resolvedKey;
    // The key of a table in an array has its index, too.
    if (node.resolvedKey.length === 1) return node.body.flatMap((kv) => under(kv, node.resolvedKey));
    const isWhole = name === undefined || typeof name === 'number';
    const isTable = isWhole || (name === event && typeof index !== 'number');
    return top === 'hooks' && isTable ? [{ node, isWhole }] : [];
  })[0];
}
