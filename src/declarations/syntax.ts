import { type ParseError, parseTree } from 'jsonc-parser';
import { MOST_LEVELS } from '../base/json-value.ts';
import { quietly } from '../base/quietly.ts';
import type { SyntaxCode } from '../messages/syntax.ts';

/** The first syntax error of a text; `offset` in UTF-16 units. */
export interface SyntaxMistake {
  offset: number;
  reason: SyntaxCode;
  /** The text at that place: a bracket or other mark, or `end`; absent when the text might be part of a secret. */
  found?: string;
}

/** Our codes by jsonc-parser's codes, from 1. */
const JSON_CODES: readonly (SyntaxCode | undefined)[] = [
  undefined,
  'word',
  'number',
  'name',
  'value',
  'colon',
  'comma',
  'open-object',
  'open-list',
  'after-end',
  'comment',
  'open-comment',
  'open-text',
  'number',
  'unicode',
  'escape',
  'control',
];

/**
 * Returns the first syntax error by the rules of strict JSON, or JSON with comments or a comma behind a last member;
 * undefined when there is none.
 */
export function jsonMistake(text: string, comments = false, finalCommas = false): SyntaxMistake | undefined {
  const errors: ParseError[] = [];
  const rules = { disallowComments: !comments, allowTrailingComma: finalCommas, allowEmptyContent: false };
  try {
    parseTree(text, errors, rules);
  } catch (error) {
    // The parser recurses.
    if (error instanceof RangeError) return { offset: deepestAt(text) ?? 0, reason: 'deep' };
    throw error;
  }
  return firstMistake(text, errors);
}

/** Strings, comments and brackets of JSON and TOML; of TOML's long strings each line for itself. */
const STRINGS_AND_BRACKETS = /"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|(?:\/\/|#).*|\/\*[\s\S]*?(?:\*\/|$)|[[\]{}]/g;

/**
 * Returns the offset of the first of the brackets that are nested most deeply, and too deeply. undefined: they aren't, as
 * in TOML where names are, or a string is too long for the stack (about 8,000,000 characters).
 */
export const deepestAt = (text: string): number | undefined =>
  quietly(() => {
    let level = 0;
    let most = MOST_LEVELS;
    let deepest: number | undefined;
    for (const { 0: mark, index } of text.matchAll(STRINGS_AND_BRACKETS)) {
      if ('}]'.includes(mark)) level--;
      if (!'{['.includes(mark) || ++level <= most) continue;
      most = level;
      deepest = index;
    }
    return deepest;
  });

/** Returns the first of jsonc-parser's errors for a text. */
export function firstMistake(text: string, errors: readonly ParseError[]): SyntaxMistake | undefined {
  const [first, second] = errors;
  if (!first) return undefined;
  const { offset } = first;
  const mark = text.charAt(offset);
  const found = text.slice(offset).trim() === '' ? 'end' : '{}[]:,"\''.includes(mark) ? mark : undefined;
  const code = JSON_CODES[first.error] ?? 'other';
  const reason = ((): SyntaxCode => {
    if ('}]'.includes(mark) && mark !== '' && afterComma(text, offset)) return 'trailing-comma';
    // The unexpected word is at the place of a name: `{a: 1}`, `{'a': 1}`.
    if (code === 'word' && second && JSON_CODES[second.error] === 'name') return 'name';
    return code === 'word' && mark === "'" ? 'single-quote' : code;
  })();
  return { offset, reason, ...(found !== undefined && { found }) };
}

function afterComma(text: string, offset: number): boolean {
  const before = text.slice(Math.max(0, offset - 500), offset);
  const bare = before.replace(/\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g, '');
  return [before, bare].some((text) => /,\s*$/.test(text));
}

/** Patterns of smol-toml's messages, the most specific first. */
const TOML_WORDS: readonly (readonly [RegExp, SyntaxCode])[] = [
  [/nested/, 'deep'],
  [/redefine/, 'toml-twice'],
  [/unfinished string/, 'open-text'],
  [/unfinished array/, 'open-list'],
  [/unfinished table/, 'open-object'],
  [/expected comma/, 'toml-comma'],
  [/end of table array/, 'toml-header'],
  [/end-of-line/, 'toml-line'],
  [/cannot find end of key/, 'toml-equals'],
  [/end of key|empty bare key|quoted key/, 'toml-name'],
  [/character in key/, 'toml-bare'],
  [/unicode/, 'unicode'],
  [/escape/, 'escape'],
  [/control characters/, 'control'],
  [/date|time/, 'toml-date'],
  [/zero|underscore|numeric/, 'number'],
  [/invalid value/, 'toml-value'],
];

/** Returns the code for a TOML syntax error, from the message of smol-toml's error. */
export function tomlReason(message: string): SyntaxCode {
  const line = message.split('\n')[0] ?? '';
  return TOML_WORDS.find(([words]) => words.test(line))?.[1] ?? 'other';
}
