import { basename, dirname, isAbsolute, join } from 'node:path';
import { Script } from 'node:vm';
import { cachedProgram } from '../code-cache.ts';
import { loadPart } from '../part.ts';

/*
 * What the hook scripts of one machine start: fire.cjs beside this file, with the same arguments. It and the parts that
 * it loads are taken from their code caches, where these fit.
 */

const loaded = new Map<string, { exports: unknown }>();

function load(file: string): unknown {
  const known = loaded.get(file);
  if (known) return known.exports;
  const cached = cachedProgram(file);
  if (!cached) return loadPart(file);
  const module = { exports: {} };
  loaded.set(file, module);
  new Script(cached.source, { filename: basename(file), cachedData: cached.code }).runInThisContext()(
    module.exports,
    (id: string) => (isAbsolute(id) ? load(id) : require(id)),
    module,
    file,
    dirname(file),
  );
  return module.exports;
}

load(join(__dirname, 'fire.cjs'));
