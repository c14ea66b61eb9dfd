import { dirname, join } from 'node:path';
import type { Script } from 'node:vm';
import { load, partFor } from './code-cache.ts';
import type { runProcess } from './process.ts';

/** Runs the program beside this file. */
export function start(): void {
  const file = join(__dirname, 'cli.cjs');
  run(load(file, partFor(process.argv[2])), file);
}

/** Runs the program bundled from process.ts, with the arguments of this process. */
export function run(script: Script, file: string): void {
  const module: { exports: { runProcess?: typeof runProcess } } = { exports: {} };
  // This file's own, which finds the same: `createRequire` would load node's ES module loader.
  script.runInThisContext()(module.exports, require, module, file, dirname(file));
  void module.exports.runProcess?.(process.argv.slice(2));
}
