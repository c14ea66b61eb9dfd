import { readFileSync, writeFileSync } from 'node:fs';
import { Script } from 'node:vm';
import { sha256 } from '../base/sha256.ts';

/*
 * V8's compiled form of a program, so that a start needn't compile it: files beside it for each version of node and
 * kind of machine, made by build.mjs. V8 itself looks only at its own version and flags.
 */

/** Reading functions takes time, too: `diff`, which every CI runs, has those that it needs in a file of its own. */
type Part = 'diff' | 'install';

/** The part for a command; all but one have most in common with `install`. */
export const partFor = (command: string | undefined): Part => (command === 'diff' ? 'diff' : 'install');

const MADE_FOR = `${process.version}-${process.platform}-${process.arch}`;

export const cacheFile = (program: string, part: Part): string => `${program}.${part}.${MADE_FOR}.cache`;

/** The program: the function that node makes of a CommonJS module. V8 keeps the name that the cache was made with. */
function scriptOf(source: Buffer, cachedData?: Uint8Array): Script {
  return new Script(source.toString(), { filename: 'cli.cjs', ...(cachedData && { cachedData }) });
}

/** The cache, which only this source, this version of node and this kind of machine will take, and only undamaged. */
export function writeCache(file: string, part: Part, script: Script): void {
  const code = script.createCachedData();
  writeFileSync(cacheFile(file, part), Buffer.concat([Buffer.from(seal(readFileSync(file), code)), code]));
}

/** The program, by its cache where one fits. */
export function load(file: string, part: Part): Script {
  const source = readFileSync(file);
  return scriptOf(source, codeFor(source, cacheFile(file, part)));
}

function codeFor(source: Buffer, file: string): Buffer | undefined {
  try {
    const cache = readFileSync(file);
    const code = cache.subarray(SEAL);
    return cache.toString('latin1', 0, SEAL) === seal(source, code) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Bytes in front of the compiled form. */
export const SEAL = MADE_FOR.length + 2 * 64;

const seal = (source: Uint8Array, code: Uint8Array): string => MADE_FOR + sha256(source) + sha256(code);
