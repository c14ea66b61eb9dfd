import { join } from 'node:path';
import { load, writeCache } from './code-cache.ts';
import { run } from './start.ts';

// Used by build.mjs alone: runs the program as main.ts does, and then writes its code cache, with all functions that
// were needed now or by the runs before.
const file = join(__dirname, 'cli.cjs');
const script = load(file);
process.on('exit', () => writeCache(file, script));
run(script, file);
