import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { load, partFor, writeCache } from './code-cache.ts';
import { run } from './start.ts';

// Run by build.mjs only: runs the program as main.ts does, and then writes its code cache, with all functions used in
// this or earlier runs.
const file = join(__dirname, 'cli.cjs');
const part = partFor(process.argv[2]);
// By default V8 drops compiled code of functions that haven't run for a while. V8 accepts no cache made with other
// flags.
setFlagsFromString('--no-flush-bytecode');
const script = load(file, part);
process.on('exit', () => {
  setFlagsFromString('--flush-bytecode');
  writeCache(file, part, script);
});
run(script, file);
