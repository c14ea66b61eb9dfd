import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Script } from 'node:vm';
import { load, partFor } from './code-cache.ts';

/** Runs the program beside this file. */
export function start(): void {
  const file = join(__dirname, 'cli.cjs');
  run(load(file, partFor(process.argv[2])), file);
}

export function run(script: Script, file: string): void {
  script.runInThisContext()({}, createRequire(file), { exports: {} }, file, dirname(file));
}
