import { parse, TomlError } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { duplicateKey } from '../../src/declarations/duplicate-key.ts';
import { inexactNumber } from '../../src/declarations/inexact-number.ts';
import { jsonMistake, tomlReason } from '../../src/declarations/syntax.ts';
import { Fault } from '../../src/messages/fault.ts';
import { faultText } from '../../src/messages/faults.ts';

const JSON_TEXTS: [text: string, reason: string, offset: number, found?: string][] = [
  ['', 'value', 0, 'end'],
  ['{', 'open-object', 1, 'end'],
  ['{"a"', 'colon', 4, 'end'],
  ['{"a":}', 'value', 5, '}'],
  ['{"a":1 "b":2}', 'comma', 7, '"'],
  ['{"a":1]', 'comma', 6, ']'],
  ['{"a":[1', 'open-list', 7, 'end'],
  ['{a:1}', 'name', 1],
  ["{'a':1}", 'name', 1, "'"],
  ['{"a":\'b\'}', 'single-quote', 5, "'"],
  ['{"a":1,}', 'trailing-comma', 7, '}'],
  ['{"a":"http://x",\n}', 'trailing-comma', 17, '}'],
  ['["a", // one\n]', 'comment', 6],
  ['{"a":tru}', 'word', 5],
  ['{"a":"x\n"}', 'open-text', 5, '"'],
  ['{"a":"\\q"}', 'escape', 5, '"'],
  ['{"a":"\\u12"}', 'unicode', 5, '"'],
  ['{"a":"\t"}', 'control', 5, '"'],
  ['{}}', 'after-end', 2, '}'],
];

describe('JSON', () => {
  it.each(JSON_TEXTS)('%j', (text, reason, offset, found) => {
    expect(jsonMistake(text)).toEqual({ reason, offset, ...(found && { found }) });
    expect(() => JSON.parse(text)).toThrow();
  });

  it('nothing in what is JSON, and comments where they may stand', () => {
    expect(jsonMistake('{"a": [1, "x"]}\n')).toBeUndefined();
    expect(jsonMistake('{"a": 1} // one', true)).toBeUndefined();
    expect(jsonMistake('[1, // one\n]', true)).toMatchObject({ reason: 'trailing-comma' });
  });
});

const TOML_TEXTS: [text: string, reason: string][] = [
  ['a = ', 'toml-value'],
  ['a = yes', 'toml-value'],
  ['a = [1, 2', 'toml-comma'],
  ['a = "x', 'open-text'],
  ['[a', 'toml-equals'],
  ['[a]\n[a]\n', 'toml-twice'],
  ['a = 1 b = 2', 'toml-line'],
  ['a', 'toml-equals'],
  ['a = 01', 'number'],
  ['a = "\\q"', 'escape'],
  ['= 1', 'toml-name'],
  ['a = 2020-13-40', 'toml-date'],
];

describe('TOML', () => {
  it.each(TOML_TEXTS)('%j', (text, reason) => {
    let error: unknown;
    try {
      parse(text);
    } catch (e) {
      error = e;
    }
    expect(error).toBeInstanceOf(TomlError);
    expect(tomlReason((error as TomlError).message)).toBe(reason);
  });
});

it('is told with what was expected and what stands there', () => {
  const { reason = '', found } = jsonMistake('{"a":1') ?? {};
  const fault = new Fault(
    'config.syntax',
    { reason, ...(found && { found }) },
    { file: '/c.json', line: 1, column: 7 },
  );
  expect(faultText(fault)).toBe(
    "/c.json:1:7: not valid JSON: expected '}': an object is not closed, found the end of the file\n  Fix the file at this place.",
  );
});

it('is looked for in a list with more items than a call takes arguments', () => {
  const text = `{"a":1,"a":[${'1,'.repeat(150_000)}12345678901234567890]}`;
  expect(duplicateKey(text, JSON.parse(text))).toEqual({ key: 'a', offset: 7 });
  expect(inexactNumber(text)).toBe(text.length - 22);
});
