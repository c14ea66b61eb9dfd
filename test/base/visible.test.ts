import { expect, it } from 'vitest';
import { invisibles, oneLine, visible } from '../../src/base/visible.ts';

it.each([
  ['a\u2800b', 'a<U+2800>b'],
  ['a\u00a0b\u3000c\u2003d\u202fe', 'a<U+00A0>b<U+3000>c<U+2003>d<U+202F>e'],
  ['a\u{1d159}b\u3164c', 'a<U+1D159>b<U+3164>c'],
  [`a${'\u0301'.repeat(6)}b`, `a${'\u0301'.repeat(4)}<U+0301><U+0301>b`],
])('%j is written out', (text, shown) => expect(visible(text)).toBe(shown));

it('a variation selector stands behind an emoji or in a keycap alone', () => {
  const own = '☀️ ☺︎ ©️ 1️⃣ #️⃣';
  expect([visible(own), invisibles(own)]).toEqual([own, []]);
  for (const hidden of [
    'a\ufe0f',
    'b\ufe0e',
    '1\ufe0f',
    '☀\ufe0f\ufe0e',
    '漢\ufe00',
    '漢\u{e0100}',
    'ᠠ\u180b',
    '\ufe0f',
  ])
    expect([hidden, invisibles(`x ${hidden}`).length]).toEqual([hidden, 1]);
  expect(visible('a\ufe0fb\ufe0e')).toBe('a<U+FE0F>b<U+FE0E>');
});

it.each(['Grüße, 日本語 で。', 'Tiếng Việt', 'שְׁלוֹם', 'ที่นี่', 'བསྒྲུབས', 'हिन्दी', '👩🏽 ☀️', 'a b\tc\nd'])(
  '%j stays as it is',
  (text) => {
    expect(visible(text)).toBe(text);
    expect(visible(text.normalize('NFD'))).toBe(text.normalize('NFD'));
  },
);

it('a joiner stands within an emoji, or single between letters that it joins or parts', () => {
  for (const own of ['👩‍💻 👩🏽‍💻 ❤️‍🔥', 'می‌خواهم', 'क्‍ष', 'ක්‍ර'])
    expect([visible(own), invisibles(own)]).toEqual([own, []]);
  for (const hidden of [
    'a\u200cb',
    'م\u200c\u200cخ',
    'م\u200c',
    '\u200dم',
    '💻\u200d',
    'م\u200bخ',
    'م\u202eخ',
  ])
    expect([hidden, invisibles(`x ${hidden} x`).length]).toEqual([hidden, 1]);
});

it('what looks like a blank is shown, and refused nowhere', () => {
  expect(invisibles('a\u2800\u00a0\u3000b')).toEqual([]);
});

it.each([
  ['m\u0435mo', 'm\u0435<U+0435>mo'],
  ['\u03bfpen-memo', '\u03bf<U+03BF>pen-memo'],
  ['\u{1d5c6}emo', '\u{1d5c6}<U+1D5C6>emo'],
  ['\uff4d\uff45', '\uff4d<U+FF4D>\uff45<U+FF45>'],
  ['a\nи', 'a\\nи'],
  ['nº 1', 'nº 1'],
  ['память', 'память'],
  ['память-memo', 'память-memo'],
  ['日本語memo', '日本語memo'],
  ['Grüße.µm', 'Grüße.µm'],
])(
  'in a name (%j), a letter of another script in a word, or another form of an ASCII letter, has its code, once',
  (name, shown) => {
    expect(oneLine(name)).toBe(shown);
    expect(oneLine(shown)).toBe(shown);
  },
);
