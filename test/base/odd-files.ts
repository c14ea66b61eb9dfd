import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';

/** What a path may lead to that no program may read to its end, and how each is made. */
export const ODD_FILES: readonly (readonly [string, (path: string) => void])[] = [
  ['a link to /dev/zero', (path) => symlinkSync('/dev/zero', path)],
  ['a pipe to which nobody writes', (path) => void spawnSync('mkfifo', [path])],
  [
    'a sparse file of 3 GB',
    (path) => {
      writeFileSync(path, '');
      truncateSync(path, 3 * 2 ** 30);
    },
  ],
  ['a folder', (path) => mkdirSync(path)],
];
