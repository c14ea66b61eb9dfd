import { expect, it } from 'vitest';
import { refusals } from '../../src/servers/tools/tool-arguments.ts';
import { cpuTime } from '../effort.ts';

const SEARCH = {
  type: 'object',
  properties: {
    query: { type: 'string', minLength: 2, maxLength: 5 },
    limit: { type: 'integer', minimum: 1, maximum: 50 },
    mode: { enum: ['fast', 'slow'] },
    kind: { const: 'note' },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    sort: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    where: { $ref: '#/$defs/place' },
    both: { allOf: [{ type: 'string' }, { maxLength: 2 }] },
    any: {},
  },
  required: ['query'],
  additionalProperties: false,
  $defs: {
    place: { type: 'object', properties: { city: { type: 'string' }, in: { $ref: '#/$defs/place' } } },
  },
};

const found = (args: unknown, schema: unknown = SEARCH): string[] =>
  refusals(args, schema).map(({ code, at }) => `${code.slice('tool.args-'.length)} ${at.join('.')}`.trim());

it.each<[string, unknown, string[]]>([
  ['what fits', { query: 'abc', limit: 3, mode: 'fast', tags: ['a'], sort: null, any: [1] }, []],
  ['a missing argument', {}, ['missing']],
  ['an unknown one', { query: 'abc', qurey: 'x' }, ['unknown qurey']],
  ['another type', { query: 1, limit: 1.5 }, ['type query', 'type limit']],
  ['a number that is too large or too small', { query: 'abc', limit: 51 }, ['value limit']],
  ['a text that is too short or too long', { query: 'a' }, ['value query']],
  [
    'a value that is not in a list',
    { query: 'abc', mode: 'medium', kind: 'x' },
    ['value mode', 'value kind'],
  ],
  ['an item of another type', { query: 'abc', tags: ['a', 1] }, ['type tags.1']],
  ['too many items', { query: 'abc', tags: ['a', 'b', 'c'] }, ['value tags']],
  ['none of several forms', { query: 'abc', sort: 1 }, ['value sort']],
  ['what one of several joined forms refuses', { query: 'abc', both: 'abc' }, ['value both']],
  ['what a reference names', { query: 'abc', where: { in: { city: 1 } } }, ['type where.in.city']],
  [
    'a template, but for its type',
    { query: '{session_id}', limit: '{tool_name}', mode: '{tool_name}' },
    ['type limit'],
  ],
])('refuses %s', (_, args, expected) => {
  expect(found(args)).toEqual(expected);
});

it('names the argument that was meant', () => {
  expect(refusals({ query: 'abc', limt: 1 }, SEARCH)[0]?.args).toMatchObject({ key: 'limt', near: 'limit' });
});

it('refuses nothing where the schema says nothing, or is none', () => {
  for (const schema of [undefined, true, {}, [], 'x', { type: 'object' }, { properties: { a: {} } }])
    expect(refusals({ b: 1 }, schema)).toEqual([]);
  expect(found({ a: 1 }, { $ref: 'https://example.org/schema' })).toEqual([]);
  // No URI: a percent sign without a code.
  for (const $ref of ['#/%', '#/$defs/%zz', '#/$defs/%ff'])
    expect(found({ a: 1 }, { $ref, $defs: { place: false } })).toEqual([]);
});

it('ends with a schema that leads in circles, or branches without end', () => {
  const loop = { $ref: '#' };
  expect(found({}, loop)).toEqual([]);
  const many = { anyOf: Array.from({ length: 20 }, () => ({ $ref: '#' })), type: 'object' };
  expect(cpuTime(() => found({}, many))).toBeLessThan(2_000);
});
