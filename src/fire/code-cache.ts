import { MADE_FOR } from '../base/code-cache.ts';
import { readFile, readIfThere } from '../base/read-file.ts';

/*
 * Caches of V8's compiled code beside the programs of a fire, each of which would otherwise be compiled at every fire.
 * `install` makes them for the node that runs it (src/shims/code-caches.ts). V8 itself checks only its own version and
 * flags, and the length of the source; it runs damaged code.
 */

/** Returns the path of a program's code cache for this version of node and kind of machine. */
export const runtimeCacheFile = (program: string): string => `${program}.${MADE_FOR}.cache`;

/** A program's source, as the function that node makes of a CommonJS module, and the code that V8 has compiled of it. */
interface CachedProgram {
  source: string;
  code: Uint8Array;
}

/** Returns the content of a code cache: the code twice, so that damage shows, and what it was compiled of. */
export const cacheContent = (source: Uint8Array, code: Uint8Array): Buffer =>
  Buffer.concat([code, code, source]);

/**
 * Returns the code in a code cache; undefined for a damaged one, and for that of another program. Bytes are compared at
 * once; a sum of them, even of a few, takes longer.
 */
export function codeIn(cache: Buffer, source: Uint8Array): Buffer | undefined {
  const length = (cache.length - source.length) / 2;
  if (length <= 0) return undefined;
  const [code, again] = [cache.subarray(0, length), cache.subarray(length, 2 * length)];
  return code.equals(again) && cache.subarray(2 * length).equals(source) ? code : undefined;
}

/** Returns a program with its compiled code; undefined without a code cache that can be read and fits. */
export function cachedProgram(file: string): CachedProgram | undefined {
  try {
    const cache = readIfThere(runtimeCacheFile(file));
    if (!cache) return undefined;
    const bytes = readFile(file);
    const code = codeIn(cache, bytes);
    return code && { source: functionOf(bytes), code };
  } catch {
    return undefined;
  }
}

/** Returns a program as the function that node makes of a CommonJS module. The bundles are ASCII. */
export const functionOf = (bytes: Buffer): string =>
  `(function (exports, require, module, __filename, __dirname) {${bytes.toString('latin1')}\n})`;
