import { createHash } from 'node:crypto';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeWorld, type World } from './world.ts';

/**
 * A world as mcphooks at commit 58a0fa6 left it, with options that no longer exist. Its files are in
 * test/fixtures/earlier/, with placeholders for its folder, for node, for long texts and for the hashes of files.
 */
export function earlierWorld(name: string): World {
  const fixture = join(import.meta.dirname, `../fixtures/earlier/${name}.json`);
  const { files, texts } = JSON.parse(readFileSync(fixture, 'utf8'));
  const world = makeWorld();
  const base = join(world.home, '..');
  const hashes = new Map<string, string>();
  // Those that hold hashes of others come last.
  const paths = Object.keys(files).sort((a, b) => Number(holdsHashes(a)) - Number(holdsHashes(b)));
  for (const path of paths) {
    const text = (texts[files[path]] as string)
      .replaceAll('@WORDS@', 'word '.repeat(500))
      .replaceAll('@TEN@', 'word '.repeat(10))
      .replaceAll('@SELF@', join(base, path))
      .replaceAll('@BASE@', base)
      .replaceAll('@NODE@', process.execPath)
      .replaceAll(/@SHA256 ([^@]+)@/g, (_, of) => hashes.get(of) ?? '');
    hashes.set(path, createHash('sha256').update(text).digest('hex'));
    const file = world.write(path, text);
    if (text.startsWith('#!')) chmodSync(file, 0o700);
  }
  return world;
}

const holdsHashes = (path: string): boolean => /(record|lock)\.json$/.test(path);
