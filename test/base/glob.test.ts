import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { fitsGlob, fitsPath } from '../../src/base/glob.ts';
import { cpuTime, often } from '../effort.ts';

const text = (characters: string, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), maxLength });

/** The meaning, by recursion over both strings. */
function means(glob: string, name: string): boolean {
  if (glob === '') return name === '';
  if (glob[0] === '*') return means(glob.slice(1), name) || (name !== '' && means(glob, name.slice(1)));
  return name !== '' && (glob[0] === '?' || glob[0] === name[0]) && means(glob.slice(1), name.slice(1));
}

it('means what the glob means', () => {
  fc.assert(
    fc.property(text('ab*?.[]{', 8), text('ab.[]{', 8), (glob, name) => {
      expect(fitsGlob(glob, name)).toBe(means(glob, name));
    }),
    often(20),
  );
});

it('reads paths as picomatch does', () => {
  const options = { dot: true, nonegate: true, noextglob: true, nobrace: true, nobracket: true };
  const names = fc.array(
    text('ab.[]', 4).filter((name) => !/^\.{0,2}$/.test(name)),
    { minLength: 1, maxLength: 4 },
  );
  const globs = fc.array(fc.constantFrom('**', 'a', '*', '?b', 'a*', '*.a', '[a]*', '[ab]', 'b?', '*a*b'), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(globs, names, (glob, path) => {
      // picomatch takes a last `**` for no name behind a name alone, not behind a wildcard.
      fc.pre(glob.at(-1) !== '**');
      const expected = picomatch.makeRe(glob.join('/'), options).test(path.join('/'));
      expect(fitsPath(glob.join('/'), path.join('/'))).toBe(expected);
    }),
    often(20),
  );
});

it.each([
  ['app/[slug]/page.tsx', 'app/[slug]/page.tsx', true],
  ['app/[slug]/page.tsx', 'app/s/page.tsx', false],
  ['app/[...all]/*', 'app/[...all]/page.tsx', true],
  ['app/(shop|docs)/*', 'app/(shop|docs)/a', true],
  ['app/(shop|docs)/*', 'app/shop/a', false],
  ['!(a)/+(b)', '!(a)/+(b)', true],
  ['+(b)', 'b', false],
  ['a/!b', 'a/!b', true],
  ['a/!b', 'a/c', false],
  ['#a/#*', '#a/#b', true],
])('of a path: %s, %s: %s', (glob, path, expected) => expect(fitsPath(glob, path)).toBe(expected));

it.each([
  ['[a-c]', 'b', true],
  ['[a-c]', 'd', false],
  ['[!a-c]', 'd', true],
  ['[^a-c]', 'b', false],
  ['[]a]', ']', true],
  ['[a-]', '-', true],
  ['[a', '[a', true],
  ['a]', 'a]', true],
  ['[.]*s', '.mcphooks', true],
  ['?', '😀', true],
])('%s, %s: %s', (glob, name, expected) => expect(fitsGlob(glob, name, true)).toBe(expected));

describe('takes steps in proportion to the text', () => {
  it.each([
    ['many stars', `${'*a'.repeat(100)}b`, 'a'.repeat(20_000)],
    ['stars alone', '*'.repeat(100_000), 'a'],
    ['open brackets', `${'['.repeat(100_000)}]`, 'a'],
    ['sets', '[!b]'.repeat(50_000), 'a'],
  ])('%s', (_, glob, name) => {
    expect(cpuTime(() => fitsGlob(glob, name, true))).toBeLessThan(1000);
  });

  it('of a path, however many folders it has', () => {
    const fits = () => fitsPath(`${'**/*a*a*a*b/'.repeat(20)}x`, `${'a'.repeat(255)}/`.repeat(16));
    expect(fits()).toBe(false);
    expect(cpuTime(fits)).toBeLessThan(1000);
  });
});
