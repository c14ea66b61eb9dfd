import { expect, test } from 'vitest';
import { withApprovals, withoutApprovals } from '../../src/store/approvals.ts';
import { emptyRecord } from '../../src/store/record.ts';

const since = (day: number, server = 'memo') => ({ server, since: `2026-01-0${day}` });

test('an approval that is given again keeps its date, also beside one that is new', () => {
  const record = withApprovals(emptyRecord(), { '/a': { h1: since(1) } });
  expect(withApprovals(record, { '/a': { h1: since(2) } })).toBe(record);
  expect(withApprovals(record, { '/a': { h1: since(2), h2: since(2) } }).approvals).toEqual({
    '/a': { h1: since(1), h2: since(2) },
  });
});

test("a server's approvals go in one repository, but for those of others and of projects that have its hooks", () => {
  const record = withApprovals(emptyRecord(), {
    '/a': { h1: since(1), h2: since(1, 'other') },
    '/a/below': { h1: since(1) },
    '/a/kept': { h1: since(1) },
    '/ab': { h1: since(1) },
  });
  expect(withoutApprovals(record, 'memo', '/a', ['/a/kept']).approvals).toEqual({
    '/a': { h2: since(1, 'other') },
    '/a/kept': { h1: since(1) },
    '/ab': { h1: since(1) },
  });
  expect(withoutApprovals(record, 'memo', undefined, []).approvals).toEqual({
    '/a': { h2: since(1, 'other') },
  });
  expect(withoutApprovals(record, 'memo', '/c', [])).toBe(record);
});
