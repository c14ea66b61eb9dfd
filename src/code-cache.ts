import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { Script } from 'node:vm';

/*
 * V8's compiled form of a program, so that a start needn't compile it: one file beside it for each version of node
 * and kind of machine, made by build.mjs. V8 itself looks only at its own version and flags.
 */

const MADE_FOR = `${process.version}-${process.platform}-${process.arch}`;

export const cacheFile = (program: string): string => `${program}.${MADE_FOR}.cache`;

/** The program: the function that node makes of a CommonJS module. V8 keeps the name that the cache was made with. */
function scriptOf(source: Buffer, cachedData?: Uint8Array): Script {
  return new Script(source.toString(), { filename: 'cli.cjs', ...(cachedData && { cachedData }) });
}

/** The cache, which only this source, this version of node and this kind of machine will take, and only undamaged. */
export function writeCache(file: string, script: Script): void {
  const code = script.createCachedData();
  writeFileSync(cacheFile(file), Buffer.concat([seal(readFileSync(file), code), code]));
}

/** The program, by its cache where one fits. */
export function load(file: string): Script {
  const source = readFileSync(file);
  return scriptOf(source, codeFor(source, cacheFile(file)));
}

function codeFor(source: Buffer, file: string): Buffer | undefined {
  try {
    const cache = readFileSync(file);
    const code = cache.subarray(SEAL);
    return seal(source, code).equals(cache.subarray(0, SEAL)) ? code : undefined;
  } catch {
    return undefined;
  }
}

const SEAL = 32;

function seal(source: Uint8Array, code: Uint8Array): Buffer {
  return createHash('sha256').update(MADE_FOR).update(source).update(code).digest();
}
