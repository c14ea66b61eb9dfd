import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import zlib from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandCacheFile, partFor, SEAL, writeCache } from '../../src/bin/code-cache.ts';
import { LONG, sample } from '../effort.ts';
import { homeEnv } from '../platform.ts';
import { CLI } from './world.ts';

/** Of its words, as they stand in the program. */
const FAULT = ', or use --all';

let copy: string;
let program: string;
let cache: string;

beforeEach(() => {
  copy = mkdtempSync(join(realpathSync(tmpdir()), 'mcphooks-cache-'));
  const needed = /^(?:mcphooks\.cjs|cli\.cjs.*)$/;
  mkdirSync(join(copy, 'dist'));
  for (const name of readdirSync(dirname(CLI)).filter((file) => needed.test(file)))
    cpSync(join(dirname(CLI), name), join(copy, 'dist', name));
  program = join(copy, 'dist/cli.cjs');
  cache = commandCacheFile(program, partFor('uninstall'));
});
afterEach(() => rmSync(copy, { recursive: true }));

/** How a program ends with a fault of ours. */
function spawned(file: string, ...flags: string[]) {
  const env = { PATH: process.env.PATH, ...homeEnv(copy) };
  const options = { encoding: 'utf8', env } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, file, 'uninstall'], options);
  return { status, stdout, stderr };
}

/** The same of the copied program. */
const run = (...flags: string[]) => spawned(join(copy, 'dist/mcphooks.cjs'), ...flags);

/** How it ends by a cache that fits; run once. */
const undamaged = ((): (() => ReturnType<typeof run>) => {
  let ended: ReturnType<typeof run> | undefined;
  return () => {
    ended ??= spawned(CLI);
    expect(ended.status).toBe(1);
    expect(ended.stderr).toContain(FAULT);
    return ended;
  };
})();

describe("V8's code cache of the program", () => {
  it.each(['diff', 'install', 'uninstall'])(
    'is there for the node that built it, and is used by %s',
    (command) => {
      const script = `
      const { readFileSync } = require('node:fs');
      const [, file, cache] = process.argv;
      const code = readFileSync(file, 'utf8');
      const cachedData = readFileSync(cache).subarray(${SEAL});
      console.log(new (require('node:vm').Script)(code, { cachedData }).cachedDataRejected);
    `;
      const env = { PATH: process.env.PATH };
      const { stdout } = spawnSync(
        process.execPath,
        ['-e', script, program, commandCacheFile(program, partFor(command))],
        { encoding: 'utf8', env },
      );
      expect(stdout).toBe('false\n');
    },
  );

  it('begins where V8 takes it without a copy', () => {
    expect(SEAL % 8).toBe(0);
  });

  const flip = (at: number) => () => {
    const bytes = readFileSync(cache);
    bytes[at] = (bytes[at] as number) ^ 0x5a;
    writeFileSync(cache, bytes);
  };
  const cut = (from: number, to?: number) => () =>
    writeFileSync(cache, readFileSync(cache).subarray(from, to));
  const damages: Record<string, () => void> = {
    'is missing': () => rmSync(cache),
    'is empty': () => writeFileSync(cache, ''),
    'is cut off': cut(0, 5000),
    'is cut off in its seal': cut(0, 20),
    'has lost its seal': cut(SEAL),
    'is something else': () => cpSync(program, cache),
    'is a folder': () => {
      rmSync(cache);
      mkdirSync(join(cache, 'folder'), { recursive: true });
    },
    ...Object.fromEntries(
      [0, SEAL - 1, SEAL, SEAL + 4, SEAL + 32, 5_000, 100_000, 300_000].map((at) => [
        `is damaged at ${at}`,
        flip(at),
      ]),
    ),
  };

  it.each(sample(Object.keys(damages), LONG ? 3 : 24))('changes nothing where it %s', (name) => {
    damages[name]?.();
    expect(run()).toEqual(undamaged());
  });

  it('is not made by a node that knows no sums', () => {
    const { crc32 } = zlib;
    // Such a node may have built it.
    rmSync(cache, { force: true });
    try {
      Object.assign(zlib, { crc32: undefined });
      writeCache(program, partFor('uninstall'), new Script('1'));
    } finally {
      Object.assign(zlib, { crc32 });
    }
    expect(existsSync(cache)).toBe(false);
  });

  it('is not used for another program, even of the same length', () => {
    const text = readFileSync(program, 'utf8');
    writeFileSync(program, text.replace(FAULT, FAULT.toUpperCase()));
    expect(run().stderr).toContain(FAULT.toUpperCase());
  });

  it.runIf(LONG)('changes nothing for a node with other flags', () => {
    expect(run('--no-opt', '--max-lazy')).toEqual(run());
  });
});
