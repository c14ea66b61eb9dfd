import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { cacheContent, codeIn, runtimeCacheFile } from '../../src/fire/code-cache.ts';
import { makeCodeCaches } from '../../src/shims/code-caches.ts';
import { LONG, sample } from '../effort.ts';
import { captured, served, world } from './world.ts';

const w = world();
const payload = captured('claude-code', 'PostToolUse.Bash');
const told = w.shim('claude-code', 'PostToolUse', [
  // A matcher that only node can decide.
  { text: 'Store it.', match: { name: '^B.sh$' } },
]);
const called = w.shim('claude-code', 'PostToolUse', [{ call: { tool: 'two', args: {} } }], served());

const runtime = join(w.home, 'data/runtime/r1');
const program = (name: string): string => join(runtime, name);
const textOf = (name: string): string => readFileSync(program(name), 'utf8');
const make = (...names: string[]): void =>
  makeCodeCaches(names.map((name) => ({ path: program(name), text: textOf(name) })));
const cache = runtimeCacheFile(program('fire.cjs'));

afterEach(() => {
  for (const name of ['fire.cjs', 'call.cjs'])
    rmSync(runtimeCacheFile(program(name)), { recursive: true, force: true });
});

describe("V8's code cache of what a fire runs", () => {
  it('is run by a fire', async () => {
    // Code of another program shows that it was run; a text of the same length, since V8 compares that.
    const source = textOf('fire.cjs');
    const other = source.replaceAll('MCP server', 'any server');
    makeCodeCaches([{ path: program('fire.cjs'), text: other }]);
    const code = codeIn(readFileSync(cache), Buffer.from(other));
    if (!code) throw new Error('no code cache was made');
    writeFileSync(cache, cacheContent(Buffer.from(source), code));
    const { stdout } = await w.fire(told, payload);
    expect(stdout).toContain('any server');
  });

  it.runIf(LONG)('changes nothing', async () => {
    const before = [await w.fire(told, payload), await w.fire(called, payload)].map(({ text }) => text);
    expect(before).toEqual([expect.stringContaining('Store it.'), expect.stringContaining('one\ntwo')]);
    make('fire.cjs', 'call.cjs');
    expect([await w.fire(told, payload), await w.fire(called, payload)].map(({ text }) => text)).toEqual(
      before,
    );
  });

  const flipped = (all: Buffer, at: number) => all.fill((all[at] as number) ^ 1, at, at + 1);
  const bytes = (change: (bytes: Buffer) => Uint8Array) => () =>
    writeFileSync(cache, change(readFileSync(cache)));
  const damages: Record<string, () => void> = {
    'is empty': bytes(() => Buffer.of()),
    'is cut off': bytes((all) => all.subarray(0, 5000)),
    'is cut off in its first bytes': bytes((all) => all.subarray(0, 5)),
    'has only the program': () => writeFileSync(cache, textOf('fire.cjs')),
    'has another text': bytes((all) => flipped(all, all.indexOf('MCP server'))),
    'has another program': bytes((all) => flipped(all, all.length - 1)),
    'has an empty block': bytes((all) => all.fill(0, 4096, 8192)),
    'is empty, with its length': bytes((all) => Buffer.alloc(all.length)),
    'is that of another program': () => {
      make('call.cjs');
      writeFileSync(cache, readFileSync(runtimeCacheFile(program('call.cjs'))));
    },
    'is something else': () => writeFileSync(cache, textOf('call.cjs')),
    'is a folder': () => {
      rmSync(cache);
      mkdirSync(cache);
    },
  };

  it.each(LONG ? sample(Object.keys(damages), 2) : ['has another text'])(
    'is not used where it %s',
    async (name) => {
      make('fire.cjs');
      damages[name]?.();
      const { text, stderr } = await w.fire(told, payload);
      expect(text).toContain('MCP server');
      expect(text).toContain('Store it.');
      expect(stderr).toBe('');
    },
  );

  it('does not help a program that is gone', async () => {
    make('fire.cjs');
    const text = textOf('fire.cjs');
    try {
      rmSync(program('fire.cjs'));
      const { code, stdout, stderr } = await w.fire(told, payload);
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' });
    } finally {
      writeFileSync(program('fire.cjs'), text);
    }
  });
});
