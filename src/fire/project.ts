import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { followed } from '../base/real-path.ts';
import { checkoutOf } from '../base/repository.ts';

/**
 * Returns the project of a session: the git top level of the folder in which the client was started, the main checkout
 * for a worktree, or that folder outside git. `tree`: top level of the working tree, which in a worktree differs from
 * `root`.
 */
export function projectOf(start: string): { root: string; name: string; tree: string } {
  const folder = followed(start);
  const { tree, main } = checkoutOf(folder) ?? { tree: folder, main: folder };
  // A bare repository has no main checkout.
  const root = main === folder || existsSync(join(main, '.git')) ? main : tree;
  return { root, name: basename(root) || root, tree };
}
