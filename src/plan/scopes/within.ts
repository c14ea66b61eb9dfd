import type { Files } from '../../base/files.ts';
import { once } from '../../base/once.ts';
import { hasNoLinks, inside, isAround, slashed } from '../../base/paths.ts';
import { Fault } from '../../messages/fault.ts';
import type { Scope } from './scope.ts';

type Real = Files['real'];

/**
 * Throws a Fault, `project.outside`, for a path that leads out of the project, through `..` or a symbolic link, or into
 * the `.git` folder, whose programs git runs.
 */
export function assertWithin(root: string, path: string, real: Real): void {
  const to = real(path);
  const below = inside(real(root), to);
  if (below === undefined || slashed(below).split('/').includes('.git'))
    throw new Fault('project.outside', { to }, { file: path });
}

/** Throws a Fault, `project.linked`, for a path below the root that is reached through a symbolic link. */
export function assertUnlinked(root: string, path: string, real: Real, exit: 1 | 2 = 1): void {
  if (!hasNoLinks(root, path, real))
    throw new Fault('project.linked', { to: real(path) }, { file: path }, exit);
}

/**
 * Returns the disk as comparisons of one scope read it. In a shared project `read` follows no link and throws a Fault
 * with exit 2, `project.linked`: a link is drift, as changed contents are.
 */
export function filesIn<T extends Files>({ shared, root }: Pick<Scope, 'shared' | 'root'>, files: T): T {
  if (!shared || root === undefined) return files;
  const top = once(() => files.real(root));
  const real: Real = (path) => (path === root ? top() : files.real(path));
  const read = (path: string): Uint8Array | null => {
    if (isAround(root, path)) assertUnlinked(root, path, real, 2);
    return files.read(path);
  };
  return { ...files, read };
}
