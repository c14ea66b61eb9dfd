import type { FaultArgs } from './args.ts';
import type { Wording } from './words.ts';

/** Sentences on syntax errors in JSON and TOML. */
const SYNTAX = {
  word: 'unknown word; strings need double quotes',
  'single-quote': 'single quotes; strings need double quotes',
  number: 'invalid number',
  inexact: 'a number that programs round; write it as a string, or with fewer digits',
  name: 'expected a name in double quotes',
  value: 'expected a value',
  colon: "expected ':' after a name",
  comma: "expected ',' or a closing bracket",
  'open-object': "expected '}': an object is not closed",
  'open-list': "expected ']': a list is not closed",
  'after-end': 'extra text after the end',
  comment: 'a comment where none is allowed',
  'open-comment': 'unclosed comment',
  'comment-end': 'a carriage return in a comment, which only some programs take for its end',
  'open-text': 'unclosed string, or a string across a line end',
  unicode: '\\u without hexadecimal digits',
  escape: 'unknown escape; write a backslash itself as \\\\',
  control: 'control character in a string; write a tab as \\t',
  'trailing-comma': 'trailing comma',
  twice: 'this name occurs a second time in its object',
  bom: 'it starts with a byte order mark',
  empty: 'it is empty',
  key: 'a key that is not allowed at top level',
  entries: 'no place for hook entries, so mcphooks did not write this file',
  'toml-twice': 'name or table defined twice',
  'toml-comma': "expected ',' or the closing bracket",
  'toml-header': "expected ']]' at the end of a table's name",
  'toml-line': 'expected the end of the line',
  'toml-equals': "expected '=' after a name, or ']' after a table's",
  'toml-name': 'expected a name',
  'toml-bare': "invalid character in a bare name; is ']' or '=' missing before it?",
  'toml-value': 'expected a value; strings need quotes',
  'toml-date': 'invalid date or time',
  deep: 'objects or lists nested too deeply',
  other: 'syntax error',
} as const;

export type SyntaxCode = keyof typeof SYNTAX;

/**
 * Returns the sentence on a syntax error; `a.found` is the text at the place. The Fault itself tells whether a client
 * reads the file.
 */
export function syntaxText(a: FaultArgs): string {
  const reason = String(a.reason);
  const words = Object.hasOwn(SYNTAX, reason) ? SYNTAX[reason as SyntaxCode] : reason;
  if (!a.found || !words.startsWith('expected')) return words;
  return `${words}, found ${a.found === 'end' ? 'the end of the file' : a.found}`;
}

/** Returns the sentence on a file that isn't strict JSON, or that programs would read differently. */
export const notJsonText = (a: FaultArgs): string =>
  a.reason === 'twice' || a.reason === 'inexact' ? syntaxText(a) : `not valid JSON: ${syntaxText(a)}`;

/** The sentences on a file of mcphooks' own that isn't valid JSON. */
export const NOT_JSON: Wording = { what: notJsonText, fix: () => 'Fix the file at this place.' };
