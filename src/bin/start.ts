import { createRequire } from 'node:module';
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
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
  void module.exports.runProcess?.(process.argv.slice(2));
}
