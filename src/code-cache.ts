import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { Script } from 'node:vm';

/*
 * V8's compiled form of a program, so that a start needn't compile it: one file beside it for each version of node
 * and kind of machine, made by build.mjs. V8 itself looks only at its own version and flags.
 */

const MADE_FOR = `${process.version}-${process.platform}-${process.arch}`;

export const cacheFile = (program: string): string => `${program}.${MADE_FOR}.cache`;

/** What node makes of a CommonJS module. The name is the one in traces: V8 keeps the one that the cache was made with. */
export function scriptOf(source: Buffer, cachedData?: Uint8Array): Script {
  const code = `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
  return new Script(code, { filename: 'cli.cjs', ...(cachedData && { cachedData }) });
}

/** The cache, which only this source, this version of node and this kind of machine will take, and only undamaged. */
export function writeCache(file: string, script: Script): void {
  const code = script.createCachedData();
  writeFileSync(cacheFile(file), Buffer.concat([seal(readFileSync(file), code), code]));
}

/** The program by its cache; undefined where none fits. */
export function cached(file: string): Script | undefined {
  try {
    const cache = readFileSync(cacheFile(file));
    const source = readFileSync(file);
    const code = cache.subarray(SEAL);
    return seal(source, code).equals(cache.subarray(0, SEAL)) ? scriptOf(source, code) : undefined;
  } catch {
    return undefined;
  }
}

const SEAL = 32;

function seal(source: Uint8Array, code: Uint8Array): Buffer {
  return createHash('sha256').update(MADE_FOR).update(source).update(code).digest();
}
