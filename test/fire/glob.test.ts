import fc from 'fast-check';
import { expect, it } from 'vitest';
import { globSource } from '../../src/shims/glob.ts';
import { often } from '../effort.ts';

/** The meaning, by recursion over both strings. */
function matches(glob: string, name: string): boolean {
  if (glob === '') return name === '';
  if (glob[0] === '*') return matches(glob.slice(1), name) || (name !== '' && matches(glob, name.slice(1)));
  return name !== '' && (glob[0] === '?' || glob[0] === name[0]) && matches(glob.slice(1), name.slice(1));
}

it('means what the glob means', () => {
  const glob = fc.string({
    unit: fc.constantFrom('a', 'b', '_', '*', '?', '.', '[', '\\', '^', '$', '(', '|', '+', '{'),
    maxLength: 7,
  });
  const name = fc.string({
    unit: fc.constantFrom('a', 'b', '_', '.', '[', '\\', '^', '$', '(', '|', '+', '{', '*'),
    maxLength: 7,
  });
  fc.assert(
    fc.property(glob, name, (g, n) => new RegExp(globSource(g)).test(n) === matches(g, n)),
    often(10),
  );
});

it('leaves no room for backtracking and look-around', () => {
  expect(globSource('a**?*b')).toBe('^a..*b$');
  expect(globSource('mcp__x-y__*')).toBe('^mcp__x-y__.*$');
  expect(globSource(`${'*?'.repeat(3)}`)).toBe('^....*$');
});
