import { parse as parseSmol, TomlError } from 'smol-toml';
import { type AST, getStaticTOMLValue, ParseError, parseTOML } from 'toml-eslint-parser';
import { tomlReason } from '../declarations/syntax.ts';
import { Fault } from '../messages.ts';
import { faultAt, lineEnd } from './text.ts';
import { editToml, type TomlGroups } from './toml-edit.ts';
import type { FileMemory, HookDocument } from './types.ts';

export interface TomlSource {
  file: string;
  /** Without a byte order mark, which toml-eslint-parser 1.0.3 refuses and Codex accepts. */
  text: string;
}

type Entries = Record<string, unknown>;

interface TomlReading {
  ast: AST.TOMLProgram;
  values: [unknown, unknown];
}

/** A plan reads the same file several times, with two slow parsers; nothing changes what they gave. */
let latest: { text: string; reading: TomlReading } | undefined;

/** Both readings of a text. Faults: `edit.unreadable`. Codex 0.169.0 reads TOML 1.1. */
export function tomlValues(source: TomlSource): TomlReading {
  const { text } = source;
  if (latest?.text === text) return latest.reading;
  try {
    const ast = parseTOML(text, { tomlVersion: '1.1' });
    const values: TomlReading['values'] = [
      getStaticTOMLValue(ast),
      parseSmol(text, { integersAsBigInt: 'asNeeded' }),
    ];
    latest = { text, reading: { ast, values } };
    return latest.reading;
  } catch (error) {
    throw error instanceof ParseError || error instanceof TomlError ? unreadable(source, error) : error;
  }
}

/** One parser's words are plain enough; where it finds nothing wrong, the other one's place is all there is. */
function unreadable({ file, text }: TomlSource, error: ParseError | TomlError): Fault {
  const mistake = error instanceof TomlError ? error : mistakeIn(text);
  if (mistake)
    return new Fault(
      'edit.unreadable',
      { reason: tomlReason(mistake.message) },
      { file, line: mistake.line, column: mistake.column },
    );
  return faultAt('edit.unreadable', { reason: 'other' }, file, text, (error as ParseError).index);
}

function mistakeIn(text: string): TomlError | undefined {
  try {
    parseSmol(text, { integersAsBigInt: 'asNeeded' });
    return undefined;
  } catch (error) {
    return error instanceof TomlError ? error : undefined;
  }
}

/** Faults: `edit.unreadable`. Groups that are not `[[hooks.<event>]]` tables can be read, and not edited. */
export function readToml(source: TomlSource): HookDocument {
  const { ast, values } = tomlValues(source);
  const hooks = (values[0] as Entries).hooks;
  const inHooks = typeof hooks === 'object' && hooks !== null ? Object.entries(hooks) : [];
  const events = new Map(inHooks.filter((e): e is [string, unknown[]] => Array.isArray(e[1])));
  const tables = ast.body[0].body.filter((n) => n.type === 'TOMLTable');
  const found: TomlGroups = {
    tables: (event, index) =>
      tables.filter(({ resolvedKey: [top, name, at] }) => top === 'hooks' && name === event && at === index),
    foreign: (event) => foreignNode(ast, event),
  };
  return {
    values,
    events,
    lineOf: (event, index) =>
      found.tables(event, index)[0]?.loc.start.line ?? foreignNode(ast, event)?.loc.start.line,
    commented: (event, index) =>
      found
        .tables(event, index)
        .some((t) => ast.comments.some((c) => c.range[0] >= t.range[0] && c.range[1] <= t.range[1])),
    edit: (edits, before) => {
      const memory: FileMemory = { ...before, containers: {} };
      const text = editToml(source, found, edits, lineEnd(source.text));
      return { text: text.trim() === '' && memory.created ? null : text, memory };
    },
  };
}

/** What makes `[[hooks.<event>]]` impossible: hooks or the event given as a value or as a single table. */
function foreignNode(ast: AST.TOMLProgram, event: string): AST.TOMLNode | undefined {
  const under = (node: AST.TOMLKeyValue, prefix: readonly (string | number)[]): boolean => {
    const path = [...prefix, ...node.key.keys.map((k) => (k.type === 'TOMLBare' ? k.name : k.value))];
    return path[0] === 'hooks' && (path.length === 1 || path[1] === event);
  };
  for (const node of ast.body[0].body) {
    if (node.type === 'TOMLKeyValue') {
      if (under(node, [])) return node;
    } else if (node.resolvedKey.length === 1) {
      if (node.resolvedKey[0] === 'hooks' && node.kind === 'array') return node;
      const inner = node.body.find((kv) => under(kv, node.resolvedKey));
      if (inner) return inner;
    } else if (
      node.resolvedKey[0] === 'hooks' &&
      (typeof node.resolvedKey[1] === 'number' ||
        (node.resolvedKey[1] === event && typeof node.resolvedKey[2] !== 'number'))
    )
      return node;
  }
  return undefined;
}
