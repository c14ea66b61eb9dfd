import { asset } from '../base/assets.ts';
import { once } from '../base/once.ts';
import { sha256 } from '../base/sha256.ts';
import { type Runtime, START } from './own-files.ts';

const NAMES = ['fire.cjs', 'conditions.cjs', 'call.cjs', 'keep.cjs'];

/** Returns the runtime of the shims, as built by `npm run build`. */
export const loadRuntime = once((): Runtime => {
  const read = (name: string) => ({ name, text: asset(`dist/runtime/${name}`) });
  const files = NAMES.map(read);
  const joint = { script: asset('templates/joint.sh'), program: read('joint.cjs') };
  const warm = ['warm.cjs', 'warm-keeper.cjs'].map(read);
  const start = read(START);
  const log = { name: 'log.sh', text: asset('templates/log.sh') };
  const all = [...files, joint.program, ...warm, start, log]
    .map(({ name, text }) => `${name}\0${text.length}\0${text}`)
    .join('');
  return {
    hash: sha256(all).slice(0, 16),
    files,
    script: asset('templates/shim.sh'),
    joint,
    warm,
    start,
    log,
  };
});
