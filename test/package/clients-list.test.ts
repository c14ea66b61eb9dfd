import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ALL } from '../effort.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const list = (...options: string[]): string[] =>
  execFileSync(process.execPath, ['test/clients/run.mjs', '--list', ...options], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .trim()
    .split('\n');

test.runIf(ALL)('a spread run of the real clients leaves out no scenario and no client', () => {
  const [, most = ''] = /--spread (\d+)/.exec(readFileSync(join(ROOT, '.ci/run'), 'utf8')) ?? [];
  const [all, spread] = [list(), list('--spread', most)];
  const scenarios = (rows: string[]): string[] => [...new Set(rows.map((row) => row.replace(/^.*?: /, '')))];
  const variants = (rows: string[]): string[] => [...new Set(rows.map((row) => row.split(':')[0] ?? ''))];
  expect(scenarios(spread)).toEqual(expect.arrayContaining(scenarios(all)));
  for (const family of ['harmless', 'team']) {
    const of = (rows: string[]): string[] => rows.filter((row) => row.includes(`: ${family}: `));
    expect(variants(of(spread)).sort()).toEqual(variants(of(all)).sort());
  }
  expect(spread.length).toBeLessThan(all.length * 0.7);
});
