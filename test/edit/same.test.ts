import { expect, it } from 'vitest';
import { sameValue } from '../../src/edit/same.ts';

const date = (text: string): Date => new Date(text);

it.each<[unknown, unknown, boolean]>([
  [{ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 }, true],
  [Number.NaN, Number.NaN, true],
  [[], {}, false],
  [['x'], { 0: 'x' }, false],
  [{ a: undefined }, { b: undefined }, false],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ toString: undefined }, {}, false],
  [[1, 2], [2, 1], false],
  [{}, null, false],
  [date('2026-01-02'), date('2026-01-02'), true],
  [date('2026-01-02'), date('2026-01-03'), false],
  [date('2026-01-02'), {}, false],
])('%j and %j are the same value: %j', (a, b, same) => {
  expect([sameValue(a, b), sameValue(b, a)]).toEqual([same, same]);
});
