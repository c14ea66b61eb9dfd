import { join } from 'node:path';
import { load, partFor, writeCache } from './code-cache.ts';
import { run } from './start.ts';

// Used by build.mjs alone: runs the program as main.ts does, and then writes its code cache, with all functions that
// were needed now or by the runs before.
const file = join(__dirname, 'cli.cjs');
const part = partFor(process.argv[2]);
const script = load(file, part);
process.on('exit', () => writeCache(file, part, script));
run(script, file);
