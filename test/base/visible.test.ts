import { expect, it } from 'vitest';
import { invisibles, visible } from '../../src/base/visible.ts';

it.each([
  ['a\u2800b', 'a<U+2800>b'],
  ['a\u00a0b\u3000c\u2003d\u202fe', 'a<U+00A0>b<U+3000>c<U+2003>d<U+202F>e'],
  ['a\u{1d159}b\u3164c', 'a<U+1D159>b<U+3164>c'],
  [`a${'\u0301'.repeat(6)}b`, `a${'\u0301'.repeat(4)}<U+0301><U+0301>b`],
])('%j is written out', (text, shown) => expect(visible(text)).toBe(shown));

it.each(['Grüße, 日本語 で。', 'Tiếng Việt', 'שְׁלוֹם', 'ที่นี่', 'བསྒྲུབས', 'हिन्दी', '👩🏽 ☀️', 'a b\tc\nd'])(
  '%j stays as it is',
  (text) => {
    expect(visible(text)).toBe(text);
    expect(visible(text.normalize('NFD'))).toBe(text.normalize('NFD'));
  },
);

it('what looks like a blank is shown, and refused nowhere', () => {
  expect(invisibles('a\u2800\u00a0\u3000b')).toEqual([]);
});
