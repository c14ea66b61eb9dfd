import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { homeEnv } from '../../scripts/home-env.mjs';
import { homeFolder, ownPaths } from '../../src/base/paths.ts';

const ROOT = join(import.meta.dirname, '../..');

it('the home that building and the tour make is the home on every system', () => {
  const home = join(ROOT, 'throwaway');
  for (const system of ['linux', 'win32']) {
    expect(homeFolder(homeEnv(home), system)).toBe(home);
    for (const folder of Object.values(ownPaths(homeEnv(home), system)))
      expect(folder.startsWith(home)).toBe(true);
  }
  for (const file of ['build.mjs', 'examples/tour.mjs'])
    expect(readFileSync(join(ROOT, file), 'utf8')).toMatch(/env[ =:]+\{[^}]*\.\.\.homeEnv\(home\)/);
});
