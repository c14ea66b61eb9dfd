import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { disk } from '../../src/app/disk.ts';
import { readOnce } from '../../src/base/files.ts';
import { ALL } from '../effort.ts';
import { slashed, WINDOWS } from '../platform.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'mcphooks-files-')));
  mkdirSync(join(root, 'a/b'), { recursive: true });
  writeFileSync(join(root, 'a/b/file'), 'one');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('reads each file and folder once, and a file that cannot be read again', () => {
  const asked: string[] = [];
  const counted = <T>(act: (path: string) => T) => {
    return (path: string): T => {
      asked.push(path);
      return act(path);
    };
  };
  const files = readOnce({ ...disk, read: counted(disk.read), list: counted(disk.list) });
  const [file, folder] = [join(root, 'a/b/file'), join(root, 'a/b')];
  for (let i = 0; i < 3; i++) {
    expect(files.read(file)).toEqual(Buffer.from('one'));
    expect(files.read(join(root, 'none'))).toBeNull();
    expect(files.list(folder)).toEqual([{ name: 'file', kind: 'file' }]);
    expect(files.real(file)).toBe(file);
  }
  expect(asked).toEqual([file, join(root, 'none'), folder]);
  expect(() => files.read(folder)).toThrow();
  expect(() => files.read(folder)).toThrow();
});

it.skipIf(WINDOWS)('resolves links as the disk does, wherever they are, and where nothing is', () => {
  symlinkSync(join(root, 'a'), join(root, 'to-a'));
  symlinkSync('file', join(root, 'a/b/to-file'));
  symlinkSync(join(root, 'gone/deep'), join(root, 'a/broken'));
  symlinkSync('loop', join(root, 'a/loop'));
  const all = ['a', 'b', 'file', 'to-a', 'to-file', 'broken', 'loop', 'gone', '..', '.'];
  const steps = ALL ? all : ['a', 'b', 'to-a', 'broken', 'gone', '..'];
  const below = (depth: number): string[] =>
    depth === 0 ? [root] : below(depth - 1).flatMap((path) => [path, ...steps.map((s) => `${path}/${s}`)]);
  const paths = [...new Set(below(3))];
  const { real } = readOnce(disk);
  const wrong = paths.filter((path) => real(path) !== disk.real(path));
  expect(wrong.map((path) => path.slice(root.length))).toEqual([]);
});

it('asks the disk for a name that a link may have where upper and lower case are equal', () => {
  const files = readOnce({
    read: () => null,
    isExecutable: () => false,
    real: (path) => (path.endsWith('/settings') ? '/elsewhere' : path),
    list: (folder) => (folder === '/linked' ? [{ name: 'Settings', kind: 'link' }] : []),
  });
  expect(files.real('/linked/settings')).toBe('/elsewhere');
  expect(slashed(files.real('/plain/settings'))).toBe('/plain/settings');
});
