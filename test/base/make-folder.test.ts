import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '../../src/base/make-folder.ts';
import { scratch } from '../store/support.ts';

it('makes all that is missing, for the user alone, and leaves what is there', () => {
  const folder = scratch();
  mkdirSync(join(folder, 'a'));
  chmodSync(join(folder, 'a'), 0o755);
  makeFolder(join(folder, 'a/b/c'));
  makeFolder(join(folder, 'a/b/c'));
  const mode = (path: string): number => statSync(join(folder, path)).mode & 0o777;
  expect(['a', 'a/b', 'a/b/c'].map(mode)).toEqual([0o755, 0o700, 0o700]);
});

it('ends where there can be no folder', () => {
  expect(() => makeFolder('/proc/mcphooks/state')).toThrow('ENOENT');
  const folder = scratch();
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeFolder(join(folder, 'file/below'))).toThrow('ENOTDIR');
});
