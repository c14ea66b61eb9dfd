import { expect, it } from 'vitest';
import { ranges } from '../../src/base/ranges.ts';

it.each<[number[], string]>([
  [[], ''],
  [[4], '4'],
  [[1, 2], '1, 2'],
  [[1, 2, 3], '1–3'],
  [[1, 3, 4, 5, 6, 8, 9], '1, 3–6, 8, 9'],
])('%j is %s', (numbers, text) => expect(ranges(numbers)).toBe(text));
