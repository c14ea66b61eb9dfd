import { expect, it } from 'vitest';
import { barred } from '../../src/base/text-style.ts';

const plain = (_: unknown, text: string): string => text;

it('a text has a bar on every line of the screen, and loses nothing', () => {
  const text = `${'x'.repeat(50)}\n\nshort ${'😀'.repeat(40)}`;
  const lines = barred(text, plain, 40);
  for (const line of lines) {
    expect(line).toMatch(/^ {5}[│┊] /);
    expect([...line].length).toBeLessThanOrEqual(40);
  }
  const back = lines.map((line) => (line.includes('│') ? '\n' : '') + line.slice(7)).join('');
  expect(back.slice(1)).toBe(text);
  expect(barred(text, plain)).toHaveLength(3);
});
