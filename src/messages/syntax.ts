import type { FaultArgs } from './args.ts';

/** Sentences on syntax errors in JSON and TOML. */
const SYNTAX = {
  word: 'a word that JSON does not know; texts stand in double quotes',
  'single-quote': 'single quotes; texts stand in double quotes',
  number: 'a number that is written in no way allowed here',
  name: 'expected a name in double quotes',
  value: 'expected a value',
  colon: "expected ':' after a name",
  comma: "expected ',' or a closing bracket",
  'open-object': "expected '}': an object is never closed",
  'open-list': "expected ']': a list is never closed",
  'after-end': 'something follows after the end of the document',
  comment: 'a comment, and none may stand here',
  'open-comment': 'a comment that is never closed',
  'open-text': 'a text that is never closed, or goes on behind the end of its line',
  unicode: 'an escape \\u without its hexadecimal digits',
  escape: 'a backslash that begins no known escape; a backslash itself is written \\\\',
  control: 'a control character within a text; a tab is written \\t',
  'trailing-comma': 'a comma after the last item',
  bom: 'it begins with a byte order mark',
  empty: 'it is empty',
  key: 'a key that may not stand at top level',
  entries: 'it has no place for entries of hooks, so that mcphooks did not write it',
  frame: 'a member that has to stand at top level is missing, or has another value',
  'toml-twice': 'a name or table that was defined before',
  'toml-comma': "expected ',' or the closing bracket",
  'toml-header': "expected ']]' at the end of a table's name",
  'toml-line': 'expected the end of the line',
  'toml-equals': "expected '=' after a name, or ']' after a table's",
  'toml-name': 'expected a name',
  'toml-bare': "a character that no name holds outside quotes; is ']' or '=' missing before it?",
  'toml-value': 'expected a value; texts stand in quotes',
  'toml-date': 'a date or time that does not exist',
  deep: 'objects or lists nested too deeply',
  other: 'a syntax error',
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
