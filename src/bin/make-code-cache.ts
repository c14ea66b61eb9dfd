import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { load, partFor, writeCache } from './code-cache.ts';
import { run } from './start.ts';

// Used by build.mjs alone: runs the program as main.ts does, and then writes its code cache, with all functions that
// were needed now or by the runs before.
const file = join(__dirname, 'cli.cjs');
const part = partFor(process.argv[2]);
// V8 drops the compiled form of functions that haven't run for a while, and takes no cache that other flags made.
setFlagsFromString('--no-flush-bytecode');
const script = load(file, part);
process.on('exit', () => {
  setFlagsFromString('--flush-bytecode');
  writeCache(file, part, script);
});
run(script, file);
