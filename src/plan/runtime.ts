import { createHash } from 'node:crypto';
import { asset } from '../assets.ts';
import type { Runtime } from './own-files.ts';

const NAMES = ['fire.cjs', 'call.cjs'];

let loaded: Runtime | undefined;

/** The runtime of the shims, as `npm run build` made it. */
export function loadRuntime(): Runtime {
  loaded ??= readRuntime();
  return loaded;
}

function readRuntime(): Runtime {
  const files = NAMES.map((name) => ({ name, text: asset(`dist/runtime/${name}`) }));
  const hash = createHash('sha256');
  for (const { name, text } of files) hash.update(`${name}\0${text.length}\0${text}`);
  return { hash: hash.digest('hex').slice(0, 16), files };
}
