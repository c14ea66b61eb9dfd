import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSlug, slugFor } from '../../src/base/slug.ts';
import { anyCharacter } from '../any-character.ts';
import { often } from '../effort.ts';

test.each(['github', 'my-server-2', '7', 'a'.repeat(40)])('%s is its own slug', (alias) => {
  expect(slugFor(alias)).toBe(alias);
});

test.each([
  ['GitHub', 'github'],
  ['my server', 'my-server'],
  ['../../etc/passwd', 'etc-passwd'],
  ['/abs', 'abs'],
  ['Ünïcode', 'u-ni-code'],
  ['日本', 'server'],
  ['', 'server'],
  ['.', 'server'],
  ['-', 'server'],
  ['-a', 'a'],
  ['a-', 'a'],
  ['a--b', 'a-b'],
  ['a_b', 'a-b'],
  ['con', 'con'],
  ['lpt1', 'lpt1'],
  ['__proto__', 'proto'],
  ['a\u0000b', 'a-b'],
  ['x'.repeat(300), 'x'.repeat(24)],
  ["'; rm -rf ~; '", 'rm-rf'],
])('%j becomes a readable name and a hash', (alias, readable) => {
  const slug = slugFor(alias);
  expect(slug.slice(0, -17)).toBe(readable);
  expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*-[0-9a-z]{16}$/);
  expect(isSlug(slug)).toBe(true);
});

test('an alias that looks like the slug of another is not it', () => {
  const slug = slugFor('GitHub');
  expect(slugFor(slug)).not.toBe(slug);
});

test('aliases that differ in any way have slugs that differ in more than case', () => {
  const near = [
    'é',
    'e\u0301',
    'E',
    'e',
    ' e',
    'e ',
    'e.',
    'e/',
    '\ud800',
    '\udbff',
    'e\u200b',
    'ｅ',
    'con',
    'CON',
    'con.',
  ];
  expect(new Set(near.map((alias) => slugFor(alias).toLowerCase())).size).toBe(near.length);
  const alias = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string({ unit: fc.constantFrom('a', 'B', '-', '0', '.') }),
  );
  fc.assert(
    fc.property(alias, alias, (a, b) => {
      expect(slugFor(a) === slugFor(b)).toBe(a === b);
      expect(isSlug(slugFor(a))).toBe(true);
      expect(slugFor(a)).toMatch(/^[a-z0-9-]{1,41}$/);
    }),
    often(),
  );
});

test.each(['', '..', 'a/b', 'A', 'con', '-a', 'a-', 'a b', 'a'.repeat(42), 'é', 'a\n'])(
  '%j is no slug',
  (name) => {
    expect(isSlug(name)).toBe(false);
  },
);
