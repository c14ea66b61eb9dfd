import { expect, it } from 'vitest';
import { selected } from '../../src/fire/tools/select.ts';

it('keeps the spelling of the numbers that it selects', () => {
  const answer =
    '{"items":[{"id":9007199254740993,"v":1.10,"said":"7"}],"n":-12345678901234567890e+1,"t":"8"}';
  expect(selected(answer, '/items')).toBe('[{"id":9007199254740993,"v":1.10,"said":"7"}]');
  expect(selected(answer, '/items/0/id')).toBe('9007199254740993');
  expect(selected(answer, '/n')).toBe('-12345678901234567890e+1');
  expect(selected(answer, '/t')).toBe('8');
  expect(selected('one\n{"n":10000000000000000001}', '/n')).toBe('10000000000000000001');
  expect(selected('2026-11-28', '')).toBeUndefined();
  const marked = '{"s":"q\\"\\u00017","n":1}';
  expect(selected(`{"a":${marked}}`, '/a')).toBe(marked);
  const other = '{"x":"\\u0001"}\n{"a":{"n":1.50}}';
  expect(selected(other, '/a')).toBe('{"n":1.50}');
  expect(selected(other, '/a/n')).toBe('1.50');
});

it('takes of a list only its items (RFC 6901): JavaScript has a length of its own', () => {
  const answer = '{"items":[{"id":1}],"length":7,"of":{"length":"8"}}';
  expect(selected(answer, '/items/length')).toBeUndefined();
  expect(selected(answer, '/items/0/id/length')).toBeUndefined();
  expect(selected(answer, '/items/00')).toBeUndefined();
  expect(selected(answer, '/length')).toBe('7');
  expect(selected(answer, '/of/length')).toBe('8');
});
