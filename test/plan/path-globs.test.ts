import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fitsPath } from '../../src/base/glob.ts';
import { withoutBraces } from '../../src/declarations/braces.ts';
import { pathGlobs } from '../../src/plan/compile/path-globs.ts';
import { cpuTime } from '../effort.ts';

const fits = (glob: string, path: string): boolean => {
  const { below, whole } = pathGlobs([glob]);
  return [...below, ...whole].some((plain) => fitsPath(plain, path));
};

it('takes every character for itself but for *, ? and {}', () => {
  const character = fc.constantFrom(...'abz019._-+@#$%^&()[]!=|~,;: é😀\'"'.split(''));
  const name = fc.array(character, { minLength: 1, maxLength: 8 }).map((c) => c.join(''));
  // '.' and '..' are no names, and what begins with '~' is refused.
  const names = name.filter((n) => !/^[.~]/.test(n));
  fc.assert(
    fc.property(fc.array(names, { minLength: 2, maxLength: 4 }), (parts) => {
      const path = parts.join('/');
      expect(fits(path, path)).toBe(true);
      expect(fits(path, `${path}x`)).toBe(false);
      expect(fits(`${parts[0]}/*`, path)).toBe(parts.length === 2);
      expect(fits(`${parts[0]}/**`, path)).toBe(true);
    }),
  );
});

it('compiles any glob that a declaration may have, and decides on long paths in no time', () => {
  const piece = fc.constantFrom(
    ...['*', '**', '?', '/', '{', ',', '}', '[', ']', '(', ')', '|', '+', 'a', '.', '!', '1..3'],
  );
  const glob = fc
    .array(piece, { minLength: 1, maxLength: 30 })
    .map((p) => p.join(''))
    .filter((g) => (g.match(/\*+/g)?.length ?? 0) <= 4 && !g.startsWith('!'));
  const path = `${'a'.repeat(60)}/${'a/'.repeat(40)}${'a.'.repeat(30)}b`;
  fc.assert(
    fc.property(glob, (g) => {
      expect(cpuTime(() => fits(g, path))).toBeLessThan(1000);
    }),
  );
});

it.each([
  ['*.{md,mdx}', ['*.md', '*.mdx']],
  ['{src,test}/{a,b}', ['src/a', 'src/b', 'test/a', 'test/b']],
  ['{a,b{c,d}}x', ['ax', 'bcx', 'bdx']],
  ['{,a}b', ['b', 'ab']],
  ['{{name}}/{a}', ['{{name}}/{a}']],
  ['src/{a,b', undefined],
  ['{a,b}{c', undefined],
  ['{a,{b}', undefined],
  ['src/a,b}', undefined],
  ['{a}}', undefined],
  ['a}{', undefined],
  ['{1..3}', undefined],
  ['{a,b}{a,b}{a,b}{a,b}{a,b}', undefined],
  ['{,a}'.repeat(64), undefined],
  ['{'.repeat(256), undefined],
])('%s without braces', (glob, plain) => expect(withoutBraces(glob)).toEqual(plain));
