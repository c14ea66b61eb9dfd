import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { LONG } from '../effort.ts';

const bench = fileURLToPath(new URL('../bench/run.mjs', import.meta.url));

it.runIf(LONG)('the bench finds all that it measures', () => {
  const printed = execFileSync(process.execPath, [bench, '1', 'no match, 1 MB'], { encoding: 'utf8' });
  expect(printed).toMatch(/no match, 1 MB .* = +\d/);
});
