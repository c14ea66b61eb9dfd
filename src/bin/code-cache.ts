import { readFileSync, writeFileSync } from 'node:fs';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { MADE_FOR } from '../base/code-cache.ts';
import { quietly } from '../base/quietly.ts';

/*
 * Caches of V8's compiled code, so that a start needn't compile the program: files beside the program, made by build.mjs
 * for each version of node and kind of machine. V8 itself checks only its own version and flags.
 */

/**
 * Name of a cache. Reading functions takes time too, so `diff`, which CI jobs run, has a cache with only its functions.
 */
type CachePart = 'diff' | 'install';

/** Returns the cache for a command; all commands except `diff` share most functions with `install`. */
export const partFor = (command: string | undefined): CachePart => (command === 'diff' ? 'diff' : 'install');

export const commandCacheFile = (program: string, part: CachePart): string =>
  `${program}.${part}.${MADE_FOR}.cache`;

/** Writes the cache. It is valid only undamaged, for this source, this version of node and this kind of machine. */
export function writeCache(file: string, part: CachePart, script: Script): void {
  // Node 21, 22.0 and 22.1 have no crc32.
  if (typeof crc32 !== 'function') return;
  const code = script.createCachedData();
  writeFileSync(
    commandCacheFile(file, part),
    Buffer.concat([Buffer.from(seal(readFileSync(file), code)), code]),
  );
}

/** Loads the program, the function that node makes of a CommonJS module: from its cache when that is valid. */
export function load(file: string, part: CachePart): Script {
  const source = readFileSync(file);
  const cachedData = cachedCode(source, commandCacheFile(file, part));
  // The bundle is ASCII, which is decoded faster. V8 stores the file name in the cache.
  return new Script(source.toString('latin1'), { filename: 'cli.cjs', ...(cachedData && { cachedData }) });
}

function cachedCode(source: Buffer, file: string): Buffer | undefined {
  const cache = quietly(() => readFileSync(file));
  const code = cache?.subarray(SEAL);
  return code && cache?.toString('latin1', 0, SEAL) === seal(source, code) ? code : undefined;
}

/** Number of bytes before the compiled code. V8 copies code that doesn't begin at a multiple of 8 bytes. */
export const SEAL = Math.ceil((MADE_FOR.length + 2 * 8) / 8) * 8;

/** Sums show damage. Whoever can write the file could also adapt a cryptographic sum, which takes longer. */
const seal = (source: Uint8Array, code: Uint8Array): string =>
  (MADE_FOR + sum(source) + sum(code)).padEnd(SEAL);

const sum = (bytes: Uint8Array): string => crc32(bytes).toString(16).padStart(8, '0');
