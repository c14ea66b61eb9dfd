import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpuUsage } from 'node:process';
import { expect, it } from 'vitest';
import { mainCheckout } from '../../src/base/repository.ts';
import { scratch } from '../store/support.ts';

it('follows no path of a stranger that is longer than any path', () => {
  const folder = realpathSync(scratch());
  const listed = join(folder, 'own/worktrees/x');
  mkdirSync(listed, { recursive: true });
  const before = cpuUsage();
  writeFileSync(join(folder, '.git'), `gitdir: ${'a/'.repeat(5e6)}`);
  expect(mainCheckout(folder)).toBeUndefined();
  writeFileSync(join(folder, '.git'), 'gitdir: own/worktrees/x\n');
  writeFileSync(join(listed, 'gitdir'), `${'a/'.repeat(5e6)}.git`);
  expect(mainCheckout(folder)).toBeUndefined();
  expect(cpuUsage(before).user / 1000).toBeLessThan(1000);
});
