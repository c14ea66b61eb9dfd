import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Script } from 'node:vm';
import { cached } from './code-cache.ts';

/** Runs the program beside this file, from its code cache where one fits. */
export function start(): void {
  const file = join(__dirname, 'cli.cjs');
  const script = cached(file);
  if (script) run(script, file);
  else createRequire(file)(file);
}

export function run(script: Script, file: string): void {
  script.runInThisContext()({}, createRequire(file), { exports: {} }, file, dirname(file));
}
