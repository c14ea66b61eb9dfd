import { type Node, type ParseError, parseTree, stripComments } from 'jsonc-parser';
import { isObject, shallow } from '../../base/json-value.ts';
import { once } from '../../base/once.ts';
import type { FileRules } from '../../clients/hook-config.ts';
import { mayRepeatKey } from '../../declarations/duplicate-key.ts';
import { position } from '../../declarations/json-text.ts';
import { firstMistake, type SyntaxMistake } from '../../declarations/syntax.ts';
import type { Fault } from '../../messages/fault.ts';
import type { Entries } from '../same.ts';
import { faultAt, lineEnd } from '../splice.ts';
import type { FileMemory, GroupEdit, HookDocument, HookFileState } from '../types.ts';
import { hiddenObjects } from './hidden.ts';
import { insert } from './insert.ts';
import { remove } from './remove.ts';
import { eventsNode, groupNode, nearestNode } from './tree.ts';

interface JsonSource extends Pick<HookFileState, 'file' | 'frame' | 'unwrapped'> {
  accepts?: FileRules;
  /** Without a byte order mark. */
  text: string;
  /** True when the client accepts comments (`jsonc`). No client accepts trailing commas in a hook file. */
  comments: boolean;
}

/** Parses the value as the client reads the file: JSON.parse, for `jsonc` after blanking comments. */
export function jsonValue(text: string, comments: boolean): unknown {
  return text.trim() === '' ? undefined : shallow(JSON.parse(comments ? stripComments(text, ' ') : text));
}

export const hasComments = (text: string): boolean => stripComments(text) !== text;

interface Tree {
  root: Node | undefined;
  errors: ParseError[];
}

/** Parsed trees of the latest texts: a command reads the same files several times. Trees are never modified. */
const trees = new Map<string, Tree>();

function treeOf(text: string, comments: boolean): Tree {
  const key = `${comments} ${text}`;
  const known = trees.get(key);
  if (known) return known;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: !comments, allowTrailingComma: false });
  if (trees.size >= 4) trees.clear();
  trees.set(key, { root, errors });
  return { root, errors };
}

/** Parses a document; undefined for a text without any value. Faults: `edit.unreadable`, `edit.unsupported-shape`. */
function parse(source: JsonSource): Node | undefined {
  const { file, text, comments, accepts } = source;
  if (text.trim() === '') return undefined;
  const { root, errors } = treeOf(text, comments);
  const mistake = firstMistake(text, errors) ?? (comments ? unclearCommentEnd(text) : undefined);
  if (mistake) throw unreadable(source, mistake);
  if (root?.type !== 'object')
    throw faultAt(
      'edit.unsupported-shape',
      { at: 'the document', wants: 'an object' },
      file,
      text,
      root?.offset ?? 0,
    );
  // Throws for what the client's JSON parser refuses though the tree has no mistake.
  readValue(source);
  const foreign = root.children?.find(
    (p) => accepts?.topLevelKeys?.includes(p.children?.[0]?.value) === false,
  );
  if (foreign) throw unreadable(source, { reason: 'key', offset: foreign.offset });
  return root;
}

/**
 * Finds a comment with a carriage return alone, which ends the comment for some programs only: for these, what follows in
 * the line is part of the document.
 */
export function unclearCommentEnd(text: string): SyntaxMistake | undefined {
  const lone = /\r(?!\n)/g;
  if (text.search(lone) < 0) return undefined;
  const blanked = (one: string): string => one.replace(lone, ' ');
  const [ended, unended] = [blanked(stripComments(text, ' ')), stripComments(blanked(text), ' ')];
  if (ended === unended) return undefined;
  let offset = 0;
  while (ended[offset] === unended[offset]) offset++;
  return { reason: 'comment-end', offset };
}

const unreadable = ({ file, text }: JsonSource, { offset, ...why }: SyntaxMistake): Fault =>
  faultAt('edit.unreadable', why, file, text, offset);

/** Reads a JSON hook file. Faults: `edit.unreadable`, `edit.unsupported-shape`. */
export function readJson(source: JsonSource): HookDocument {
  const { text, comments, unwrapped } = source;
  // The tree with offsets is parsed lazily: a plain JSON file needs the tree only for edits.
  const root = once(() => parse(source));
  const value = plainObject(source) ?? (root() && (readValue(source) as Entries));
  const events = unwrapped ? value : value?.hooks;
  const hooks = isObject(events) ? Object.entries(events) : [];

  return {
    value,
    events: new Map(hooks.filter((e): e is [string, unknown[]] => Array.isArray(e[1]))),
    lineOf: (event, index) => {
      const node = groupNode(eventsNode(root(), unwrapped), event, index);
      return node && position(text, node.offset).line;
    },
    positionOf: (path) => {
      const node = nearestNode(root(), path);
      return node && position(text, node.offset);
    },
    hidden: () => {
      const plain = comments ? stripComments(text, ' ') : text;
      const all = value !== undefined && mayRepeatKey(plain, value) ? hiddenObjects(root(), unwrapped) : [];
      return all.map(({ offset, ...rest }) => ({ ...rest, place: () => position(text, offset) }));
    },
    commented: (event, index) => {
      const node = groupNode(eventsNode(root(), unwrapped), event, index);
      const own = node ? text.slice(node.offset, node.offset + node.length) : '';
      return comments && hasComments(own);
    },
    edit: (edits, before) => {
      const memory: FileMemory = { ...before, containers: { ...before?.containers } };
      const isDrop = (e: GroupEdit) => e.kind === 'drop' || e.kind === 'drop-handler';
      const put = edits.filter((e) => !isDrop(e));
      const taken = edits.filter(isDrop);
      // Insertions come first, so that a container that stays in use is never empty in between.
      let now = source;
      let tree = root();
      if (put.length > 0) {
        if (!tree) now = { ...source, text: newDocument(source) };
        tree ??= parse(now) as Node;
        now = { ...now, text: insert(now, tree, put, memory) };
        if (taken.length > 0) tree = parse(now);
      }
      return {
        text: taken.length > 0 && tree ? remove(now, tree, taken, memory) : now.text,
        memory,
      };
    },
  };
}

/** Returns the value of a plain JSON object that needs no closer check; undefined: parse the tree. */
function plainObject(source: JsonSource): Entries | undefined {
  const { text, accepts } = source;
  try {
    const value: unknown = shallow(JSON.parse(text));
    const fits =
      isObject(value) && Object.keys(value).every((key) => accepts?.topLevelKeys?.includes(key) ?? true);
    return fits ? value : undefined;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return undefined;
  }
}

function newDocument({ text, frame = {} }: JsonSource): string {
  const nl = lineEnd(text);
  return `${JSON.stringify(frame, null, 2).replaceAll('\n', nl)}${nl}`;
}

function readValue(source: JsonSource): unknown {
  const { text, comments } = source;
  try {
    return jsonValue(text, comments);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    const offset = Number(/position (\d+)/.exec(String(error))?.[1] ?? 0);
    throw unreadable(source, { reason: 'other', offset });
  }
}
