import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { table } from './excluded.ts';

const rows = [...table.files, ...table.tests];

it('what is excluded on Windows has a reason, and is a file of tests', () => {
  expect(rows.filter(({ why }) => table.reasons[why] === undefined)).toEqual([]);
  expect(rows.filter(({ file }) => !existsSync(join(import.meta.dirname, '../..', file)))).toEqual([]);
});

it('every reason is one of something', () => {
  const used = new Set(rows.map(({ why }) => why));
  expect(Object.keys(table.reasons).filter((why) => !used.has(why))).toEqual([]);
});
