import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LARGEST_FILE, readFile, readIfThere } from '../../src/base/read-file.ts';
import { LONG } from '../effort.ts';
import { scratch } from '../store/support.ts';

/** The code of what reading throws; checks that it took neither time nor memory. */
function refusal(path: string): string | undefined {
  const began = performance.now();
  const before = process.memoryUsage().rss;
  try {
    readFile(path);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  } finally {
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(4 * LARGEST_FILE);
  }
}

it('reads what regular files hold, through links and where the size says nothing', () => {
  const folder = scratch();
  const file = join(folder, 'file');
  writeFileSync(file, 'a\0é');
  symlinkSync(file, join(folder, 'link'));
  expect(readFile(file).toString()).toBe('a\0é');
  expect(readFile(join(folder, 'link')).toString()).toBe('a\0é');
  writeFileSync(file, '');
  expect(readFile(file)).toHaveLength(0);
  expect(readFile('/proc/self/status').toString()).toMatch(/^Name:/);
  writeFileSync(file, Buffer.alloc(LARGEST_FILE, 'x'));
  expect(readFile(file)).toHaveLength(LARGEST_FILE);
});

it('refuses at once what is no regular file, or too large', async () => {
  const folder = scratch();
  const at = (name: string): string => join(folder, name);
  spawnSync('mkfifo', [at('fifo')]);
  symlinkSync('fifo', at('to-fifo'));
  spawnSync('mkfifo', [at('held')]);
  const held = openSync(at('held'), 'r+');
  expect(held).toBeGreaterThan(0);
  for (const device of ['zero', 'null', 'tty', 'stdin', 'random']) symlinkSync(`/dev/${device}`, at(device));
  mkdirSync(at('folder'));
  writeFileSync(at('sparse'), '');
  truncateSync(at('sparse'), 3 * 2 ** 30);
  symlinkSync('loop', at('loop'));
  symlinkSync('nowhere', at('dangling'));
  writeFileSync(at('large'), Buffer.alloc(LARGEST_FILE + 1));
  const server = createServer().listen(at('socket'));
  await new Promise((ready) => server.on('listening', ready));
  const code = (name: string): [string, string | undefined] => [name, refusal(at(name))];
  expect(['fifo', 'to-fifo', 'held', 'zero', 'null', 'random', 'folder', 'socket'].map(code)).toEqual(
    ['fifo', 'to-fifo', 'held', 'zero', 'null', 'random', 'folder', 'socket'].map((n) => [n, 'NOT_A_FILE']),
  );
  expect(['sparse', 'large'].map(code)).toEqual([
    ['sparse', 'TOO_LARGE'],
    ['large', 'TOO_LARGE'],
  ]);
  expect(['loop', 'dangling'].map(code)).toEqual([
    ['loop', 'ELOOP'],
    ['dangling', 'ENOENT'],
  ]);
  // Says that it is empty, and has no end.
  expect(refusal('/proc/self/pagemap')).toBeDefined();
  server.close();
});

it.runIf(LONG)('reads no device without end that replaces a file between two steps of reading', async () => {
  const file = join(scratch(), 'file');
  const swap =
    'until [ -e "$0.stop" ]; do ln -s /dev/zero "$0.d" && mv "$0.d" "$0"; echo text >"$0.f" && mv "$0.f" "$0"; done';
  const swapped = once(spawn('/bin/sh', ['-c', swap, file], { stdio: 'ignore' }), 'exit');
  try {
    for (const until = Date.now() + 500; Date.now() < until; ) {
      let text = 'refused';
      try {
        text = readIfThere(file)?.toString() ?? 'gone';
      } catch (error) {
        expect(['NOT_A_FILE', 'TOO_LARGE']).toContain((error as NodeJS.ErrnoException).code);
      }
      expect(['text\n', 'refused', 'gone']).toContain(text);
    }
  } finally {
    // Killed, it would leave a child that still writes into the folder.
    writeFileSync(`${file}.stop`, '');
    await swapped;
  }
});
