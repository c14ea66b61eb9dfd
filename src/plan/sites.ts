import type { Scope } from '../apply/types.ts';
import type { World } from '../context.ts';
import { projectRoot } from '../project/root.ts';
import { localSite, projectSite } from '../project/site.ts';
import { type Site, userSite } from './site.ts';

/** The site of a scope, as seen from the session's folder, or for a project that is known. Faults: `project.home`. */
export function siteFor(
  scope: Scope,
  { env, paths, cwd }: Pick<World, 'env' | 'paths' | 'cwd'>,
  root = scope === 'user' ? cwd : projectRoot(cwd),
): Site {
  if (scope === 'user') return userSite(env, paths);
  return scope === 'project' ? projectSite(root, env, paths) : localSite(root, env, paths);
}
