import { spawnSync } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import { LARGEST_FILE, readIfThere, readNames } from '../base/read-file.ts';
import { cacheContent, codeIn, functionOf, runtimeCacheFile } from '../fire/code-cache.ts';
import type { FireData } from '../fire/format.ts';
import { realFs, removeFile, tolerate, writeNew } from '../store/fs.ts';
import { type Runtime, START } from './own-files.ts';

/** Programs of the runtime that are run at each fire of a hook script with such data. */
const RUN_BY: Record<string, (data: FireData) => boolean> = {
  'fire.cjs': () => true,
  'conditions.cjs': ({ hooks, payload }) => payload.shell !== undefined || hooks.some(({ when }) => when),
  'call.cjs': ({ server_at }) => server_at !== undefined,
  'warm.cjs': ({ server_at }) => server_at?.keep !== undefined,
};

interface RuntimeProgram {
  path: string;
  text: string;
}

/**
 * Returns the programs in a server's runtimes on this machine that lack an undamaged code cache for the node that runs
 * now. `shims`: the data of its hook scripts.
 */
export function withoutCache(
  own: readonly string[],
  shims: readonly FireData[],
  { files, warm }: Runtime,
): RuntimeProgram[] {
  const run = [...files, ...warm].filter(({ name }) => shims.some((data) => RUN_BY[name]?.(data)));
  return runtimesIn(own)
    .flatMap((folder) => run.map(({ name, text }) => ({ path: join(folder, name), text })))
    .filter(({ path, text }) => !isWhole(runtimeCacheFile(path), Buffer.from(text)));
}

/** Makes the code caches of programs. One that can't be written is left out: a fire works without it. */
export function makeCodeCaches(programs: readonly RuntimeProgram[]): void {
  const unmade = programs.filter(({ text }) => !made.has(text));
  // Several folders hold the same programs.
  compile([...new Map(unmade.map((program) => [program.text, program])).values()]);
  for (const { path, text } of programs) {
    const content = made.get(text);
    const cache = runtimeCacheFile(path);
    // Beside it and renamed, so that a fire at the same time reads all or nothing.
    const fresh = `${cache}.new`;
    // What is there was left by an install that was ended, or is a link, through which nothing may be written.
    const remove = (): void => removeFile(realFs, fresh);
    tolerate(() => {
      remove();
      if (!content) return;
      writeNew(realFs, fresh, content, 0o600);
      realFs.renameSync(fresh, cache);
    });
    // Part of it would keep a full disk full.
    tolerate(remove);
  }
}

/** Returns the code caches beside these own files, for any node, that were damaged since `makeCodeCaches` made them. */
export function damagedCaches(own: readonly string[]): string[] {
  return runtimesIn(own).flatMap((folder) => {
    const names = readNames(folder);
    const caches = names.filter((name) => /\.cjs\..+\.cache$/.test(name)).map((name) => join(folder, name));
    return caches.filter((cache) => isWhole(cache, bytesOf(programOf(cache))) === false);
  });
}

/** Returns the folders of runtimes that may have code caches. */
const runtimesIn = (own: readonly string[]): string[] => [
  ...new Set(own.filter((path) => basename(path) === START).map((path) => dirname(path))),
];

const programOf = (cache: string): string => cache.replace(/(\.cjs)\.[^/\\]*$/, '$1');

const bytesOf = (path: string): Buffer | undefined => tolerate(() => readIfThere(path));

/** Returns undefined when either is missing. */
function isWhole(cache: string, source: Buffer | undefined): boolean | undefined {
  const bytes = source && bytesOf(cache);
  return bytes && codeIn(bytes, source) !== undefined;
}

/** Contents of code caches by the texts of programs. */
const made = new Map<string, Buffer>();

/** Compiles all functions of the programs on stdin, sources with file names; prints what V8 stores, in base64. */
const COMPILER = `
const { text } = require('node:stream/consumers');
const { Script } = require('node:vm');
const { setFlagsFromString } = require('node:v8');
text(process.stdin).then((programs) => {
  setFlagsFromString('--no-lazy');
  const scripts = JSON.parse(programs).map(([source, filename]) => new Script(source, { filename }));
  setFlagsFromString('--lazy');
  console.log(JSON.stringify(scripts.map((script) => script.createCachedData().toString('base64'))));
});
`;

/** Compiles programs in a node without options, as hooks start it: V8 takes no code that was stored with other flags. */
function compile(programs: readonly RuntimeProgram[]): void {
  if (programs.length === 0) return;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('NODE_')));
  const input = JSON.stringify(
    programs.map(({ path, text }) => [functionOf(Buffer.from(text)), basename(path)]),
  );
  const { status, stdout } = spawnSync(process.execPath, ['-e', COMPILER], {
    input,
    env,
    windowsHide: true,
    maxBuffer: LARGEST_FILE,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  if (status !== 0) return;
  for (const [i, code] of (JSON.parse(stdout.toString()) as string[]).entries()) {
    const text = programs[i]?.text ?? '';
    made.set(text, cacheContent(Buffer.from(text), Buffer.from(code, 'base64')));
  }
}
