import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDeclarations } from '../../src/declarations/parse.ts';
import { lintWarnings } from '../../src/lint/lint.ts';
import { needleTrouble } from '../../src/lint/needle.ts';
import { DEFAULT_OPTIONS } from '../../src/plan/options.ts';
import { often } from '../effort.ts';

describe('a needle', () => {
  const troubleOf = (needle: string): unknown => {
    const declaration = { event: 'post_tool_use', priority: 'suggestion', context: 'A text.' };
    const { declarations } = parseDeclarations(
      { declarations: [{ ...declaration, matcher: { input_contains: needle } }] },
      { ...DEFAULT_OPTIONS, when: true },
    );
    const warnings = lintWarnings({ declarations, options: DEFAULT_OPTIONS, clients: [] });
    return warnings.find(({ code }) => code === 'lint.needle-never')?.args.trouble;
  };

  it.each([
    ['": ', { command: 'echo {"k": "v"}' }],
    ['", "', { command: 'ls "a", ' }],
    ['\\u00fc', { command: 'printf "\\u00fc"' }],
    ['\\x', { path: 'C:\\x' }],
    ['C:\\new', { command: 'C:\new' }],
    ['\\u001b[0m', { text: '\u001b[0m' }],
    ['true,"b":[],"c":{"d":-1.5e-7}}', { a: true, b: [], c: { d: -1.5e-7 } }],
    ['ll,[{"', { a: [null, [{ b: 1 }]] }],
    ['ü€', { a: 'ü€' }],
    ['"', { a: '' }],
  ])('%s stands in compact JSON, so lint says nothing', (needle, input) => {
    expect(JSON.stringify(input)).toContain(needle);
    expect(troubleOf(needle)).toBeUndefined();
  });

  it.each([
    ['a\tb', 'line'],
    ['{ "a"', 'space'],
    ['"a" :1', 'space'],
    ['"a": [', 'space'],
    ['C:\\x', 'escape'],
    ['f\\u00fcr', 'escape'],
    ['a\\/b', 'escape'],
    ['say "hi" "you"', 'quote'],
    ['x"y', 'quote'],
    ['"command":git', 'quote'],
  ])('%j never does: %s', (needle, trouble) => {
    expect(troubleOf(needle)).toBe(trouble);
  });

  it.each(['\u001b[31m', '\f', '\ud800'])('%j is always escaped there', (needle) => {
    expect(needleTrouble(needle)).toBe('control');
  });

  it('that was cut out of compact JSON gets no warning', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), fc.nat(), (value, from, length) => {
        const json = JSON.stringify({ a: value });
        const start = from % json.length;
        expect(troubleOf(json.slice(start, start + 1 + (length % 30)))).toBeUndefined();
      }),
      often(20),
    );
  });
});
