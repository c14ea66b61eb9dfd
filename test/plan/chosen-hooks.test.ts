import { expect, it } from 'vitest';
import type { Declaration } from '../../src/declarations/types.ts';
import { choiceAmong } from '../../src/plan/chosen-hooks.ts';
import { recordedChoice, sameOptions } from '../../src/plan/options.ts';

const hook = (
  context: string,
  event: Declaration['event'] = 'session_start',
  matcher?: object,
): Declaration => ({ event, context, priority: 'suggestion', ...(matcher && { matcher }) }) as Declaration;
const [A, B, C] = [hook('A'), hook('B', 'pre_request'), hook('C', 'post_tool_use')];
const moved = (only: string[], skip: string[], now: Declaration[], before = [A, B, C]) =>
  choiceAmong(now, { only, skip }, before);

it.each([
  ['stays', ['2'], [A, B, C], ['2']],
  ['comes later', ['2'], [hook('new'), A, B, C], ['3']],
  ['comes earlier', ['3', '2'], [B, C], ['1', '2']],
  ['stays, as an earlier version recorded it', ['2', '1', '2'], [A, B, C], ['2', '1', '2']],
  ['changes places', ['1'], [C, B, A], ['3']],
  ['has another text', ['2'], [A, hook('B2', 'pre_request'), C], ['2']],
  ['has another text, at another place', ['2'], [hook('B2', 'pre_request'), A, C], ['1']],
  ['is gone, and others are there', ['1', '2'], [A, C], ['1']],
  ['is gone', ['3'], [A, B], ['0']],
  ['is gone for good', ['0'], [A, B, C], ['0']],
])('a chosen hook that %s', (_, only, now, expected) => {
  expect(moved(only, [], now)).toEqual({ only: expected, skip: [] });
});

it('a hook that was left out stays so, and a new one takes its number only', () => {
  expect(moved([], ['2'], [B, A, C])).toEqual({ only: [], skip: ['1'] });
  expect(moved([], ['1'], [hook('B2'), hook('A2')], [hook('A1')])).toEqual({ only: [], skip: ['1'] });
  expect(moved([], ['2'], [A, C])).toEqual({ only: [], skip: [] });
});

it('of equal hooks, each has its own number', () => {
  expect(moved(['2'], [], [B, A, A], [A, A, B])).toEqual({ only: ['3'], skip: [] });
});

it('a choice is recorded in one form', () => {
  expect(recordedChoice(['10', '2', 'session_start', '2', 'pre_request'])).toEqual([
    'pre_request',
    'session_start',
    '2',
    '10',
  ]);
});

it('the same choice is the same options, however an earlier version recorded it', () => {
  expect(sameOptions({ only: ['2', '1', '2'] }, { only: ['1', '2'] })).toBe(true);
  expect(sameOptions({ only: ['2'] }, { only: ['1', '2'] })).toBe(false);
});

it('events stay', () => {
  expect(moved(['pre_request', '1'], ['post_tool_use'], [B, A, C])).toEqual({
    only: ['pre_request', '2'],
    skip: ['post_tool_use'],
  });
});
